"""The perturbable words of a parsed text: those that say of a person which gender, race or age they are of.

    the black man in the black coat saw her          black/race  man/gender  her/gender
    an 11-year-old and his old friend                11/age      his/gender

A term counts in its reading alone (`lexicons/demographics.tsv`); words that only correlate (*surgeon*) never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning import fm
from gec_fair.augmentation.planning.name_swaps import Namer
from gec_fair.augmentation.planning.swap import NameChange, NounChange, PronounChange, Swap
from gec_fair.english.first_names import is_first_name
from gec_fair.english.lexicons import lexicon as gendered
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender, forms_of
from gec_fair.english.pronouns import paired_pronouns
from gec_fair.perturber.words import ages
from gec_fair.perturber.words.axes import AXIS_OF
from gec_fair.perturber.words.lexicon import Demographics, Term
from gec_fair.perturber.words.lexicon import load as load_demographics
from gec_fair.perturber.words.names import Bearers
from gec_fair.perturber.words.readings import Readings

if TYPE_CHECKING:
    from spacy.tokens import Doc

ATTRIBUTE = {Gender.FEMININE: "woman", Gender.MASCULINE: "man"}
_EITHER = word_list("coordinators_with_nor")
_PIECES = re.compile(r"[^\W_]+")
_FUSED = word_list("fused_pronoun_and_verb")


@dataclass(frozen=True, slots=True)
class PerturbableWord:
    """A perturbable word at tokens `start` to `end` (half-open). `kind`: pronoun, noun, name, term or age; `term` is
    the table's, of race and age."""

    start: int
    end: int
    attribute: str
    kind: str
    term: Term | None = None

    @property
    def axis(self) -> str:
        """The axis of the attribute."""
        return AXIS_OF[self.attribute]

    def text(self, doc: Doc) -> str:
        """As it is written in its text."""
        return str(doc[self.start : self.end].text)


class Finder:
    """Finds perturbable words; its tables are read when the first text comes."""

    @cached_property
    def demographics(self) -> Demographics:
        """The tables of race and age."""
        return load_demographics()

    @cached_property
    def lexicon(self) -> gendered.Lexicon:
        """The lexicon of gendered words and names."""
        return gendered.load()

    @cached_property
    def readings(self) -> Readings:
        """What decides whether a term is about a person."""
        return Readings(self.lexicon)

    @cached_property
    def _namer(self) -> Namer:
        return Namer(self.lexicon)

    def may_hold(self, text: str) -> bool:
        """Whether a text may hold a perturbable word; never wrong when it says no. Asked of raw text, so that what
        holds none is not even cut into words."""
        lower = text.lower()
        pieces = set(_PIECES.findall(lower))
        if not self._pieces.isdisjoint(pieces) or ages.may_be_told(pieces, lower):
            return True
        if any(piece.endswith(("man", "men")) and self.lexicon.nouns.compound(piece) for piece in pieces):
            return True
        return not self._capitalised.isdisjoint(_PIECES.findall(text))

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

    def find(self, doc: Doc) -> Sequence[PerturbableWord]:
        """All of a text, in order; several axes may share a word (*Latina* is a woman's and a Hispanic's)."""
        words, bearers = [token.text for token in doc], Bearers(doc, self.lexicon.names)
        every = [
            *self._gendered(doc, words, bearers),
            *self._terms(doc, words),
            *self._ages(doc),
            *self._origins(doc, words, bearers),
        ]
        return _disjoint(every)

    def _gendered(self, doc: Doc, words: list[str], bearers: Bearers) -> Iterator[PerturbableWord]:
        either = paired_pronouns(doc)  # *his or her* has no gender to change
        for swap in fm.swaps(doc, self.lexicon, self._namer):
            if swap.start in either:
                continue
            if isinstance(swap.change, PronounChange):
                (own_gender,) = {gender for gender, _ in forms_of(doc[swap.start].lower_)}
                yield PerturbableWord(swap.start, swap.end, ATTRIBUTE[own_gender], "pronoun")
            elif isinstance(swap.change, NameChange) and doc[swap.start] in bearers:
                gender = self.lexicon.names.gender(doc[swap.start].text)
                if gender is not None:
                    yield PerturbableWord(swap.start, swap.end, ATTRIBUTE[gender], "name")
            elif isinstance(swap.change, NounChange):
                if _with_counterpart(doc, swap) or (doc[swap.start].tag_ == "NNP" and doc[swap.start] not in bearers):
                    continue
                gender = self._noun_gender(words, swap.start)
                if gender is not None:
                    yield PerturbableWord(swap.start, swap.end, ATTRIBUTE[gender], "noun")

    def _noun_gender(self, words: list[str], at: int) -> Gender | None:
        match = self.lexicon.nouns.swap_noun(words, at)
        return match.gender if match is not None else None

    def _terms(self, doc: Doc, words: list[str]) -> Iterator[PerturbableWord]:
        at = 0
        while at < len(words):
            longest = self.demographics.starting(words, at)
            term = next((term for term in longest if self.readings.counts(doc, words, at, term)), None)
            if term is None:
                at += 1
                continue
            yield PerturbableWord(at, at + len(term.words), term.attribute, "term", term)
            at += len(term.words)

    def _ages(self, doc: Doc) -> Iterator[PerturbableWord]:
        for age in ages.find(doc):
            said = age.said is None or self.readings.may_be_aged(doc[age.said])
            if said and (age.noun is None or self.readings.is_someone(doc[age.noun])):
                yield PerturbableWord(age.start, age.end, age.group, "age")

    def _origins(self, doc: Doc, words: list[str], bearers: Bearers) -> Iterator[PerturbableWord]:
        """First names most of whose bearers are of one race or ethnicity; San Diego and Chad are places."""
        for token in doc:
            origin = self.demographics.origins.get(token.lower_)
            if origin is not None and token in bearers and is_first_name(token, words, self.lexicon):
                yield PerturbableWord(token.i, token.i + 1, origin.attribute, "name")


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
    for mention in sorted(mentions, key=lambda one: (one.start - one.end, one.start)):
        if not any(
            one.axis == mention.axis and one.start < mention.end and mention.start < one.end for one in disjoint
        ):
            disjoint.append(mention)
    return sorted(disjoint, key=lambda one: (one.start, one.end, one.axis))
