"""A user's own table, a row at a time: CSV and TSV with a header, JSONL with an object a line, compressed or not."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from gec_fair.data.columns import refuse_twice
from gec_fair.data.compression import COMPRESSIONS, LONGEST_LINE, fault_of, open_bytes, plain_path
from gec_fair.errors import InputError, UsageError
from gec_fair.runs.atomic import is_stream, write_bytes
from gec_fair.runs.json_files import HALF_PAIR, is_unicode, json_line, parse_json

FILES = (".csv", ".tsv", ".jsonl")
"""How a file of one's own may end, before what tells that it is compressed."""
LONE_CR = (
    "a carriage return stands outside quotes",
    "if the file's lines end so, run tr '\\r' '\\n' < FILE > NEW; else put the cell in quotes",
)
"""A table whose lines end in CR alone, as old programs for the Macintosh wrote them: the fault, and the remedy."""
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
Row: TypeAlias = tuple[int, Mapping[str, Any]]
"""The number of a row's (last) line, from 1, and its cells by name."""


def form(path: Path) -> str:
    """How a file of one's own is written, by its name: one of FILES, compressed or not. UsageError for another."""
    plain = plain_path(path)
    suffix = plain.suffix.lower()
    if suffix in FILES:
        return suffix
    if suffix == ".json":
        raise UsageError(
            f"{path}: is one piece of JSON; write an object a line, for example with jq -c '.[]' "
            f"{plain.name} > {plain.stem}.jsonl, and give that"
        )
    raise UsageError(
        f"{path}: its name does not tell how it is written; a file of your own ends with "
        f"{', '.join(FILES)}, compressed with {', '.join(COMPRESSIONS)} behind"
    )


def output_form(path: Path) -> str:
    """How a table is written, by the name of its file: one of FILES; CSV to a device or a pipe. UsageError for another
    name."""
    return ".csv" if is_stream(path) and path.suffix not in FILES else form(path)


def rows(path: Path, *, csv_delimiter: str = ",") -> Iterator[Row | InputError]:
    """Each row, or what is wrong with it. UsageError for another kind of file, InputError for one that cannot be
    read, or that has no row."""
    kind = form(path)
    return _refuse_none(
        path, _jsonl(path) if kind == ".jsonl" else _csv(path, "\t" if kind == ".tsv" else csv_delimiter)
    )


def valid_rows(path: Path, *, csv_delimiter: str = ",") -> Iterator[Row]:
    """Each row. Raises the first fault of `rows`."""
    for row in rows(path, csv_delimiter=csv_delimiter):
        if isinstance(row, InputError):
            raise row
        yield row


def write_rows(path: Path, table: Iterable[Mapping[str, Any]]) -> None:
    """Write CSV, TSV or JSONL, as the name says, whole or not at all. Cells that a row does not have are empty.
    UsageError for another name."""
    kind = output_form(path)
    if kind == ".jsonl":
        write_bytes(path, (json_line(row).encode() for row in table))
        return
    every = list(table)
    columns = list(dict.fromkeys(name for row in every for name in row))
    buffer = io.StringIO()
    has_cr = any("\r" in cell for row in every for cell in row.values() if isinstance(cell, str))
    quoting: Any = csv.QUOTE_ALL if has_cr else csv.QUOTE_MINIMAL  # Python before 3.13 leaves a lone CR bare
    delimiter = "\t" if kind == ".tsv" else ","
    writer = csv.DictWriter(buffer, columns, delimiter=delimiter, lineterminator="\n", quoting=quoting)
    writer.writeheader()
    writer.writerows(every)
    write_bytes(path, [buffer.getvalue().encode()])


def _refuse_none(path: Path, every: Iterator[Row | InputError]) -> Iterator[Row | InputError]:
    is_empty = True
    for row in every:
        is_empty = False
        yield row
    if is_empty:
        raise InputError(f"{path}: holds no row; write a header and a row a line, or in JSONL an object a line")


def _csv(path: Path, delimiter: str) -> Iterator[Row | InputError]:
    with open_text(path) as file:
        lines = _quote_where_needed(file) if delimiter == "\t" else file
        reader = csv.DictReader(lines, delimiter=delimiter, strict=True)
        with _name_line(path, reader):
            _check_header(path, reader.fieldnames or ())
            yield from _rows(path, reader)


def _rows(path: Path, reader: csv.DictReader[str]) -> Iterator[Row | InputError]:
    for row in reader:
        if any("\0" in cell for cell in row.values() if isinstance(cell, str)):
            yield InputError(f"{path}:{reader.line_num}: holds a NUL byte, so it is not text; mend the line")
        elif None in row:  # where cells without a name are put
            yield InputError(
                f"{path}:{reader.line_num}: more columns than the header's {len(row) - 1}; put quotes "
                "around what holds a comma or a tab"
            )
        else:
            yield reader.line_num, row


def _quote_where_needed(lines: Iterable[str]) -> Iterator[str]:
    """Lines of TSV. In one that has all its columns, a quotation mark that does not enclose a cell is a letter, unless
    it opens the last cell and the next line has no tab."""
    columns, is_open = 0, False
    for line, following in pairwise(chain(lines, [""])):
        cells = line.rstrip("\r\n").split("\t")
        columns = columns or len(cells)
        opens = cells[-1].startswith('"') and cells[-1].count('"') % 2 == 1
        goes_on = opens and following.strip() != "" and "\t" not in following
        if not is_open and len(cells) == columns > 1 and not goes_on:
            yield "\t".join(cell if _QUOTED.fullmatch(cell) else _quote(cell) for cell in cells) + "\n"
        else:
            is_open ^= line.count('"') % 2 == 1
            yield line


def _quote(cell: str) -> str:
    return '"{}"'.format(cell.replace('"', '""')) if '"' in cell else cell


@contextmanager
def _name_line(path: Path, reader: csv.DictReader[str]) -> Iterator[None]:
    """Above all for a quote that nothing closes: the rest of the file is one cell then."""
    try:
        yield
    except csv.Error as fault:
        place = f"{path}:{max(reader.reader.line_num, 1)}"
        if "new-line" in str(fault):
            raise InputError(f"{place}: {'; '.join(LONE_CR)}") from fault
        if "NUL" in str(fault):  # Python 3.10
            raise InputError(f"{place}: holds a NUL byte, so it is not text; mend the line") from fault
        raise InputError(
            f"{place}: is not a row of a table ({fault}); close its quotes, or write the table as JSONL"
        ) from fault


def _check_header(path: Path, names: Sequence[str]) -> None:
    """InputError for a name that is there twice, of which one column would be lost, and for what is not text."""
    if any("\0" in name for name in names):
        raise InputError(f"{path}:1: holds a NUL byte, so it is not text; give a table in UTF-8")
    refuse_twice([name for name in names if name], f"{path}:1")


def _jsonl(path: Path) -> Iterator[Row | InputError]:
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = parse_json(line)
            except (ValueError, RecursionError) as fault:
                message = "; ".join(LONE_CR) if "\r" in line.rstrip() else f"is not valid JSON ({fault}); mend the line"
                yield InputError(f"{path}:{number}: {message}")
                continue
            if "\\ud" in line.casefold() and not is_unicode(json.dumps(row, ensure_ascii=False)):
                yield InputError(f"{path}:{number}: {HALF_PAIR}; replace it")
                continue
            yield (
                (number, row)
                if isinstance(row, dict)
                else InputError(f"{path}:{number}: is not a JSON object; write one a line")
            )


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """The content, decompressed, a line at a time; only LF and CRLF end a line. InputError, for what is read too, where
    a file cannot be read, is damaged, is not UTF-8, or has a line of more than 64 MiB."""
    plain: BufferedReader | None = None
    try:
        with open_bytes(path) as plain, _TextLines(plain, encoding="utf-8-sig", newline="\n") as file:
            file.path = path
            yield file
            _check_whole(path, plain)
    except UnicodeDecodeError as fault:
        if plain is not None:  # half a character, where it breaks off
            _check_whole(path, plain)
        raise InputError(f"{_bad_line(path)}: is not UTF-8; convert it, for example with iconv") from fault
    except (OSError, csv.Error) as fault:
        raise InputError(f"{path}: cannot be read ({fault}); give a CSV, TSV or JSONL file") from fault


class _TextLines(TextIOWrapper):
    """Lines of bounded length."""

    path: Path

    def __next__(self) -> str:  # type: ignore[override]  # as TextIOWrapper has it
        line = self.readline(LONGEST_LINE)
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            raise InputError(
                f"{self.path}: a line of more than {LONGEST_LINE >> 20} MiB, which is not a row of a table"
            )
        if not line:
            raise StopIteration
        return line


def _bad_line(path: Path) -> str:
    """File and line of the first bytes that are not UTF-8."""
    with open_bytes(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"{path}:{number}"
    return str(path)


def _check_whole(path: Path, plain: BufferedReader) -> None:
    if (fault := fault_of(plain)) is not None:
        raise InputError(f"{path}: {fault.detail}; get the file again")
