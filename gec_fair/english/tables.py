"""A linguistic table is a TSV file: comment lines (what, source, licence, columns), a line of column names, rows.

    # What: ...
    feminine    masculine   ...
    mother      father      ...

A row keeps the line it came from, so that every complaint can say `file:line`. `-` and an empty cell both mean "none".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import InputError, MissingResource

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table; `cells` follow the asked-for columns, "" where there is none."""

    path: Path
    line: int
    cells: tuple[str, ...]

    @property
    def where(self) -> str:
        return f"{self.path.name}:{self.line}"


def shipped_directory() -> Path:
    """Where the package's own tables lie: inside an installed wheel, or beside the package in a source checkout."""
    for directory in (_PACKAGE / "_data" / "lexicons", _PACKAGE.parent / "lexicons"):
        if (directory / "pronouns.tsv").is_file():
            return directory
    raise MissingResource("the package's lexicons are missing; reinstall gec-fair")


def read_table(path: Path, columns: Sequence[str]) -> list[Row]:
    """All rows of `path`. The file may order its columns otherwise, and may lack trailing ones: their cells are ""."""
    lines = _numbered_lines(path)
    header_line, header = next(lines, (1, []))
    _check_header(path, header_line, header, columns)
    if header == list(columns):
        return [_row(path, number, cells, header, None) for number, cells in lines]
    order = [header.index(column) if column in header else -1 for column in columns]
    return [_row(path, number, cells, header, order) for number, cells in lines]


def _numbered_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save the table as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if line.strip() and not line.startswith("#"):
            yield number, line.split("\t")


def _check_header(path: Path, line: int, header: list[str], columns: Sequence[str]) -> None:
    unknown = [name for name in header if name not in columns]
    if unknown or columns[0] not in header:
        found = " ".join(header) or "nothing"
        raise InputError(
            f"{path.name}:{line}: expected the column names {' '.join(columns)} (tab-separated), found {found}; "
            "add them as the first line that is no comment"
        )


def _row(path: Path, line: int, cells: list[str], header: list[str], order: list[int] | None) -> Row:
    if len(cells) > len(header):
        raise InputError(
            f"{path.name}:{line}: expected {len(header)} tab-separated columns, found {len(cells)}; "
            "remove the surplus tabs"
        )
    if len(cells) < len(header):
        cells = cells + [""] * (len(header) - len(cells))
    cells = [cell.strip() for cell in cells]
    if "-" in cells:
        cells = ["" if cell == "-" else cell for cell in cells]
    if order is not None:
        cells = [cells[place] if place >= 0 else "" for place in order]
    return Row(path, line, tuple(cells))
