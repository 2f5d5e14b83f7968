"""Are the tables of race and age, and a user's own, what the rules rely on? Every fault is found at once.

demographics   every reading is known; an attribute is of one axis; no term has two rows of one axis and reading
targets        every attribute has its adjective, noun and plural, and a term that says it
peoples        the words of a people are terms of its attribute, so that what was written can be rewritten again
countries_of_names    a name is one that is written, and the countries of peoples' names have some
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from gec_fair.english.lexicons.lexicon import DEMOGRAPHIC_TABLES
from gec_fair.english.lexicons.lexicon_check import Report, header_faults
from gec_fair.english.lexicons.tables import Row, axes_directory, parse_rows, read_table, rows_of, shipped_directory
from gec_fair.errors import InputError
from gec_fair.people.terms.axes import SHIPPED, Axes
from gec_fair.people.terms.lexicon import (
    COUNTRY_COLUMNS,
    ORIGIN_COLUMNS,
    PEOPLE_COLUMNS,
    TARGET_COLUMNS,
    TERM_COLUMNS,
    extend_axes,
    row_target,
    row_terms,
)

COLUMNS = dict(zip(DEMOGRAPHIC_TABLES, (TERM_COLUMNS, TARGET_COLUMNS), strict=True))


def check(directory: Path | None = None) -> Report:
    """Check the two tables of `directory`, or the one that it is (None: the shipped ones). Without either the report is
    empty."""
    place = directory or shipped_directory()
    folder, names = (place.parent, {place.name}) if place.is_file() else (place, {*COLUMNS})
    paths = [folder / name for name in COLUMNS if (folder / name).is_file()]
    faults: list[str] = []
    rows = {path.name: rows_of(path, COLUMNS[path.name], faults) for path in paths}
    terms, targets = (rows.get(name, []) for name in DEMOGRAPHIC_TABLES)
    faults += [fault for path in paths for fault in header_faults(path)]
    axes = SHIPPED
    try:
        axes = extend_axes(terms, targets) if directory else SHIPPED
    except InputError as fault:
        faults.append(str(fault))
    parse_rows(terms, lambda row: row_terms(row, axes), faults)
    parse_rows(targets, row_target, faults)
    faults += _find_repeated(terms)
    if directory is None:
        faults += _missing_targets(targets, axes)
        peoples = read_table(place / "peoples.tsv", PEOPLE_COLUMNS)
        faults += _unlisted_peoples(peoples, terms)
        origins = read_table(place / "origins.tsv", ORIGIN_COLUMNS)
        faults += _unwritten_names(read_table(place / "countries_of_names.tsv", COUNTRY_COLUMNS), peoples, origins)
    counts = {
        "demographics.tsv": ("terms of race, age and other axes", len({(row.cells[0], row.cells[2]) for row in terms})),
        "targets.tsv": ("attributes", len(targets)),
    }
    return Report(
        tuple(fault for fault in dict.fromkeys(faults) if directory is None or fault.partition(":")[0] in names),
        dict(count for name, count in counts.items() if name in names.intersection(rows)),
    )


def check_axes() -> Report:
    """Check the shipped tables of further axes (`lexicons/axes`), as those of a user are checked."""
    report = check(axes_directory())
    terms, attributes = report.counts.values()
    faults = tuple(f"axes/{fault}" for fault in report.faults)
    return Report(faults, {"terms of further axes": terms, "attributes of further axes": attributes})


def _find_repeated(rows: Sequence[Row]) -> Iterator[str]:
    lines = Counter((row.cells[0], row.cells[2], row.cells[4]) for row in rows)
    for row in rows:
        if (number := lines[row.cells[0], row.cells[2], row.cells[4]]) > 1:
            yield f"{row.where}: {row.cells[0]!r} has {number} rows of one axis and reading; keep one"


def _missing_targets(rows: Sequence[Row], axes: Axes) -> Iterator[str]:
    attributes = {row.cells[0] for row in rows}
    for axis in axes.names:
        for name in axes.attributes[axis]:
            if name not in attributes:
                yield f"targets.tsv:1: {name!r} of {axis} has no row; add one"


def _unlisted_peoples(peoples: Sequence[Row], terms: Sequence[Row]) -> Iterator[str]:
    listed = {(word, row.cells[3]) for row in terms for word in row.cells[:2]}
    for row in peoples:
        attribute, *words, _ = row.cells
        for word in dict.fromkeys(words):
            if (word.lower(), attribute) not in listed:
                yield f"{row.where}: {word!r} is not a term of {attribute} in demographics.tsv; add a row there"


def _unwritten_names(rows: Sequence[Row], peoples: Sequence[Row], origins: Sequence[Row]) -> Iterator[str]:
    written = {row.cells[0] for row in origins if row.cells[-1]}
    countries = {row.cells[1] for row in rows} | {""}
    for row in rows:
        if row.cells[0] not in written:
            yield f"{row.where}: {row.cells[0]!r} is not written (origins.tsv); remove the row"
    for row in peoples:
        if row.cells[-1] not in countries:
            yield f"{row.where}: no name of countries_of_names.tsv is from {row.cells[-1]!r}; correct it"
