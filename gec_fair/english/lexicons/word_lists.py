"""Closed lists of English words, by name: `word_list("coordinators")` is the set of the words that a linguist listed.

    list            words       note
    coordinators    or and / &  his or her own car
    copula_forms    am is are was were be been being 's 're 'm

The tables lie in `lexicons/closed/`. Words are separated by spaces; `_` joins the words of one expression. A list may
have several rows, so that an odd word has its own note. A list's name occurs in one table only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from gec_fair.english.lexicons.tables import Row, read_table, rows_of, shipped_directory
from gec_fair.errors import InputError

COLUMNS = ("list", "words", "note")
TABLES = (
    "determiners_and_pronouns.tsv",
    "verbs.tsv",
    "small_words.tsv",
    "people_and_places.tsv",
    "ages.tsv",
    "unisex_names.tsv",
)


def word_list(name: str) -> frozenset[str]:
    """The words of a list as a set. InputError for a name that no table has."""
    return frozenset(ordered_words(name))


def ordered_words(name: str) -> tuple[str, ...]:
    """The words of a list in the order of its rows. InputError for a name that no table has."""
    lists = _read_shipped()
    if name not in lists:
        from gec_fair.config.suggest import closest

        folder = directory()
        raise InputError(
            f"{folder}: no word list is called {name!r}{closest(name, lists)}; add its row to a table there"
        )
    return lists[name]


def directory() -> Path:
    """The folder of the shipped word lists."""
    return shipped_directory() / "closed"


def table_paths() -> list[Path]:
    """The tables of the shipped word lists, in the order in which they are read."""
    return [directory() / name for name in TABLES]


def noise_groups_path() -> Path:
    """The table whose lists are the closed groups of words in `gec_fair/gec/noise`, by the names that its rates use."""
    return shipped_directory() / "noise" / "groups.tsv"


def read_word_lists(path: Path) -> dict[str, tuple[str, ...]]:
    """The lists of one table in its order; an empty cell of words is an empty list. InputError with file, line and
    remedy for the first row that is wrong."""
    return _merge(read_table(path, COLUMNS))


def word_list_faults(paths: Sequence[Path]) -> list[str]:
    """Each wrong row of several tables as a sentence that begins with file:line; the tables share one set of names."""
    faults: list[str] = []
    rows = [row for path in paths for row in rows_of(path, COLUMNS, faults)]
    return faults + list(_row_faults(rows))


@cache
def _read_shipped() -> Mapping[str, tuple[str, ...]]:
    return _merge([row for path in table_paths() for row in read_table(path, COLUMNS)])


def _merge(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    paths: dict[str, Path] = {}
    for row in rows:
        name = row.cells[0]
        lists[name] = lists.get(name, ()) + _words(row)
        if not name or paths.setdefault(name, row.path) is not row.path or len(set(lists[name])) < len(lists[name]):
            raise InputError(next(_row_faults(rows)))
    return lists


def _words(row: Row) -> tuple[str, ...]:
    cell = row.cells[1]
    words = cell.split()
    return tuple(word.replace("_", " ") for word in words) if "_" in cell else tuple(words)


def _row_faults(rows: Sequence[Row]) -> Iterator[str]:
    tables: dict[str, Row] = {}
    lines: dict[tuple[str, str], Row] = {}
    for row in rows:
        name = row.cells[0]
        if not name:
            yield f"{row.where}: the list has no name; fill the first cell"
            continue
        first = tables.setdefault(name, row)
        if first.path is not row.path:
            yield f"{row.where}: the list {name!r} is in {first.where} already; rename one, or move its rows there"
            continue
        for word in _words(row):
            earlier = lines.setdefault((name, word), row)
            if earlier is not row:
                yield f"{row.where}: {word!r} is in {name!r} already, by line {earlier.line}; remove one"
        if len(set(_words(row))) < len(_words(row)):
            twice = next(word for word in _words(row) if _words(row).count(word) > 1)
            yield f"{row.where}: {twice!r} is twice in this row of {name!r}; remove one"
