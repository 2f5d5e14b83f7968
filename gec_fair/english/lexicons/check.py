"""Faults of the shipped word lists, verb pairs, emotions, identities, slurs and aligned groups, all at once; each names
file, line and remedy. A slur is named by its row alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gec_fair.english.lexicons import agreement, emotions, slurs, word_lists
from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory
from gec_fair.errors import InputError

IDENTITY_COLUMNS = ("category", "subgroup", "slot", "term", "note")
IDENTITY_SLOTS = frozenset(
    "adjective person people woman women faith place places book leader leaders sister sisters hatred prejudice feast "
    "fast dress dresses food-law state pairing parents his-partner his-unwed-partner his-future-partner his-ex-partner "
    "his-unwed-ex-partner her-partner her-unwed-partner her-future-partner her-ex-partner her-unwed-ex-partner rite "
    "symbol figure custom role other-meaning".split()
)
ASSOCIATION_COLUMNS = ("category", "subgroup", "kind", "terms", "note")
ASSOCIATION_KINDS = ("history", "belief", "body", "prejudice", "law")
_SUBGROUP_COLUMNS = ("category", "subgroup", "also")


def shared_tables() -> list[Path]:
    """The tables that `shared_table_faults` checks."""
    return [
        *word_lists.table_paths(),
        word_lists.noise_groups_path(),
        agreement.table_path(),
        emotions.table_path(),
        identities_path(),
        associations_path(),
        slurs.table_path(),
    ]


def identities_path() -> Path:
    """The table of the terms of identities."""
    return shipped_directory() / "identities.tsv"


def associations_path() -> Path:
    """The table of what goes with an identity."""
    return shipped_directory() / "associations.tsv"


def shared_table_faults() -> Iterator[str]:
    """What is wrong with the rows of the shipped tables; their comments are not looked at."""
    yield from word_lists.word_list_faults(word_lists.table_paths())
    yield from word_lists.word_list_faults([word_lists.noise_groups_path()])
    yield from _row_faults(agreement.table_path(), agreement.COLUMNS, agreement.parse_agreement)
    yield from _row_faults(emotions.table_path(), emotions.COLUMNS, emotions.parse_emotions)
    yield from _identity_faults()
    yield from _association_faults()
    yield from _slur_faults()


def shared_table_counts() -> dict[str, int]:
    """How many lists, words, verb pairs and words of emotion the shipped tables have; a broken table counts as 0."""
    lists = _rows(word_lists.table_paths(), word_lists.COLUMNS)
    return {
        "word lists": len({row.cells[0] for row in lists}),
        "listed words": sum(len(row.cells[1].split()) for row in lists),
        "agreeing verb forms": len(_rows([agreement.table_path()], agreement.COLUMNS)),
        "words of emotion": len(_rows([emotions.table_path()], emotions.COLUMNS)),
        "terms of identities": len(_rows([identities_path()], IDENTITY_COLUMNS)),
        "slurs": len(_rows([slurs.table_path()], slurs.COLUMNS)),
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


def _known_subgroups() -> set[tuple[str, ...]]:
    return {row.cells[:2] for row in _rows([shipped_directory() / "subgroups.tsv"], _SUBGROUP_COLUMNS)}


def _association_faults() -> Iterator[str]:
    known = _known_subgroups()
    try:
        rows = read_table(associations_path(), ASSOCIATION_COLUMNS)
    except InputError as fault:
        yield str(fault)
        return
    for row in rows:
        category, subgroup, kind, terms, _ = row.cells
        if (category, subgroup) not in known:
            yield f"{row.where}: subgroups.tsv has no {category}: {subgroup}; correct the name, or add it there"
        if kind not in ASSOCIATION_KINDS:
            yield f"{row.where}: {kind!r} is not a kind; choose from {', '.join(ASSOCIATION_KINDS)}"
        if not terms or any(not term.strip(" *") or term != term.lower() for term in terms.split("|")):
            yield f"{row.where}: a term is empty or not all lower case; terms are separated by |"


def _identity_faults() -> Iterator[str]:
    known = _known_subgroups()
    first: dict[tuple[str, ...], Row] = {}
    try:
        rows = read_table(identities_path(), IDENTITY_COLUMNS)
    except InputError as fault:
        yield str(fault)
        return
    for row in rows:
        category, subgroup, slot, term, _ = row.cells
        if (category, subgroup) not in known:
            yield f"{row.where}: subgroups.tsv has no {category}: {subgroup}; correct the name, or add it there"
        if slot not in IDENTITY_SLOTS:
            yield f"{row.where}: {slot!r} is not a slot; choose from {', '.join(sorted(IDENTITY_SLOTS))}"
        if not term:
            yield f"{row.where}: the term is empty; fill it, or remove the row"
        if (earlier := first.setdefault(row.cells[:4], row)) is not row:
            yield f"{row.where}: {term!r} stands also in line {earlier.line}; remove one"


def _slur_faults() -> Iterator[str]:
    lines: dict[tuple[str, ...], int] = {}
    try:
        rows = read_table(slurs.table_path(), slurs.COLUMNS)
    except InputError as fault:
        yield str(fault)
        return
    for row in rows:
        try:
            entries = slurs.parse(row)
        except InputError as fault:
            yield str(fault)
            continue
        for slur in entries:
            if (line := lines.setdefault(slur.words, row.line)) != row.line:
                yield f"{row.where}: the slur stands also in line {line}; remove one"


def _rows(paths: Sequence[Path], columns: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for path in paths:
        try:
            rows += read_table(path, columns)
        except InputError:
            continue
    return rows
