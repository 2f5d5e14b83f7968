"""The words that say of a person which race, ethnicity or age they are of, and what they become (`lexicons/`).

demographics.tsv   term, plural, axis, attribute, reading
targets.tsv        attribute → the adjective, noun and plural that stand for it
neutral.tsv        gendered word → neutral one
grown.tsv          boy ↔ man
origins.tsv        first name or surname → the race or ethnicity that most of its bearers are of
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory, term_tokens
from gec_fair.errors import InputError
from gec_fair.perturber.words.axes import AXIS_OF

READINGS = ("person", "adjective", "old", "people")
_TERMS = ("term", "plural", "axis", "attribute", "reading", "note")
_TARGETS = ("attribute", "adjective", "noun", "plural")
_NEUTRAL = ("word", "neutral", "plural")
_GROWN = ("young", "young_plural", "grown", "grown_plural")
_ORIGINS = ("name", "attribute", "gender", "share")


@dataclass(frozen=True, slots=True)
class Term:
    """A term in one number, as lower-cased tokens; `reading`: what it must be in its text to be about a person."""

    words: tuple[str, ...]
    attribute: str
    reading: str
    plural: bool

    @property
    def axis(self) -> str:
        """The axis of the attribute."""
        return AXIS_OF[self.attribute]


@dataclass(frozen=True, slots=True)
class Target:
    """How an attribute is said: *an elderly man*, *a senior*, *seniors*."""

    adjective: str
    noun: str
    plural: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Most bearers of a name are of `attribute`: `share` percent. `gender` is "" for a surname."""

    name: str
    attribute: str
    gender: str
    share: float


@dataclass(frozen=True, slots=True)
class Demographics:
    """The tables. `terms`: by first token, the longest first; `neutral`: a gendered masculine word → (singular,
    plural); `grown`: *boy* → *man*, `young` the other way; `origins` (of first names), `surnames`: by lower-cased name;
    `by_origin`: (attribute, gender) → names."""

    terms: Mapping[str, tuple[Term, ...]]
    targets: Mapping[str, Target]
    neutral: Mapping[str, tuple[str, str]]
    grown: Mapping[str, str]
    young: Mapping[str, str]
    origins: Mapping[str, Origin]
    surnames: Mapping[str, Origin]
    by_origin: Mapping[tuple[str, str], Sequence[str]]

    def starting(self, words: Sequence[str], at: int) -> list[Term]:
        """The terms that stand at `at`, longest first; the readings of one term are beside each other."""
        return [
            term
            for term in self.terms.get(words[at].lower(), ())
            if tuple(word.lower() for word in words[at : at + len(term.words)]) == term.words
        ]


@cache
def load() -> Demographics:
    """The shipped tables. InputError with file and line for a row that cannot be meant."""
    folder = shipped_directory()
    by_first: dict[str, list[Term]] = {}
    for row in read_table(folder / "demographics.tsv", _TERMS):
        for term in _terms(row):
            by_first.setdefault(term.words[0], []).append(term)
    terms = {
        word: tuple(sorted(word_terms, key=lambda term: -len(term.words))) for word, word_terms in by_first.items()
    }
    targets = {row.cells[0]: Target(*row.cells[1:]) for row in read_table(folder / "targets.tsv", _TARGETS)}
    neutral = {row.cells[0]: (row.cells[1], row.cells[2]) for row in read_table(folder / "neutral.tsv", _NEUTRAL)}
    rows = [row.cells for row in read_table(folder / "grown.tsv", _GROWN)]
    pairs = [(young, grown) for row in rows for young, grown in (row[::2], row[1::2])]
    grown, young = dict(reversed(pairs)), {old: new for new, old in reversed(pairs)}
    origins = [
        Origin(name, attribute, gender, float(share))
        for name, attribute, gender, share in (r.cells for r in read_table(folder / "origins.tsv", _ORIGINS))
    ]
    by_origin: dict[tuple[str, str], list[str]] = {}
    for origin in origins:
        by_origin.setdefault((origin.attribute, origin.gender), []).append(origin.name)
    first = {origin.name.lower(): origin for origin in origins if origin.gender}
    last = {origin.name.lower(): origin for origin in origins if not origin.gender}
    return Demographics(terms, targets, neutral, grown, young, first, last, by_origin)


def _terms(row: Row) -> list[Term]:
    term, plural, axis, attribute, reading, _ = row.cells
    if AXIS_OF.get(attribute) != axis or reading not in READINGS or not term:
        raise InputError(
            f"{row.where}: {attribute!r} of {axis!r} read as {reading!r} is none that is known; correct it"
        )
    many = reading == "people"
    forms = [(term_tokens(form), is_many) for form, is_many in ((term, many), (plural, True)) if form]
    written = [Term(tokens[0], attribute, reading, is_many) for tokens, is_many in forms]
    return written + [Term(tokens[1], attribute, reading, is_many) for tokens, is_many in forms if len(tokens) > 1]
