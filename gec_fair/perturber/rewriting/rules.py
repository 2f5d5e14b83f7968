"""The rule perturber: a word's whole chain takes the new attribute, and nothing else in the text does.

    she saw her husband, and he greeted her          her → man
    he  saw his husband, and he greeted him

Pronouns keep their form, verbs agree with *they*, *a* and *an* follow, the case stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, Edits, edited_places
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.possessives import unclear_mark
from gec_fair.people.links.lexical import TITLES
from gec_fair.people.people import people_in
from gec_fair.people.terms.axes import GENDER, is_unstated
from gec_fair.perturber.rewriting.attributes import Attributes
from gec_fair.perturber.rewriting.genders import Genders
from gec_fair.perturber.rewriting.insertion import insert
from gec_fair.perturber.rewriting.sampling import Choice, Draft
from gec_fair.perturber.rewriting.signs import contradicts_a_name
from gec_fair.perturber.rewriting.surface import articles, as_low, genitives
from gec_fair.perturber.rewriting.wording import is_in_another_word, leaves_a_short_form, repeats_a_word
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import Finder

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(frozen=True)
class Rules:
    """Plans rewritings over parsed texts. `seed` decides which names are written."""

    finder: Finder
    seed: int = 0

    def plan(self, text: ParsedText, choice: Choice) -> Edits:
        """The rewriting of one text; empty where nothing can be said otherwise (an unknown verb, a word without a
        counterpart)."""
        doc, chain, word = text.doc, text.chains.chain_of(choice.word), choice.word
        planned: Iterable[Edit] | None
        if chain.intersection(people_in(doc).holy):
            planned = None  # nobody else is Jesus
        elif is_unstated(word.attribute):
            planned = insert(text, chain, choice, self.finder.demographics)
        elif word.axis != GENDER:
            planned = Attributes(self.finder, self.seed).rewrite(text, chain, choice)
        elif choice.target == "non-binary":
            planned = Genders(self.finder, self.seed).neutralise(text, chain, choice)
        else:
            planned = Genders(self.finder, self.seed).swap(text, chain, choice)
        new_words = {(edit.start, edit.end): edit for edit in planned or ()}
        changed = [
            edit for edit in new_words.values() if tuple(t.text for t in doc[edit.start : edit.end]) != edit.replacement
        ]
        if (
            repeats_a_word(doc, changed)
            or is_in_another_word(doc, changed)
            or leaves_a_short_form(doc, changed, self.finder.lexicon.names.entries)
            or _renames_a_thing(text, changed)
            or unclear_mark(doc, (edit.end for edit in changed))
            or contradicts_a_name(Draft(text, choice, changed))
        ):
            return Edits((), len(doc))
        around = [*articles(doc, changed), *genitives(doc, changed)]
        edits = sorted(changed + around, key=lambda edit: edit.start)
        # "Old girl," said he: the edit that removes *old* covers the next word for its capital
        if any(edit.end > following.start for edit, following in pairwise(edits)):
            return Edits((), len(doc))
        return Edits(tuple(as_low(doc, edit) for edit in edits), len(doc))


def _renames_a_thing(text: ParsedText, changed: Sequence[Edit]) -> bool:
    """*Benjamin Duke of Duke University, Seth Bloom of Bloom Legal*: a name that changes stands in the name of a thing
    as well."""
    doc = text.doc
    places = [i for i in sorted(edited_places(changed)) if doc[i].tag_ in PROPER_NOUNS]
    names = {doc[i].text for i in places}
    if any(doc[i].text in names for i in people_in(doc).names_of_things.difference(places)):
        return True
    ends = [i for i in places if i + 1 < len(doc) and i + 1 not in places and _is_a_firm(text, doc[i + 1])]
    if not ends:
        return False
    last_names = {doc[i].text for i in people_in(doc).surnames_at(places)}
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
