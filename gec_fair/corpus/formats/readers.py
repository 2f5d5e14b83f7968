"""Read a corpus: TSV, CSV, parallel files, M2, JSONL or Parquet, plain or compressed, streamed.

    for record in read("clang8.tsv.gz"):
        match record.value:
            case Pair() as pair: ...
            case Malformed() as fault: ...

A line that is not a pair is a value like the others, so that nothing is lost silently and nothing stops the stream.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

from gec_fair.config.corpora import Format, Reading
from gec_fair.corpus.formats.csv_rows import csv_rows, name_cells
from gec_fair.corpus.formats.inputs import Source, resolve
from gec_fair.corpus.formats.malformed import complaint
from gec_fair.corpus.formats.parsing import PARSERS, Layout, Row
from gec_fair.corpus.outcome import Malformed
from gec_fair.corpus.records import Pair
from gec_fair.data.columns import refuse_twice
from gec_fair.data.compression import fault_of, lines_of, open_bytes
from gec_fair.data.text_files import BOM
from gec_fair.data.user_tables import LONE_CR
from gec_fair.edits import m2
from gec_fair.errors import InputError, MalformedLine, MissingResource, UsageError


@dataclass(frozen=True, slots=True)
class Record:
    """A place in an input, and the pair or the fault that is there."""

    file: str
    line: int
    value: Pair | Malformed

    @property
    def complaint(self) -> MalformedLine | None:
        """The fault as an error that can be shown or raised; None for a pair."""
        return complaint(self.file, self.line, self.value) if isinstance(self.value, Malformed) else None


@dataclass(frozen=True, slots=True)
class Block:
    """Adjacent rows of one input, unparsed: what travels to a worker. `source` is the number of the input."""

    source: int
    file: str
    first: int
    rows: Sequence[Row]
    layout: Layout
    notes: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """`FILE:LINE`, or `FILE:FIRST–LAST` for a block of several lines."""
        last = self.first + len(self.rows) - 1
        return f"{self.file}:{self.first}" + (f"–{last}" if last > self.first else "")

    def records(self) -> list[Pair | Malformed]:
        """The rows as pairs and faults."""
        layout, file, parse = self.layout, self.file, PARSERS[self.layout.format]
        return [
            row if isinstance(row, Malformed) else parse(row, layout, file, line)
            for line, row in enumerate(self.rows, self.first)
        ]


@dataclass(frozen=True, slots=True)
class InputRows:
    """The rows of an input, the number of the first one, and what was noticed on opening."""

    rows: Iterator[Row]
    layout: Layout
    first: int = 1
    notes: tuple[str, ...] = ()


def read(
    path: str | Path | Sequence[str | Path],
    *,
    fields: tuple[str, str] | None = None,
    format: Format | None = None,
    limit: int | None = None,
    max_words: int = 10_000,
) -> Iterator[Record]:
    """Every line of the inputs, in order; see `Reading` for the options. Raises InputError where a file is not an
    input."""
    reading = Reading(fields=fields, format=format, limit=limit, max_words=max_words)
    inputs = [path] if isinstance(path, str | Path) else path
    for block in blocks(resolve(inputs, format), reading):
        for line, value in enumerate(block.records(), block.first):
            yield Record(block.file, line, value)


def blocks(
    sources: Sequence[Source], reading: Reading, *, chunk: int = 512, begin: tuple[int, int, int] = (0, 0, 0)
) -> Iterator[Block]:
    """The inputs in pieces of `chunk` rows. `begin` is what is done: the input's number, rows of it, rows in all."""
    number, skip, done = begin
    left = None if reading.limit is None else reading.limit - done
    for at, source in enumerate(sources[number:], number):
        stream = OPENERS[source.format](source, reading)
        deque(islice(stream.rows, skip), maxlen=0)
        first, notes = stream.first + skip, () if skip else stream.notes
        while rows := list(islice(stream.rows, chunk if left is None else min(chunk, left))):
            yield Block(at, source.name, first, rows, stream.layout, notes)
            first, notes = first + len(rows), ()
            left = None if left is None else left - len(rows)
        skip = 0


def _open_tsv(source: Source, reading: Reading) -> InputRows:
    rows, notes = _lines(source.paths[0])
    if reading.fields is None:
        return InputRows(rows, Layout("tsv", reading.max_words), 1, notes)
    if all(f.isdecimal() for f in reading.fields):
        left, right = (int(f) - 1 for f in reading.fields)
        if min(left, right) < 0 or left == right:
            raise UsageError(f"--fields {left + 1},{right + 1}: name two columns; they are counted from 1")
        width = max(left, right) + 1
        return InputRows(rows, Layout("tsv", reading.max_words, (left, right), width, open_ended=True), 1, notes)
    head = next(rows, b"")
    names = head.decode(errors="replace").rstrip("\r\n").split("\t") if isinstance(head, bytes) else []
    if any("\r" in name for name in names):
        raise InputError(f"{source.name}:1: {'; '.join(LONE_CR)}")
    for field in reading.fields:
        if field not in names:
            raise InputError(f"{source.name}:1: no column named {field!r} here; there are: {', '.join(names)}")
    refuse_twice([name for name in names if name in reading.fields], f"{source.name}:1")
    columns = names.index(reading.fields[0]), names.index(reading.fields[1])
    return InputRows(rows, Layout("tsv", reading.max_words, columns, len(names)), 2, notes)


def _open_csv(source: Source, reading: Reading) -> InputRows:
    lines, notes = _lines(source.paths[0])
    rows = csv_rows(lines)
    header: list[str] | Malformed = next(rows, [])
    if isinstance(header, Malformed):
        raise InputError(f"{source.name}:1: {header.detail}; {header.remedy}")
    fields = reading.fields or ("source", "target")
    if all(field.isdecimal() for field in fields):  # a file without a header
        names = [str(number) for number, _ in enumerate(header, 1)]
        rows, first = chain([header], rows), 1
    else:
        names, first = list(header), 2
        refuse_twice(names, f"{source.name}:1")
    for field in fields:
        if field not in names:
            if not names:
                raise InputError(f"{source.name}: is empty; give a file with a header and at least one line")
            choices = ", ".join(names)
            raise InputError(f"{source.name}:1: no column named {field!r}; name two of {choices} with --fields")
    layout = Layout("csv", reading.max_words, fields=fields)
    return InputRows((name_cells(row, names) for row in rows), layout, first, notes)


def _open_parallel(source: Source, reading: Reading) -> InputRows:
    (left, notes), (right, more) = (_lines(p) for p in source.paths)
    noticed = (*notes, *(f"target {name}" for name in more))
    return InputRows(zip_longest(left, right), Layout("parallel", reading.max_words), 1, noticed)


def _open_m2(source: Source, reading: Reading) -> InputRows:
    rows, notes = _lines(source.paths[0])
    return InputRows(_sentences(rows), Layout("m2", reading.max_words), 1, notes)


def _open_jsonl(source: Source, reading: Reading) -> InputRows:
    rows, notes = _lines(source.paths[0])
    fields = reading.fields or ("source", "target")
    return InputRows(rows, Layout("jsonl", reading.max_words, fields=fields), 1, notes)


def _open_parquet(source: Source, reading: Reading) -> InputRows:
    try:
        from gec_fair.corpus.formats.parquet import rows
    except ImportError as fault:
        raise MissingResource("reading Parquet needs pyarrow; pip install 'gec-fair[parquet]'") from fault
    fields = reading.fields or ("source", "target")
    return InputRows(rows(source.paths[0], fields), Layout("parquet", reading.max_words, fields=fields))


def _open_text(source: Source, reading: Reading) -> InputRows:
    rows, notes = _lines(source.paths[0])
    return InputRows(
        _chunks(rows, reading.tokens) if reading.tokens else rows, Layout("text", reading.max_words), 1, notes
    )


def _chunks(rows: Iterable[bytes | Malformed], tokens: int) -> Iterator[bytes | Malformed]:
    """Contiguous pieces of `tokens` words, the last one shorter, each with the white space behind its words; joined
    they are the text."""
    remaining: list[bytes] = []
    words = 0
    for row in rows:
        if isinstance(row, Malformed):
            yield row
            continue
        for piece in _PIECE.findall(row):
            remaining.append(piece)
            words += not piece.isspace()
            if words == tokens:
                yield b"".join(remaining)
                remaining, words = [], 0
    if remaining:
        yield b"".join(remaining)


_PIECE = re.compile(rb"^\s+|\S+\s*")


OPENERS: dict[Format, Callable[[Source, Reading], InputRows]] = {
    "tsv": _open_tsv,
    "csv": _open_csv,
    "parallel": _open_parallel,
    "m2": _open_m2,
    "jsonl": _open_jsonl,
    "parquet": _open_parquet,
    "text": _open_text,
}


def _lines(path: Path) -> tuple[Iterator[bytes | Malformed], tuple[str, ...]]:
    """The lines with their ends, a byte order mark taken off; where the file breaks off, the fault is the last line."""
    reader = open_bytes(path)
    lines = lines_of(reader, path)
    first = next(lines, b"")
    if rest := first.removeprefix(BOM):
        lines = chain([rest], lines)

    def read_all() -> Iterator[bytes | Malformed]:
        with reader:
            for line in lines:
                if not line.endswith(b"\n") and fault_of(reader):
                    break  # half a line is not a line
                yield line
            if fault := fault_of(reader):
                yield Malformed(fault.reason, fault.remedy, fault.detail)

    return read_all(), ("bom",) if first.startswith(BOM) else ()


def _sentences(lines: Iterable[bytes | Malformed]) -> Iterator[Row]:
    """M2 sentences, and at the end what is wrong with the file: the sentence that it cuts short is lost with it."""
    faults: list[Malformed] = []

    def whole_lines() -> Iterator[bytes]:
        for line in lines:
            if isinstance(line, Malformed):
                faults.append(line)
                return
            yield line

    yield from (b"".join(block) for block in m2.blocks(whole_lines()) if not faults)
    yield from faults
