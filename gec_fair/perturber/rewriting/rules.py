"""The rule perturber: a word's whole chain takes the new attribute, and nothing else in the text does.

    she saw her husband, and he greeted her          her → man
    he  saw his husband, and he greeted him

Pronouns keep their form, verbs agree with *they*, *a* and *an* follow, the case stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.noun_swaps import half_swapped
from gec_fair.corpus.outcome import Sure
from gec_fair.edits import Edit, Edits, edited_places
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.possessives import unclear_mark
from gec_fair.people import reader
from gec_fair.people.animals import may_be_an_animals
from gec_fair.people.first_names import UNISEX
from gec_fair.people.links.lexical import TITLES
from gec_fair.people.reader import Kind
from gec_fair.people.sure import Change, sure_of
from gec_fair.perturber.rewriting.attributes import Attributes
from gec_fair.perturber.rewriting.doubts.ages import is_of_another_age
from gec_fair.perturber.rewriting.doubts.genders import is_half
from gec_fair.perturber.rewriting.doubts.peoples import is_of_another_people
from gec_fair.perturber.rewriting.doubts.wording import is_in_another_word, leaves_a_short_form, repeats_a_word
from gec_fair.perturber.rewriting.genders import Genders
from gec_fair.perturber.rewriting.insertion import insert
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.rewriting.surface import articles, as_low, genitives
from gec_fair.perturber.words.axes import AGE, GENDER, RACE, is_unstated
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import Finder, PerturbableWord

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_LIKELY = 0.5
NAMED = 0.7
"""A word that is so likely a first name must change with its person."""


@dataclass(frozen=True)
class Rules:
    """Plans rewritings over parsed texts. `seed` decides which names are written."""

    finder: Finder
    seed: int = 0

    def plan(self, text: ParsedText, choice: Choice) -> Edits:
        """The rewriting of one text; empty where nothing can be said otherwise (an unknown verb, a word without a
        counterpart)."""
        doc, chain = text.doc, text.chains.chain_of(choice.word)
        if choice.word.kind == "pronoun" and self._is_an_animals(text, choice.word, chain):
            return Edits((), len(doc))
        new_words = {(edit.start, edit.end): edit for edit in self._edits(text, chain, choice) or ()}
        changed = [
            edit for edit in new_words.values() if tuple(t.text for t in doc[edit.start : edit.end]) != edit.replacement
        ]
        if choice.word.axis == GENDER and (
            self._is_a_name_left(doc, chain, changed)
            or is_half(text, choice.word.attribute, changed)
            or half_swapped(doc, edited_places(changed), self.finder.lexicon, with_names=choice.target != "non-binary")
        ):
            return Edits((), len(doc))
        if (
            repeats_a_word(doc, changed)
            or is_in_another_word(doc, changed)
            or leaves_a_short_form(doc, changed, self.finder.lexicon.names.entries)
            or _renames_a_thing(text, changed)
            or unclear_mark(doc, (edit.end for edit in changed))
        ):
            return Edits((), len(doc))
        if choice.word.axis == RACE and is_of_another_people(text, choice, changed, self.finder.demographics):
            return Edits((), len(doc))
        says = not is_unstated(choice.word.attribute) and not is_unstated(choice.target)
        if choice.word.axis == AGE and says and is_of_another_age(text, choice, changed):
            return Edits((), len(doc))
        around = [*articles(doc, changed), *genitives(doc, changed)]
        edits = sorted(changed + around, key=lambda edit: edit.start)
        # "Old girl," said he: the edit that removes *old* covers the next word for its capital
        if any(one.end > following.start for one, following in pairwise(edits)):
            return Edits((), len(doc))
        return Edits(tuple(as_low(doc, edit) for edit in edits), len(doc))

    def sure_of(self, text: ParsedText, choice: Choice, changes: Edits) -> Sure:
        """How sure a rewriting is. An axis of a user's tables counts as race does."""
        change = Change.from_edits(text.doc, self.finder.lexicon, changes)
        return sure_of(change, choice.word.axis if choice.word.axis in (GENDER, AGE) else RACE)

    @cached_property
    def _genders(self) -> Genders:
        return Genders(self.finder, self.seed)

    def _edits(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> Iterable[Edit] | None:
        if is_unstated(choice.word.attribute):
            return insert(text, chain, choice, self.finder.demographics)
        if choice.word.axis != GENDER:
            return Attributes(self.finder, self.seed).rewrite(text, chain, choice)
        genders = self._genders
        return (
            genders.neutralise(text, chain, choice)
            if choice.target == "non-binary"
            else genders.swap(text, chain, choice)
        )

    def _is_a_name_left(self, doc: Doc, chain: frozenset[int], changed: Sequence[Edit]) -> bool:
        """*Adnan El Shukrijumah … her nickname*: a first name that no table has stays beside what has changed. What
        follows a first name that has changed is a middle name, an initial or a surname (*Wendy B. Davidson*)."""
        edited = edited_places(changed)
        names = [
            i
            for i in chain - edited
            if doc[i].tag_ == "NNP" and doc[i].lower_ not in UNISEX and edited.isdisjoint(_name_before(doc, i))
        ]
        likely = reader.probabilities(doc, names, Kind.FIRST_NAME)
        return any(chance >= NAMED for chance in likely.values())

    def _is_an_animals(self, text: ParsedText, word: PerturbableWord, chain: frozenset[int]) -> bool:
        """*he* in a text about dogs, in which no man is named."""
        is_named = any(one.kind != "pronoun" and one.attribute == word.attribute for one in text.gendered)
        return not is_named and may_be_an_animals(text.doc, chain, self.finder.readings.is_person)


def _renames_a_thing(text: ParsedText, changed: Sequence[Edit]) -> bool:
    """*Benjamin Duke of Duke University, Seth Bloom of Bloom Legal*: a name that changes stands in the name of a thing
    as well."""
    doc = text.doc
    places = [i for i in sorted(edited_places(changed)) if doc[i].tag_ in PROPER_NOUNS]
    names = {doc[i].text for i in places}
    if any(doc[i].text in names for i in reader.names_of_things(doc).difference(places)):
        return True
    ends = [i for i in places if i + 1 < len(doc) and i + 1 not in places and _is_a_firm(text, doc[i + 1])]
    if not ends:
        return False
    surnames = reader.probabilities(doc, places, Kind.SURNAME)
    last_names = {doc[i].text for i in places if surnames.get(i, 0.0) >= _LIKELY}
    return any(doc[i].text in last_names for i in ends)


def _is_a_firm(text: ParsedText, word: Token) -> bool:
    """*Legal, Worldwide* behind a surname: a word with a capital that is in no table of names."""
    tables = text.finder.demographics
    is_name = text.finder.lexicon.names.is_name(word.text, proper=True) or word.lower_ in tables.surnames
    return (
        word.text.istitle()
        and not (is_name or word.is_sent_start)
        and word.lower_ not in TITLES
        and is_word(word.lower_)
    )


def _name_before(doc: Doc, at: int) -> range:
    """The parts of a name that stand before one of its parts."""
    first = at
    while first and doc[first - 1].tag_ in PROPER_NOUNS:
        first -= 1
    return range(first, at)
