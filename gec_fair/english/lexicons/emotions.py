"""The emotions that words express, and whether words speak well or ill (`lexicons/emotions.tsv`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory
from gec_fair.errors import InputError

EKMAN = ("joy", "sadness", "fear", "surprise", "anger", "disgust")
POLARITY = ("positive", "negative")
COLUMNS = ("word", "emotions")

Emotions = Mapping[str, frozenset[str]]
"""Lower-cased word → members of `EKMAN` and `POLARITY` that it expresses; the set may be empty."""


def table_path() -> Path:
    """The shipped table, for digests of what a classifier was made from."""
    return shipped_directory() / "emotions.tsv"


@cache
def load_emotions() -> Emotions:
    """The shipped table. InputError with file and line for a row with an unknown emotion."""
    return dict(map(parse_emotions, read_table(table_path(), COLUMNS)))


def parse_emotions(row: Row) -> tuple[str, frozenset[str]]:
    """The word of one row and what it expresses. InputError with file and line for an empty or unknown cell."""
    word, cell = row.cells
    emotions = frozenset(cell.split(","))
    if not word:
        raise InputError(f"{row.where}: the row has no word; fill the first cell")
    if unknown := sorted(emotions.difference(EKMAN, POLARITY)):
        known = ", ".join((*EKMAN, *POLARITY))
        raise InputError(f"{row.where}: {unknown[0]!r} is none of {known}; correct the cell")
    return word, emotions
