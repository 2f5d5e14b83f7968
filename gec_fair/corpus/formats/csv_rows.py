"""Rows of CSV from lines of bytes: a quoted cell may hold commas, quotation marks (written twice) and line breaks.

A row has the number of its record, counted from the header's 1. That is the number of its line as long as no cell holds
a line break.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gec_fair.corpus.formats.malformed import make_malformed
from gec_fair.corpus.outcome import Malformed
from gec_fair.data.compression import LONGEST_LINE
from gec_fair.data.user_tables import LONE_CR

_MOST_LINES = 1_000
"""The most lines of a row. A quotation mark that is open for longer was never closed: only its own line is
malformed."""


def csv_rows(lines: Iterable[bytes | Malformed]) -> Iterator[list[str] | Malformed]:
    """The cells of each row, or what is wrong with it."""
    rest = iter(lines)
    waiting: deque[bytes | Malformed] = deque()
    while True:
        line = waiting.popleft() if waiting else next(rest, None)
        if line is None:
            return
        if isinstance(line, Malformed):
            yield line
            continue
        row = [line]
        size = len(line)
        while _is_open(row) and len(row) < _MOST_LINES and size < LONGEST_LINE:
            more = waiting.popleft() if waiting else next(rest, None)
            if more is None or isinstance(more, Malformed):
                if more is not None:
                    waiting.appendleft(more)
                break
            row.append(more)
            size += len(more)
        cells = make_malformed("bad_csv", "a quotation mark is not closed") if _is_open(row) else _parse(b"".join(row))
        if isinstance(cells, Malformed) and len(row) > 1:  # only the first line is at fault
            waiting.extendleft(reversed(row[1:]))
        yield cells


def name_cells(row: Sequence[str] | Malformed, names: Sequence[str]) -> Mapping[str, object] | Malformed:
    """The cells by the header's names."""
    if isinstance(row, Malformed):
        return row
    if len(row) != len(names):
        if not any(cell.strip() for cell in row):
            return make_malformed("empty_line", "the line is empty")
        return make_malformed("columns", f"expected {len(names)} columns, found {len(row)}")
    return dict(zip(names, row, strict=True))


def _is_open(lines: Sequence[bytes]) -> bool:
    return sum(line.count(b'"') for line in lines) % 2 == 1


def _parse(line: bytes) -> list[str] | Malformed:
    try:
        text = line.decode()
    except UnicodeDecodeError as fault:
        place = fault.start + 1
        return make_malformed("invalid_utf8", f"byte {place} is not UTF-8 (0x{line[fault.start]:02x})")
    try:
        return next(csv.reader([text.rstrip("\r\n")], strict=True), [])
    except csv.Error as fault:
        is_cr = "new-line" in str(fault)
        return make_malformed("lone_cr", LONE_CR[0]) if is_cr else make_malformed("bad_csv", str(fault))
