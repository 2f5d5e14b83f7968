"""Faults of the shipped word lists, verb pairs and emotions, all at once; each names file, line and remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gec_fair.english.lexicons import agreement, emotions, word_lists
from gec_fair.english.lexicons.tables import Row, read_table
from gec_fair.errors import InputError


def shared_tables() -> list[Path]:
    """The tables that `shared_table_faults` checks."""
    return [*word_lists.table_paths(), word_lists.noise_groups_path(), agreement.table_path(), emotions.table_path()]


def shared_table_faults() -> Iterator[str]:
    """What is wrong with the rows of the shipped tables; their comments are not looked at."""
    yield from word_lists.word_list_faults(word_lists.table_paths())
    yield from word_lists.word_list_faults([word_lists.noise_groups_path()])
    yield from _row_faults(agreement.table_path(), agreement.COLUMNS, agreement.parse_agreement)
    yield from _row_faults(emotions.table_path(), emotions.COLUMNS, emotions.parse_emotions)


def shared_table_counts() -> dict[str, int]:
    """How many lists, words, verb pairs and words of emotion the shipped tables have; a broken table counts as 0."""
    lists = _rows(word_lists.table_paths(), word_lists.COLUMNS)
    return {
        "word lists": len({row.cells[0] for row in lists}),
        "listed words": sum(len(row.cells[1].split()) for row in lists),
        "agreeing verb forms": len(_rows([agreement.table_path()], agreement.COLUMNS)),
        "words of emotion": len(_rows([emotions.table_path()], emotions.COLUMNS)),
    }


def _row_faults(path: Path, columns: Sequence[str], parse: Callable[[Row], object]) -> Iterator[str]:
    try:
        rows = read_table(path, columns)
    except InputError as fault:
        yield str(fault)
        return
    for row in rows:
        try:
            parse(row)
        except InputError as fault:
            yield str(fault)
    lines = Counter(row.cells[0] for row in rows)
    for row in rows:
        if lines[row.cells[0]] > 1:
            yield f"{row.where}: {row.cells[0]!r} has {lines[row.cells[0]]} rows; keep one"


def _rows(paths: Sequence[Path], columns: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for path in paths:
        try:
            rows += read_table(path, columns)
        except InputError:
            continue
    return rows
