"""The perturbable words of a parsed text: those that say of a person which gender, race or age they are of.

    the black man in the black coat saw her          black/race  man/gender  her/gender
    an 11-year-old and his old friend                11/age      his/gender

A term counts in its reading alone (`lexicons/demographics.tsv`); words that only correlate (*surgeon*) never do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning import fm
from gec_fair.augmentation.planning.name_swaps import Namer
from gec_fair.augmentation.planning.swap import NameChange, NounChange, PronounChange, Swap
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.letters import plain
from gec_fair.english.lexicons import lexicon as gendered
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts
from gec_fair.english.pronouns import paired_pronouns
from gec_fair.people.people import people_in
from gec_fair.people.terms.axes import AGE, GENDER, RACE
from gec_fair.people.terms.lexicon import Demographics, PerturbableWord
from gec_fair.people.terms.lexicon import load as load_demographics
from gec_fair.people.terms.names import proper_runs, without_accents
from gec_fair.people.terms.readings import Readings
from gec_fair.perturber.words import ages

if TYPE_CHECKING:
    from spacy.tokens import Doc

ATTRIBUTE = {Gender.FEMININE: "woman", Gender.MASCULINE: "man"}
_EITHER = word_list("coordinators_with_nor")
_BEFORE_A_SPLIT_THE = frozenset(["int", "ont", "att", "oft"])
_PIECES = re.compile(r"[^\W_]+")
_FUSED = word_list("fused_pronoun_and_verb")


class Finder:
    """Finds perturbable words; its tables, and those of a user's directory, are read when the first text comes."""

    def __init__(self, tables: str = "") -> None:
        self._extra = tables

    @cached_property
    def demographics(self) -> Demographics:
        """The tables of race, age and the user's axes."""
        return load_demographics(self._extra)

    @cached_property
    def lexicon(self) -> gendered.Lexicon:
        """The lexicon of gendered words and names."""
        return gendered.load(self._extra or None)

    @cached_property
    def readings(self) -> Readings:
        """What decides whether a term is about a person."""
        return Readings(self.lexicon)

    def may_hold(self, text: str) -> bool:
        """Whether a text may hold a perturbable word; never wrong when it says no. Asked of raw text, so that what
        holds none is not even cut into words."""
        text = plain(text)
        lower = text.lower()
        pieces = set(_PIECES.findall(lower))
        if not self._pieces.isdisjoint(pieces) or ages.may_be_told(pieces, lower):
            return True
        if any(piece.endswith(("man", "men")) and self.lexicon.nouns.compound(piece) for piece in pieces):
            return True
        return not self._capitalised.isdisjoint(_PIECES.findall(text))

    def may_name_people(self, text: str) -> bool:
        """Whether a text may hold a perturbable word, or a noun for people."""
        pieces = _PIECES.findall(plain(text).lower())
        return self.may_hold(text) or any(self.readings.may_be_people(piece) for piece in pieces)

    @cached_property
    def _pieces(self) -> frozenset[str]:
        """The first letters-only piece of every word that counts however it is written (*ma* of *ma'am*)."""
        names = [name for name in self.lexicon.names.tokens if self.lexicon.names.is_name(name, proper=True)]
        starts = [*_FUSED, *self.lexicon.gendered_tokens, *self.demographics.terms, *self.demographics.origins, *names]
        return frozenset(piece for word in starts for piece in _PIECES.findall(word)[:1])

    @cached_property
    def _capitalised(self) -> frozenset[str]:
        """Names that are also words: they count with a capital only."""
        names = self.lexicon.names
        words = [name for name in names.tokens if not names.is_name(name, proper=True)]
        return frozenset(form for word in words for form in (word.capitalize(), word.upper()))

    def swaps(self, doc: Doc) -> Sequence[Swap]:
        """What FM-CDA would swap, whoever its words belong to."""
        return fm.swaps(doc, self.lexicon, Namer(self.lexicon))

    def find(self, doc: Doc, swaps: Sequence[Swap] | None = None) -> Sequence[PerturbableWord]:
        """All of a text, in order; several axes may share a word (*Latina* is a woman's and a Hispanic's). `swaps`: of
        `swaps`, if they are known."""
        words = texts(doc)
        swaps = self.swaps(doc) if swaps is None else swaps
        named = [swap.start for swap in swaps if isinstance(swap.change, NameChange)]
        people = people_in(doc)
        others = people.non_persons(self.lexicon).places
        no_persons = others | people.impersonal(named, self.readings.is_person)
        swaps = [swap for swap in swaps if swap.start not in no_persons]
        said = (*self._ages(doc), *self._terms(doc, words))  # ages first: in her late teens
        every = [
            *self._find_gendered(doc, words, swaps),
            *(word for word in said if not {word.start, word.end} <= people.names_of_things),  # the Irish Times
            *self._origins(doc, swaps, others),
        ]
        return _disjoint(word for word in every if word.start not in people.cited)

    def _find_gendered(self, doc: Doc, words: list[str], swaps: Sequence[Swap]) -> Iterator[PerturbableWord]:
        skip = people_in(doc).pets | paired_pronouns(doc)  # *his or her* has no gender to change
        for swap in swaps:
            if swap.start in skip or _is_half_a_surname(doc, swap) or _is_no_pronoun(doc, swap.start):
                continue
            if isinstance(swap.change, PronounChange):
                (own_gender,) = {gender for gender, _ in forms_of(doc[swap.start].lower_)}
                yield PerturbableWord(swap.start, swap.end, GENDER, ATTRIBUTE[own_gender], "pronoun")
            elif isinstance(swap.change, NameChange) and swap.change.gender is not None:
                yield PerturbableWord(swap.start, swap.end, GENDER, ATTRIBUTE[swap.change.gender], "name")
            elif isinstance(swap.change, NounChange) and not _with_counterpart(doc, swap):
                match = self.lexicon.nouns.swap_noun(words, swap.start)
                if match is not None:
                    yield PerturbableWord(swap.start, swap.end, GENDER, ATTRIBUTE[match.term.gender], "noun")

    def _terms(self, doc: Doc, words: list[str]) -> Iterator[PerturbableWord]:
        """The longest of each axis; a word may be of several (*a German* has a race and a nationality)."""
        covered: dict[str, int] = {}  # axis → where its last term ends
        for at in range(len(words)):
            longest: dict[str, int] = {}  # axis → words
            for term in self.demographics.starting(words, at):
                if len(term.words) < longest.setdefault(term.axis, len(term.words)):
                    continue  # *a grown up man*: not even where the longer term is nobody's
                if at >= covered.get(term.axis, 0) and self.readings.counts(doc, words, at, term):
                    covered[term.axis] = at + len(term.words)
                    yield PerturbableWord(at, covered[term.axis], term.axis, term.attribute, "term", term)

    def _ages(self, doc: Doc) -> Iterator[PerturbableWord]:
        for age in ages.find(doc):
            said = age.said is None or self.readings.may_be_aged(doc[age.said])
            someone = age.noun is None or self.readings.is_someone(doc[age.noun])
            if said and someone and not self.readings.is_of_animals(doc[age.start]):  # a cat of 12
                yield PerturbableWord(age.start, age.end, AGE, age.group, "age")

    def _origins(self, doc: Doc, swaps: Sequence[Swap], skip: Collection[int]) -> Iterator[PerturbableWord]:
        """First names most of whose bearers are of one race or ethnicity."""
        gendered = {swap.start for swap in swaps if isinstance(swap.change, NameChange)}
        entries = self.lexicon.names.entries
        proper = [t for t in doc if t.tag_ in PROPER_NOUNS and t.text[:1].isupper() and not t.text.isupper()]  # DeShawn
        others = [t.i for t in proper if t.lower_ not in entries and t.i not in skip]
        others = [at for at in others if without_accents(doc[at].lower_) in self.demographics.origins]
        people = people_in(doc)
        unlisted = people.unlisted_names_at(others)
        names = gendered | (unlisted - people.impersonal(unlisted, self.readings.is_person))
        names -= people.rulers(names)
        for at in sorted(names):
            origin = self.demographics.origins.get(without_accents(doc[at].lower_))
            if origin is not None:
                yield PerturbableWord(at, at + 1, RACE, origin.attribute, "name")
        yield from self._surnames(doc, names)

    def _surnames(self, doc: Doc, names: Collection[int]) -> Iterator[PerturbableWord]:
        """Surnames behind a first name (*Mei Chen*), and wherever else their text has them."""
        surnames = self.demographics.surnames
        of_somebody = {
            run[-1].text
            for run in proper_runs(doc)
            if any(token.i in names for token in run[:-1]) and run[-1].i not in names
        }
        for token in doc:
            origin = surnames.get(without_accents(token.lower_)) if token.text in of_somebody else None
            if origin is not None and token.tag_ in PROPER_NOUNS:
                yield PerturbableWord(token.i, token.i + 1, RACE, origin.attribute, "surname")


def _is_half_a_surname(doc: Doc, swap: Swap) -> bool:
    """*Johnson-Freese said*: a name before a hyphen, which no table has as a first name of two parts."""
    after = doc[swap.end : swap.end + 2]
    is_joined = len(after) == 2 and after[0].text == "-" and not doc[swap.end - 1].whitespace_
    return is_joined and isinstance(swap.change, NameChange) and after[1].text[:1].isupper()


def _is_no_pronoun(doc: Doc, at: int) -> bool:
    """*He-he!* laughs, and *int he end* has a space in the wrong place."""
    around = [token.lower_ for token in doc[max(0, at - 2) : at + 3]]
    laughs = any(around[n : n + 3] == [doc[at].lower_, "-", doc[at].lower_] for n in range(len(around)))
    return laughs or (at > 0 and doc[at].lower_ == "he" and doc[at - 1].lower_ in _BEFORE_A_SPLIT_THE)


def _with_counterpart(doc: Doc, swap: Swap) -> bool:
    """*men and women, son or daughter*: both genders are said, and none is to change."""
    new = [word.lower() for word in swap.new]
    before = [token.lower_ for token in doc[max(0, swap.start - 2) : swap.start]]
    after = [token.lower_ for token in doc[swap.end : swap.end + 2]]
    return (before[-1:] != [] and before[-1] in _EITHER and before[:1] == new) or (
        after[:1] != [] and after[0] in _EITHER and after[1:] == new
    )


def _disjoint(mentions: Iterable[PerturbableWord]) -> Sequence[PerturbableWord]:
    """In order; of those of one axis that share a token the longest, the first of equals."""
    disjoint: list[PerturbableWord] = []
    for mention in sorted(mentions, key=lambda word: (word.start - word.end, word.start)):
        if not any(
            word.axis == mention.axis and word.start < mention.end and mention.start < word.end for word in disjoint
        ):
            disjoint.append(mention)
    return sorted(disjoint, key=lambda word: (word.start, word.end, word.axis))
