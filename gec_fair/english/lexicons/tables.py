"""A linguistic table is a TSV file: comment lines (what, source, licence, columns), a line of column names, rows.

    # What: ...
    feminine    masculine   ...
    mother      father      ...

A row keeps the line it came from, so that every complaint can say `file:line`. `-` and an empty cell both mean "none".
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from gec_fair.errors import InputError, MissingResource
from gec_fair.shipped import find_shipped

Parsed = TypeVar("Parsed")


class Row(NamedTuple):
    """One line of a table; `cells` follow the asked-for columns, "" where there is none.

    A named tuple, for thousands are made at start: a third of a frozen dataclass's time.
    """

    path: Path
    line: int
    cells: tuple[str, ...]

    @property
    def where(self) -> str:
        """`FILE:LINE`, for messages."""
        return f"{self.path.name}:{self.line}"


def shipped_directory() -> Path:
    """Where the package's own tables lie: inside an installed wheel, or beside the package in a source checkout."""
    if directory := find_shipped("lexicons"):
        return directory
    raise MissingResource("the package's lexicons are missing; reinstall gec-fair")


def axes_directory() -> Path:
    """Where the tables of further axes lie (religion, nationality, disability, orientation), which the perturber reads
    like a user's."""
    return shipped_directory() / "axes"


def read_table(path: Path, columns: Sequence[str]) -> list[Row]:
    """All rows of `path`. The file may order its columns otherwise, and may lack trailing ones: their cells are ""."""
    lines = _number_lines(path)
    header_line, header = next(lines, (1, []))
    _check_header(path, header_line, header, columns)
    rows = [Row(path, number, tuple(_check(path, number, cells, len(header)))) for number, cells in lines]
    if header == list(columns):
        return rows
    order = [header.index(column) if column in header else None for column in columns]
    return [Row(path, row.line, tuple("" if at is None else row.cells[at] for at in order)) for row in rows]


def rows_of(path: Path, columns: Sequence[str], faults: list[str]) -> list[Row]:
    """As `read_table`; a fault of the file is added to `faults`."""
    try:
        return read_table(path, columns)
    except InputError as fault:
        faults.append(str(fault))
        return []


def parse_rows(rows: Iterable[Row], parse: Callable[[Row], Parsed], faults: list[str]) -> list[tuple[Row, Parsed]]:
    """The rows with what `parse` makes of each; its faults are added to `faults`."""
    pairs: list[tuple[Row, Parsed]] = []
    for row in rows:
        try:
            pairs.append((row, parse(row)))
        except InputError as fault:
            faults.append(str(fault))
    return pairs


def find_repeated(rows: Iterable[tuple[Row, Hashable]]) -> Iterator[tuple[Row, Row]]:
    """The rows whose key an earlier row has, each with the first such row."""
    first: dict[Hashable, Row] = {}
    for row, key in rows:
        if (earlier := first.setdefault(key, row)) is not row:
            yield row, earlier


def term_tokens(term: str) -> tuple[tuple[str, ...], ...]:
    """The tokens of a term as its cell has it and, if it has hyphens, with the hyphens apart as in GEC data
    (*mother - in - law*)."""
    written = tuple(term.split())
    return (written, tuple(term.replace("-", " - ").split())) if "-" in term else (written,)


def _number_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")  # a carriage return alone ends no line
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save the table as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line and line[0] != "#" and not line.isspace():
            cells = line.split("\t")
            yield number, [cell.strip() for cell in cells] if " \t" in line or "\t " in line else _end_lines(cells)


def _end_lines(cells: list[str]) -> list[str]:
    cells[0], cells[-1] = cells[0].lstrip(), cells[-1].rstrip()
    return cells


def _check(path: Path, line: int, cells: list[str], width: int) -> list[str]:
    if len(cells) > width:
        raise InputError(
            f"{path.name}:{line}: expected {width} tab-separated columns, found {len(cells)}; remove the surplus tabs"
        )
    cells += [""] * (width - len(cells))
    return ["" if cell == "-" else cell for cell in cells] if "-" in cells else cells


def _check_header(path: Path, line: int, header: list[str], columns: Sequence[str]) -> None:
    known = set(header)
    if known - set(columns) or columns[0] not in known or len(known) < len(header):
        header_text = " ".join(header) or "nothing"
        raise InputError(
            f"{path.name}:{line}: expected the column names {' '.join(columns)} (tab-separated), found {header_text}; "
            "give each once, in the first line that is not a comment"
        )


def digest(directories: Iterable[Path]) -> str:
    """The first sixteen digits of SHA-256 over all tables, for manifests."""
    digest = hashlib.sha256()
    for directory in directories:
        for path in sorted(directory.glob("*.tsv")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
