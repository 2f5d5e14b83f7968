"""One row of an input, as it lies in the file, to a `Pair` or to the reason why it is none.

Only `\\n` ends a line: U+2028, U+0085 or a vertical tab inside a text are the writer's, and every other byte comes
back as it was. A `\\r` before the `\\n` belongs to the line end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gec_fair.config.corpora import Format
from gec_fair.corpus.formats.malformed import make_malformed
from gec_fair.corpus.outcome import Malformed
from gec_fair.corpus.records import Pair
from gec_fair.data.columns import is_blank
from gec_fair.data.text_files import LONGEST_TEXT
from gec_fair.data.user_tables import LONE_CR
from gec_fair.edits import apply, m2

Row: TypeAlias = bytes | tuple[bytes | Malformed | None, bytes | Malformed | None] | Mapping[str, object] | Malformed
"""A line, an M2 sentence, two parallel lines, a row of CSV or Parquet, or a fault that the reader saw."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a row the two texts are: `columns` 0-based for TSV, `fields` by name for CSV, JSONL and Parquet.

    `width` is the number of columns that a TSV row must have, or at least have when `open_ended`.
    """

    format: Format
    max_words: int
    columns: tuple[int, int] = (0, 1)
    width: int = 2
    open_ended: bool = False
    fields: tuple[str, str] = ("source", "target")


def parse_tsv(row: bytes, layout: Layout, file: str, line: int) -> Pair | Malformed:
    """A line of TSV."""
    try:
        text = _chomp(row).decode()
    except UnicodeDecodeError as fault:
        return _not_utf8(fault)
    columns = text.split("\t")
    width = len(columns)
    if width != layout.width and not (layout.open_ended and width > layout.width):
        if not text.strip():
            return make_malformed("empty_line", "the line is empty")
        if "\r" in text:
            return make_malformed("lone_cr", LONE_CR[0])
        least = "at least " if layout.open_ended else ""
        return make_malformed("columns", f"expected {least}{layout.width} columns, found {width}")
    left, right = layout.columns
    source, target = columns[left], columns[right]
    return _unfit(source, target, layout) or Pair(file, line, source, target)


def parse_parallel(
    row: tuple[bytes | Malformed | None, bytes | Malformed | None], layout: Layout, file: str, line: int
) -> Pair | Malformed:
    """Line n of both files of a parallel corpus."""
    texts: list[str] = []
    for side, other_side, part in zip(("source", "target"), ("target", "source"), row, strict=True):
        if isinstance(part, Malformed):
            return part
        if part is None:
            return make_malformed("unpaired_line", f"this line of the {other_side} file has no {side} line")
        try:
            texts.append(_chomp(part).decode())
        except UnicodeDecodeError as fault:
            return _not_utf8(fault, f" of the {side} file")
    source, target = texts
    if "\t" in source or "\t" in target:
        return make_malformed("tab_or_break", "the text holds a tab")
    if not (source.strip() or target.strip()):
        return make_malformed("empty_line", "the line is empty in both files")
    return _unfit(source, target, layout) or Pair(file, line, source, target)


def parse_m2(row: bytes, layout: Layout, file: str, line: int) -> Pair | Malformed:
    """A sentence of an M2 file; the target is the first annotator's."""
    try:
        block = row.decode().replace("\r\n", "\n").rstrip("\n").split("\n")
    except UnicodeDecodeError as fault:
        return _not_utf8(fault)
    try:
        annotated = m2.parse(block)
        source, target = annotated.source.text, apply(annotated.annotators[0][1], annotated.source).text
    except ValueError as fault:
        return make_malformed("bad_m2", str(fault))
    if "\t" in source or "\t" in target:
        return make_malformed("tab_or_break", "the sentence holds a tab")
    return _unfit(source, target, layout) or Pair(file, line, source, target, annotated.annotators)


def parse_json(row: bytes, layout: Layout, file: str, line: int) -> Pair | Malformed:
    """A line of JSONL."""
    try:
        text = _chomp(row).decode()
        fields = json.loads(text)
    except UnicodeDecodeError as fault:
        return _not_utf8(fault)
    except (ValueError, RecursionError) as fault:
        if not text.strip():
            return make_malformed("empty_line", "the line is empty")
        is_cr = "\r" in text.strip()
        return (
            make_malformed("lone_cr", LONE_CR[0]) if is_cr else make_malformed("bad_json", f"no JSON object ({fault})")
        )
    if not isinstance(fields, dict):
        return make_malformed("bad_json", f"expected a JSON object, found {_kind(fields)}")
    return parse_fields(fields, layout, file, line)


def parse_fields(row: Mapping[str, object], layout: Layout, file: str, line: int) -> Pair | Malformed:
    """A CSV, JSONL or Parquet row; the fields besides source and target travel along."""
    texts: list[str] = []
    for name in layout.fields:
        if name not in row:
            return make_malformed("missing_field", f"no field {name!r} among {', '.join(map(repr, row)) or 'none'}")
        value = row[name]
        if not isinstance(value, str):
            return make_malformed("bad_type", f"field {name!r} holds {_kind(value)}, not a string")
        if fault := _unprintable(name, value):
            return fault
        texts.append(value)
    source, target = texts
    others = {k: v for k, v in row.items() if k not in layout.fields}
    return _unfit(source, target, layout) or Pair(file, line, source, target, fields=others)


def parse_text(row: bytes, layout: Layout, file: str, line: int) -> Pair | Malformed:
    """Plain text, a line or a chunk of several, has no target; every byte of it comes back, its line ends too."""
    try:
        text = row.decode()
    except UnicodeDecodeError as fault:
        return _not_utf8(fault)
    if "\0" in text:
        return make_malformed("nul", "the text holds a NUL byte")
    if len(text) > LONGEST_TEXT:
        return make_malformed("endless_line", f"a line of {len(text):,} characters, more than {LONGEST_TEXT:,}")
    return Pair(file, line, text, "")


PARSERS: Mapping[Format, Callable[[Any, Layout, str, int], Pair | Malformed]] = {
    "tsv": parse_tsv,
    "parallel": parse_parallel,
    "m2": parse_m2,
    "jsonl": parse_json,
    "csv": parse_fields,
    "parquet": parse_fields,
    "text": parse_text,
}
"""By format: (row, layout, file, line) to a pair or a fault. None raises, whatever the row."""


def _chomp(row: bytes) -> bytes:
    """The line without its end."""
    if row.endswith(b"\n"):
        row = row[:-1]
    return row[:-1] if row.endswith(b"\r") else row


def _unfit(source: str, target: str, layout: Layout) -> Malformed | None:
    """What no format can hold. An empty target is fine: a correction may delete the sentence."""
    if is_blank(source):
        return make_malformed("empty_source", "the source is empty")
    if "\0" in source or "\0" in target:
        return make_malformed("nul", "the text holds a NUL byte")
    if len(source) > layout.max_words or len(target) > layout.max_words:  # nearly always too short to count words
        words = max(len(source.split()), len(target.split()))
        if words > layout.max_words:
            return make_malformed("too_long", f"a text of {words} words, more than {layout.max_words}")
    return None


def _unprintable(name: str, text: str) -> Malformed | None:
    """What a JSON string can hold and a line of TSV cannot."""
    for character, label in (("\t", "a tab"), ("\n", "a line break"), ("\r", "a carriage return")):
        if character in text:
            return make_malformed("tab_or_break", f"field {name!r} holds {label}")
    try:
        text.encode()
    except UnicodeEncodeError:
        return make_malformed("surrogate", f"field {name!r} holds half a surrogate pair")
    return None


def _not_utf8(fault: UnicodeDecodeError, where: str = "") -> Malformed:
    byte, place = fault.object[fault.start], fault.start + 1
    return make_malformed("invalid_utf8", f"byte {place}{where} is not UTF-8 (0x{byte:02x})")


def _kind(value: object) -> str:
    """What JSON calls the value."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
