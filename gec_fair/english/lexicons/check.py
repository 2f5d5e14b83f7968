"""Faults of the shipped word lists, verb pairs, emotions, identities, slurs and aligned groups, all at once; each names
file, line and remedy. A slur is named by its row alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from gec_fair.english.lexicons import agreement, emotions, slurs, word_lists
from gec_fair.english.lexicons.tables import find_repeated, parse_rows, rows_of, shipped_directory

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


def shared_table_faults() -> list[str]:
    """What is wrong with the rows of the shipped tables; their comments are not looked at."""
    faults = word_lists.word_list_faults(word_lists.table_paths())
    faults += word_lists.word_list_faults([word_lists.noise_groups_path()])
    for path, columns, parse in (
        (agreement.table_path(), agreement.COLUMNS, agreement.parse_agreement),
        (emotions.table_path(), emotions.COLUMNS, emotions.parse_emotions),
    ):
        rows = rows_of(path, columns, faults)
        parse_rows(rows, parse, faults)
        lines = Counter(row.cells[0] for row in rows)
        twice = [(row, lines[row.cells[0]]) for row in rows if lines[row.cells[0]] > 1]
        faults += [f"{row.where}: {row.cells[0]!r} has {number} rows; keep one" for row, number in twice]
    faults += _identity_faults()
    faults += _slur_faults()
    return faults


def shared_table_counts() -> dict[str, int]:
    """How many lists, words, verb pairs and words of emotion the shipped tables have; a broken table counts as 0."""
    lists = [row for path in word_lists.table_paths() for row in rows_of(path, word_lists.COLUMNS, [])]
    return {
        "word lists": len({row.cells[0] for row in lists}),
        "listed words": sum(len(row.cells[1].split()) for row in lists),
        "agreeing verb forms": len(rows_of(agreement.table_path(), agreement.COLUMNS, [])),
        "words of emotion": len(rows_of(emotions.table_path(), emotions.COLUMNS, [])),
        "terms of identities": len(rows_of(identities_path(), IDENTITY_COLUMNS, [])),
        "slurs": len(rows_of(slurs.table_path(), slurs.COLUMNS, [])),
    }


def _identity_faults() -> list[str]:
    """Faults of the terms of identities, and of what goes with them."""
    faults: list[str] = []
    subgroups = rows_of(shipped_directory() / "subgroups.tsv", _SUBGROUP_COLUMNS, [])
    known = {row.cells[:2] for row in subgroups}
    identities = rows_of(identities_path(), IDENTITY_COLUMNS, faults)
    associations = rows_of(associations_path(), ASSOCIATION_COLUMNS, faults)
    for row in (*identities, *associations):
        category, subgroup = row.cells[:2]
        if (category, subgroup) not in known:
            missing = f"subgroups.tsv has no {category}: {subgroup}"
            faults.append(f"{row.where}: {missing}; correct the name, or add it there")
    for row in identities:
        _, _, slot, term, _ = row.cells
        if slot not in IDENTITY_SLOTS:
            faults.append(f"{row.where}: {slot!r} is not a slot; choose from {', '.join(sorted(IDENTITY_SLOTS))}")
        if not term:
            faults.append(f"{row.where}: the term is empty; fill it, or remove the row")
    for row, earlier in find_repeated((row, row.cells[:4]) for row in identities):
        faults.append(f"{row.where}: {row.cells[3]!r} stands also in line {earlier.line}; remove one")
    for row in associations:
        _, _, kind, terms, _ = row.cells
        if kind not in ASSOCIATION_KINDS:
            faults.append(f"{row.where}: {kind!r} is not a kind; choose from {', '.join(ASSOCIATION_KINDS)}")
        if not terms or any(not term.strip(" *") or term != term.lower() for term in terms.split("|")):
            faults.append(f"{row.where}: a term is empty or not all lower case; terms are separated by |")
    return faults


def _slur_faults() -> list[str]:
    faults: list[str] = []
    entries = parse_rows(rows_of(slurs.table_path(), slurs.COLUMNS, faults), slurs.parse, faults)
    forms = ((row, slur.words) for row, its_slurs in entries for slur in its_slurs)
    twice = find_repeated(forms)
    faults += [f"{row.where}: the slur stands also in line {earlier.line}; remove one" for row, earlier in twice]
    return faults
