"""Slurs (`lexicons/slurs.tsv`): looked for in texts, never written. The file has them in ROT13; so has this module,
but for the words that `load` and `find` hand to code that searches with them.

    term    plural   group            source      licence
    ROT13   ROT13    disabled people  HateCheck   CC BY 4.0
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory
from gec_fair.errors import InputError

_WORD = re.compile(r"[^\W_]+|-")
COLUMNS = ("term", "plural", "group", "source", "licence")


@dataclass(frozen=True, slots=True)
class Slur:
    """`words`: decoded lower-case tokens of one number; `group`: whom it is said of; `line`: its row in the table."""

    words: tuple[str, ...]
    plural: bool
    group: str
    source: str
    licence: str
    line: int

    def __repr__(self) -> str:
        """Without the words, for messages and logs."""
        return f"Slur(slurs.tsv:{self.line}, {self.group})"


def table_path() -> Path:
    """The shipped table."""
    return shipped_directory() / "slurs.tsv"


@cache
def load() -> tuple[Slur, ...]:
    """The shipped slurs, in the order of their rows. InputError for the first row that is wrong."""
    return tuple(slur for row in read_table(table_path(), COLUMNS) for slur in parse(row))


def parse(row: Row) -> list[Slur]:
    """A row's slur in both numbers. InputError, which does not quote the words, for one that lacks a cell."""
    term, plural, group, source, licence = row.cells
    if not all((term, group, source, licence)):
        raise InputError(f"{row.where}: lacks term, group, source or licence; each slur needs all four")
    if term != term.lower() or plural != plural.lower():
        raise InputError(f"{row.where}: the slur is not all lower case; slurs are compared in lower case")
    forms = [(term, False), *([(plural, True)] if plural else [])]
    return [Slur(tuple(decode(form).split()), is_plural, group, source, licence, row.line) for form, is_plural in forms]


def decode(text: str) -> str:
    """ROT13, which is its own inverse."""
    return codecs.decode(text, "rot13")


def find(words: Sequence[str]) -> Iterator[tuple[int, Slur]]:
    """The slurs of a tokenised text with the token where each starts."""
    lower = [word.lower() for word in words]
    for at in range(len(lower)):
        for slur in load():
            if tuple(lower[at : at + len(slur.words)]) == slur.words:
                yield at, slur


def rows_in(text: str) -> frozenset[int]:
    """The rows of the table, by line, whose slur is in a text that is not parsed: in any number, as any part of
    speech."""
    return frozenset(slur.line for _, slur in find(_WORD.findall(text)))
