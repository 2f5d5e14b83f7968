"""Aligned words of the groups of an axis (`lexicons/groups/AXIS.tsv`): what stands in one group's place of another's.

    reading    jewish    christian    muslim
    adjective  Jewish    Christian    Muslim
    any        rabbi     priest       imam

Sent-Debias of race and religion reads a sentence with the words of each group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_fair.english.lexicons.tables import Row, parsed, read_table, repeated, rows_of, shipped_directory, term_tokens
from gec_fair.errors import InputError

GROUPS: Mapping[str, tuple[str, ...]] = {
    "race": ("black", "white", "asian"),
    "religion": ("jewish", "christian", "muslim"),
}
"""Axis → groups, as Meade et al. (2022) have them."""
READINGS = ("any", "adjective", "noun", "of-people")


@dataclass(frozen=True, slots=True)
class GroupWord:
    """A form of a group, in one tokenisation. `words` are as inside a sentence; `forms`: what each group has in its
    place, of as many groups as the axis has."""

    words: tuple[str, ...]
    group: str
    reading: str
    forms: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class GroupWords:
    """An axis' table: by first lower-cased token its words, the longest first, else in the order of the rows."""

    axis: str
    by_first: Mapping[str, Sequence[GroupWord]]

    def starting(self, words: Sequence[str], at: int) -> Iterator[GroupWord]:
        """Those that stand at `at` of lower-cased tokens, whatever their reading."""
        for word in self.by_first.get(words[at], ()):
            if tuple(words[at : at + len(word.words)]) == tuple(part.lower() for part in word.words):
                yield word


def table_path(axis: str) -> Path:
    """The shipped table of an axis."""
    return shipped_directory() / "groups" / f"{axis}.tsv"


def columns(axis: str) -> tuple[str, ...]:
    """The columns of an axis' table."""
    return ("reading", *GROUPS[axis], "note")


@cache
def load(axis: str) -> GroupWords:
    """The shipped table of an axis. InputError for the first row that is wrong."""
    by_first: dict[str, list[GroupWord]] = {}
    for row in read_table(table_path(axis), columns(axis)):
        for word in parse(row, axis):
            by_first.setdefault(word.words[0].lower(), []).append(word)
    longest_first = {first: sorted(words, key=lambda word: -len(word.words)) for first, words in by_first.items()}
    return GroupWords(axis, longest_first)


def parse(row: Row, axis: str) -> list[GroupWord]:
    """A row's words, in every tokenisation. InputError for an unknown reading, or a group without a form."""
    reading, *forms, _ = row.cells
    if reading not in READINGS:
        raise InputError(f"{row.where}: reading is one of {', '.join(READINGS)}, not {reading!r}; correct it")
    if not all(forms):
        raise InputError(f"{row.where}: a group has no form; fill in all of {', '.join(GROUPS[axis])}")
    written = [term_tokens(form) for form in forms]
    return [
        GroupWord(tokens, group, reading, _in_tokenisation(n, axis, written))
        for group, tokenisations in zip(GROUPS[axis], written, strict=True)
        for n, tokens in enumerate(tokenisations)
    ]


def _in_tokenisation(n: int, axis: str, written: Sequence[Sequence[tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """Each group's form, hyphens attached (0) or apart (1)."""
    return {group: forms[min(n, len(forms) - 1)] for group, forms in zip(GROUPS[axis], written, strict=True)}


def faults(axis: str) -> list[str]:
    """What is wrong with the rows of a table: as `parse` says, and forms of two groups."""
    faults: list[str] = []
    rows = parsed(rows_of(table_path(axis), columns(axis), faults), lambda row: parse(row, axis), faults)
    for row, earlier in repeated((row, row.cells[:-1]) for row, _ in rows):
        faults.append(f"{row.where}: the row stands also in line {earlier.line}; remove one")
    groups: dict[tuple[str, ...], str] = {}
    for row, word in ((row, word) for row, words in rows for word in words):
        lower = tuple(part.lower() for part in word.words)
        if (group := groups.setdefault(lower, word.group)) != word.group:
            faults.append(f"{row.where}: {' '.join(lower)!r} is of {group} and of {word.group}; keep one")
    return faults
