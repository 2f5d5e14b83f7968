"""The words that say of a person which race, ethnicity or age they are of, and what they become (`lexicons/`).

demographics.tsv   term, plural, axis, attribute, reading
targets.tsv        attribute → the adjective, noun and plural that stand for it
neutral.tsv        gendered word → neutral one
grown.tsv          boy ↔ man
origins.tsv        first name or surname → the race or ethnicity that most of its bearers are of
peoples.tsv        race → the peoples that a nationality becomes
countries_of_names.tsv    name → the country that first names and surnames must share

A user's demographics.tsv and targets.tsv are laid over ours: they add terms, attributes and axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.english.lexicons.lexicon import user_directory
from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory, term_tokens
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.errors import InputError
from gec_fair.people.terms.axes import RACE, SHIPPED, WITHOUT_A_STATE, Axes, is_unstated
from gec_fair.people.terms.names import without_accents

if TYPE_CHECKING:
    from spacy.tokens import Doc

READINGS = ("person", "adjective", "old", "people")
TERM_COLUMNS = ("term", "plural", "axis", "attribute", "reading", "note")
TARGET_COLUMNS = ("attribute", "adjective", "noun", "plural")
PEOPLE_COLUMNS = (*TARGET_COLUMNS, "names")
COUNTRY_COLUMNS = ("name", "country")
_COUNTRIES = ordered_words("peoples_and_countries")
COUNTRY_OF = dict(zip(_COUNTRIES[::2], _COUNTRIES[1::2], strict=True))
"""A people's word → its country, where the two share few letters."""
_RACES = word_list("words_of_a_race")
_COMPOUNDS = ("american", "americans", "skinned", "born")
"""Ends of words that say a race or a descent: *Korean-American, dark-skinned*."""
_NEUTRAL = ("word", "neutral", "plural")
_GROWN = ("young", "young_plural", "grown", "grown_plural")
ORIGIN_COLUMNS = ("name", "attribute", "gender", "share", "written")


@dataclass(frozen=True, slots=True)
class Term:
    """A term in one number, as lower-cased tokens; `reading`: what it must be in its text to be about a person."""

    words: tuple[str, ...]
    attribute: str
    reading: str
    plural: bool
    axis: str


@dataclass(frozen=True, slots=True)
class PerturbableWord:
    """A perturbable word at tokens `start` to `end` (half-open). `kind`: pronoun, noun, name, surname, term or age;
    `term` is the table's, of every axis but gender."""

    start: int
    end: int
    axis: str
    attribute: str
    kind: str
    term: Term | None = None

    def text(self, doc: Doc) -> str:
        """As it is written in its text."""
        return str(doc[self.start : self.end].text)


def is_of_a_race(term: Term) -> bool:
    """Whether a term of race says one itself (*white, Latino, Korean-American*); others name a people (*Korean*)."""
    words = " ".join(term.words)
    return words.rstrip("s") in _RACES or words in _RACES or words.endswith(_COMPOUNDS)


def is_of_a_state(term: Term) -> bool:
    """Whether a term names a people that has a state: *Saudi*; not *Navajo, Black*."""
    return term.axis == RACE and term.attribute not in WITHOUT_A_STATE and not is_of_a_race(term)


@dataclass(frozen=True, slots=True)
class Target:
    """How an attribute is said: *an elderly man*, *a senior*, *seniors*. `names`: the country of a people's names, or
    empty."""

    adjective: str
    noun: str
    plural: str
    names: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Most bearers of a name are of `attribute`: `share` percent. `gender` is "" for a surname."""

    name: str
    attribute: str
    gender: str
    share: float


@dataclass(frozen=True, slots=True)
class Demographics:
    """The tables. `axes`: ours and a user's; `terms`: by first token, the longest first; `neutral`: a gendered
    masculine word → (singular, plural); `grown`: *boy* → *man*, `young` the other way; `origins` (of first names) and
    `surnames`: by lower-cased name; `by_origin`: (attribute, gender) → the names that are written; `peoples`: race →
    its peoples' words; `countries`: a written name → its country, for the races whose names are of several."""

    axes: Axes
    terms: Mapping[str, tuple[Term, ...]]
    targets: Mapping[str, Target]
    neutral: Mapping[str, tuple[str, str]]
    grown: Mapping[str, str]
    young: Mapping[str, str]
    origins: Mapping[str, Origin]
    surnames: Mapping[str, Origin]
    by_origin: Mapping[tuple[str, str], Sequence[str]]
    countries: Mapping[str, str]
    peoples: Mapping[str, Sequence[Target]]

    def origin_of(self, name: str) -> Origin | None:
        """The origin of a surname, or else of a first name; `name` in lower case, accents or not."""
        plain = without_accents(name)
        return self.surnames.get(plain) or self.origins.get(plain)

    def starting(self, words: Sequence[str], at: int) -> list[Term]:
        """The terms that stand at `at`, longest first; the readings of one term are beside each other."""
        return [
            term
            for term in self.terms.get(words[at].lower(), ())
            if tuple(word.lower() for word in words[at : at + len(term.words)]) == term.words
        ]


@cache
def load(extra: str = "") -> Demographics:
    """The shipped tables, and the user's of the directory `extra`. InputError with file and line for a row that cannot
    be used; UsageError for a directory without tables."""
    shipped = shipped_directory()
    user_terms, user_targets = _read(user_directory(Path(extra))) if extra else ([], [])
    our_terms, our_targets = _read(shipped)
    axes = extend_axes(user_terms, user_targets)
    replaced = {(row.cells[0], row.cells[2]) for row in user_terms}
    rows = [*user_terms, *(row for row in our_terms if (row.cells[0], row.cells[2]) not in replaced)]
    by_first: dict[str, list[Term]] = {}
    for row in rows:
        for term in row_terms(row, axes):
            by_first.setdefault(term.words[0], []).append(term)
    terms = {
        word: tuple(sorted(word_terms, key=lambda term: -len(term.words))) for word, word_terms in by_first.items()
    }
    targets = {row.cells[0]: row_target(row) for row in (*our_targets, *user_targets)}
    neutral = {row.cells[0]: (row.cells[1], row.cells[2]) for row in read_table(shipped / "neutral.tsv", _NEUTRAL)}
    grown_rows = [row.cells for row in read_table(shipped / "grown.tsv", _GROWN)]
    pairs = [(young, grown) for row in grown_rows for young, grown in (row[::2], row[1::2])]
    grown, young = dict(reversed(pairs)), {old: new for new, old in reversed(pairs)}
    named = [row.cells for row in read_table(shipped / "origins.tsv", ORIGIN_COLUMNS)]
    origins = [Origin(name, attribute, gender, float(share)) for name, attribute, gender, share, _ in named]
    by_origin: dict[tuple[str, str], list[str]] = {}
    for name, attribute, gender, _, is_written in named:
        if is_written:
            by_origin.setdefault((attribute, gender), []).append(name)
    peoples: dict[str, list[Target]] = {}
    for row in read_table(shipped / "peoples.tsv", PEOPLE_COLUMNS):
        attribute, adjective, noun, plural, names = row.cells
        peoples.setdefault(attribute, []).append(Target(adjective, noun, plural, names))
    first = {origin.name.lower(): origin for origin in origins if origin.gender}
    last = {origin.name.lower(): origin for origin in origins if not origin.gender}
    countries = {row.cells[0]: row.cells[1] for row in read_table(shipped / "countries_of_names.tsv", COUNTRY_COLUMNS)}
    return Demographics(axes, terms, targets, neutral, grown, young, first, last, by_origin, countries, peoples)


@cache
def load_axes(extra: str = "") -> Axes:
    """The axes alone, without the terms: ours, and those of the directory `extra`. Raises as `load` does."""
    return extend_axes(*_read(user_directory(Path(extra)))) if extra else SHIPPED


def _read(folder: Path) -> tuple[list[Row], list[Row]]:
    """The rows of the terms and of the targets; none where the folder has no such table."""

    def rows(name: str, columns: Sequence[str]) -> list[Row]:
        return read_table(folder / name, columns) if (folder / name).is_file() else []

    return rows("demographics.tsv", TERM_COLUMNS), rows("targets.tsv", TARGET_COLUMNS)


def extend_axes(terms: Sequence[Row], targets: Sequence[Row]) -> Axes:
    """Our axes with those of a user's rows. An attribute with a row in targets.tsv is one that words may become; one
    without is only said. InputError with file and line for a target that no term says."""
    axis_of = {row.cells[3]: row.cells[2] for row in reversed(terms)}
    for row in targets:
        if row.cells[0] not in axis_of and not SHIPPED.has(row.cells[0]):
            raise InputError(
                f"{row.where}: no term has the attribute {row.cells[0]!r}; add a row of it to demographics.tsv"
            )
    named = [row.cells[0] for row in targets if row.cells[0] in axis_of]
    said = {attribute: axis for attribute, axis in axis_of.items() if not SHIPPED.has(attribute)}
    return SHIPPED.extend([(axis_of[name], name) for name in named if not SHIPPED.has(name)], said)


def row_target(row: Row) -> Target:
    """How a row says an attribute. InputError with file and line for one that lacks a form."""
    attribute, adjective, noun, plural = row.cells
    if not all(row.cells):
        raise InputError(f"{row.where}: {attribute!r} lacks its adjective, noun or plural; fill in all columns")
    return Target(adjective, noun, plural)


def row_terms(row: Row, axes: Axes) -> list[Term]:
    """The terms of a row in both numbers and in all tokenisations. InputError with file and line for a row that cannot
    be used."""
    term, plural, axis, attribute, reading, _ = row.cells
    if not all((term, axis, attribute)) or is_unstated(attribute):
        raise InputError(f"{row.where}: a row needs a term, an axis and an attribute; fill them in")
    if reading not in READINGS:
        raise InputError(f"{row.where}: reading is one of {', '.join(READINGS)}, not {reading!r}; correct it")
    if not axes.has(attribute) or axes.axis_of(attribute) != axis:
        raise InputError(
            f"{row.where}: {attribute!r} is an attribute of another axis than {axis!r}; correct one of them"
        )
    many = reading == "people"
    forms = [(term_tokens(form), is_many) for form, is_many in ((term, many), (plural, True)) if form]
    written = [Term(tokens[0], attribute, reading, is_many, axis) for tokens, is_many in forms]
    return written + [
        Term(tokens[1], attribute, reading, is_many, axis) for tokens, is_many in forms if len(tokens) > 1
    ]
