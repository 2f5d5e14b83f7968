"""Rows of a table and their cells, as the scores, texts and examples of this package are read from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import Any

from gec_fair.data import user_tables
from gec_fair.data.columns import is_missing
from gec_fair.data.compression import COMPRESSIONS
from gec_fair.errors import InputError, UsageError
from gec_fair.extras import require
from gec_fair.runs.json_files import HALF_PAIR, is_unicode

PARQUET = ".parquet"


def rows(path: Path, wanted: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Where each row stands, to be said behind the path, and its cells. InputError for a damaged row, and for a Parquet
    file without the column that is wanted."""
    if path.suffix == PARQUET:
        require("Parquet", "parquet", "pyarrow")
        from gec_fair.corpus.formats import parquet

        try:
            table = parquet.rows(path, (wanted, wanted))
        except InputError as fault:
            message = str(fault).partition("; ")[0].removeprefix(f"{path}: ")
            raise InputError(f"{path}: {message}; write it again, as CSV or Parquet with those columns") from fault
        for line, row in enumerate(table, 1):
            if not isinstance(row, Mapping):
                raise InputError(f"{path}, row {line}: cannot be read; write the file again")
            yield f", row {line}", row
        return
    if path.suffix not in (*user_tables.FILES, *COMPRESSIONS, ".json"):
        raise UsageError(
            f"{path}: its name does not tell how it is written; a table ends with "
            f"{', '.join((*user_tables.FILES, PARQUET))}"
        )
    for line, cells in user_tables.valid_rows(path):
        if len(cells) == 1 and ";" in next(iter(cells)):
            raise InputError(f"{path}: its columns are separated by semicolons; write commas (.csv) or tabs (.tsv)")
        yield f":{line}", cells


def refuse_short(path: Path, cells: Mapping[str, Any], names: Iterable[str]) -> None:
    """InputError for a row of CSV or TSV that ends before one of these columns. In JSONL and Parquet a cell may be
    null."""
    is_short = any(cells.get(name, "") is None for name in names)
    if is_short and path.suffix != PARQUET and user_tables.form(path) != ".jsonl":
        raise InputError("has fewer cells than the header; empty ones want their comma too")


def as_text(value: Any) -> str:
    """Any value as text; empty for a missing one. Whole numbers are alike, for pandas makes floats of them."""
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    return "" if is_missing(value) else str(value).strip()


def cell(value: Any) -> str:
    """A cell as text; empty for a missing value. InputError for a list or an object, and for text that no file can
    hold."""
    if isinstance(value, (list, dict)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise InputError(f"{shorten(str(value), 60)} is {kind}; a cell is text, a number or empty")
    text = as_text(value)
    if not is_unicode(text):
        raise InputError(f"{text[:60]!a} {HALF_PAIR}; replace it")
    return text


@contextmanager
def name_row(where: str) -> Iterator[None]:
    """Says where the row is that something is wrong with."""
    try:
        yield
    except (InputError, UsageError) as fault:
        raise InputError(f"{where}: {fault}") from fault


def number(text: str) -> float | None:
    """The number that a text is; None if it is none."""
    try:
        return float(text)
    except ValueError:
        return None


def share(text: str) -> float | None:
    """The number from 0 to 1 that a text is; None if it is none."""
    value = number(text)
    return value if value is not None and 0 <= value <= 1 else None


def truth(text: str) -> int | None:
    """0 or 1, `false` or `true`; None for another text."""
    value = {"true": 1.0, "false": 0.0}.get(text.casefold(), number(text))
    return None if value is None else {0.0: 0, 1.0: 1}.get(value)
