"""How sure a rewriting is of whom it means: the probability that a reader finds it clean.

    Ada lost her keys .            Ada is surely a first name, and *her* surely a possessive
    Leo in 2005 - Abundance        Leo is alone, and nothing says who he is

It is a logistic regression on what the reader of people says of the words that change and of those that stay, and on
the text. `training/people/fit_sure.py` fits it on rewritings that were read; its reliability: docs/concepts/people.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log, log1p
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.corpus.outcome import Sure
from gec_fair.edits import Edit, edited_places
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import COMMON_NOUNS, FINITE_VERBS, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import forms_of
from gec_fair.people import reader
from gec_fair.people.first_names import likelihoods
from gec_fair.people.reader import GENDERS, KINDS, SOMEBODY

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("sure.tsv")
_SOMEBODY = [KINDS.index(kind) for kind in SOMEBODY]
_NOBODYS = GENDERS.index(None)
_ANIMALS = word_list("animals_called_he_or_she") | word_list("words_of_keeping_animals")
_LIKELY = 0.5
_LEAST = 1e-4
"""The least probability that counts as one."""
_MARKS = frozenset('"“”:;') | {"``", "''"}


@dataclass(frozen=True)
class Change:
    """A tagged text, and the places of its words that change."""

    doc: Doc
    lexicon: Lexicon
    names: Sequence[int] = ()
    nouns: Sequence[int] = ()
    pronouns: Sequence[int] = ()

    @classmethod
    def from_edits(cls, doc: Doc, lexicon: Lexicon, edits: Iterable[Edit]) -> Change:
        """What edits change of a tagged text; a proper noun counts as a name."""
        words = [doc[at] for at in sorted(edited_places(edits))]
        names = [word.i for word in words if word.tag_ in PROPER_NOUNS]
        pronouns = [word.i for word in words if word.i not in names and forms_of(word.lower_)]
        nouns = [word.i for word in words if word.tag_ in COMMON_NOUNS and word.i not in pronouns]
        return cls(doc, lexicon, names, nouns, pronouns)

    @cached_property
    def places(self) -> frozenset[int]:
        """Of all words that change."""
        return frozenset((*self.names, *self.nouns, *self.pronouns))

    @cached_property
    def reading(self) -> reader.Reading:
        """What the reader says of the text."""
        return reader.read(self.doc)

    @cached_property
    def somebody(self) -> Sequence[float]:
        """How likely each word stands for a person."""
        likely: list[float] = self.reading.kinds[:, _SOMEBODY].sum(axis=1).tolist()
        return likely

    @cached_property
    def first_names(self) -> Mapping[int, float]:
        """How likely each word is a first name."""
        return likelihoods(self.doc, range(len(self.doc)))

    def is_beside_a_name(self, at: int, *steps: int) -> bool:
        """Whether a word beside another has a capital and likely stands for a person."""
        places = [at + step for step in steps if 0 <= at + step < len(self.doc)]
        return any(
            self.doc[i].is_alpha and self.doc[i].text[:1].isupper() and self.somebody[i] > _LIKELY for i in places
        )


def _most(numbers: Iterable[float]) -> float:
    return max(map(float, numbers), default=0.0)


def _surprise(probability: float) -> float:
    return -log(max(probability, _LEAST))


def _form(change: Change, at: int) -> float:
    return _surprise(reader.certainty_of_form(change.doc, at)) if len(forms_of(change.doc[at].lower_)) > 1 else 0.0


def _names_that_stay(change: Change) -> float:
    return _most(
        likely
        for at, likely in change.first_names.items()
        if at not in change.places and change.doc[at].text[:1].isupper()
    )


def _nouns_that_stay(change: Change) -> float:
    nouns = change.lexicon.nouns
    return _most(
        change.somebody[token.i]
        for token in change.doc
        if token.i not in change.places and ((token.lower_,) in nouns.terms or (token.lower_,) in nouns.titles)
    )


def _antecedents_that_stay(change: Change) -> float:
    def likely(at: int) -> float:
        start, row = change.reading.links[at]
        places = range(start, start + len(row) - 1)
        return float(
            sum(row[i - start] for i in places if i not in change.places and not forms_of(change.doc[i].lower_))
        )

    return _most(map(likely, change.pronouns))


def _capitals(change: Change) -> float:
    words = [token.text for token in change.doc if token.is_alpha]
    return sum(word[0].isupper() for word in words) / max(1, len(words))


INPUTS: Mapping[str, tuple[Callable[[Change], float], str]] = {
    "name": (lambda c: _most(_surprise(c.first_names[at]) for at in c.names), "a name may not be a first name"),
    "alone": (lambda c: _most(not c.is_beside_a_name(at, -1, 1) for at in c.names), "a name stands alone"),
    "followed": (lambda c: _most(c.is_beside_a_name(at, 1) for at in c.names), "a surname stays"),
    "surname": (
        lambda c: _most(c.lexicon.names.is_surname(c.doc[at].text) for at in c.names),
        "a name is a surname too",
    ),
    "unlisted": (
        lambda c: _most(c.doc[at].lower_ not in c.lexicon.names.entries for at in c.names),
        "no table has a name",
    ),
    "noun": (lambda c: _most(_surprise(c.somebody[at]) for at in c.nouns), "a noun may not stand for a person"),
    "form": (lambda c: _most(_form(c, at) for at in c.pronouns), "her or his may be another form"),
    "other": (lambda c: _most(c.reading.genders[at, _NOBODYS] for at in c.pronouns), "he or she may be no person"),
    "animal": (
        lambda c: float(bool(c.pronouns) and not _ANIMALS.isdisjoint(token.lower_ for token in c.doc)),
        "there are animals",
    ),
    "nobody": (lambda c: float(bool(c.pronouns) and max(c.somebody) < _LIKELY), "nobody is named"),
    "pronouns": (lambda c: float(not c.names and not c.nouns), "only pronouns say who it is"),
    "names left": (_names_that_stay, "another name may be a first name"),
    "nouns left": (_nouns_that_stay, "a gendered noun stays"),
    "antecedent": (_antecedents_that_stay, "he or she may be somebody whose name stays"),
    "capitals": (_capitals, "many words have a capital"),
    "verb": (lambda c: float(not any(token.tag_ in FINITE_VERBS for token in c.doc)), "there is no sentence"),
    "marks": (lambda c: float(any(token.text in _MARKS for token in c.doc)), "there are quotation marks or colons"),
    "words": (lambda c: log1p(len(c.doc)), "the text is long"),
    "unknown": (
        lambda c: float(np.mean([not is_word(t.lower_) for t in c.doc if t.is_alpha] or [False])),
        "many words are unknown",
    ),
    "changes": (lambda c: log1p(len(c.places)), "many words change"),
}
"""What counts, and how `explain` says it."""


@cache
def weights() -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """By method and input: the weight, and the value that neither raises nor lowers the probability."""
    rows = read_table(WEIGHTS, ("method", "input", "weight", "middle"))
    table: dict[str, dict[str, tuple[float, float]]] = {}
    for row in rows:
        method, name, weight, middle = row.cells
        table.setdefault(method, {})[name] = (float(weight), float(middle))
    return table


def sure_of(change: Change, method: str) -> Sure:
    """How sure a change is."""
    parts = {
        name: weight if name == "always" else weight * (INPUTS[name][0](change) - middle)
        for name, (weight, middle) in weights()[method].items()
    }
    lowest = min((name for name in parts if name != "always"), key=parts.__getitem__)
    kind = "name" if change.names else "noun" if change.nouns else "pronoun"
    return Sure(round(1 / (1 + exp(-sum(parts.values()))), 3), INPUTS[lowest][1], kind)
