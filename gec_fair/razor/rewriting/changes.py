"""The changes of a `razor run`, and its documents as they were.

The run keeps every document as a row of `rewritten.jsonl`, with its old text. The layout of the input file is not kept;
`undo` tries those that writers of JSONL, CSV and TSV use, and takes the one that has the digest of the input.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from gec_fair.changes.change import Change, Original, Rewritten, Side
from gec_fair.corpus.ledger import undo_of
from gec_fair.data.compression import COMPRESSIONS
from gec_fair.edits import pieces_of
from gec_fair.errors import InputError
from gec_fair.razor.documents.documents import Fields
from gec_fair.razor.rewriting.layout import LEDGER, ORIGINAL, OUTPUT
from gec_fair.runs.json_files import read_object_lines, refuse_other_content
from gec_fair.runs.record import MANIFEST, read_record

Row: TypeAlias = dict[str, Any]
_PLACE = re.compile(r"(.*?):(\d+): ")


def read_run(folder: Path) -> Rewritten:
    """A finished run. InputError for a folder whose files are not those of one."""
    with refuse_other_content(folder / MANIFEST):
        return _read_run(folder, read_record(folder / MANIFEST))


def _read_run(folder: Path, manifest: Mapping[str, Any]) -> Rewritten:
    about = (manifest["signature"],)
    name = manifest["file"]["name"]
    tried = sum(entry.get("outcome") in ("augmented", "discarded") for entry in _entries(folder))
    originals = (Original(name, manifest["file"]["sha256"]),)
    return Rewritten(
        f"razor run: {name}",
        lambda: _changes(folder, Fields(**manifest["fields"])),
        manifest["documents"] - tried,
        total=tried,
        about=about,
        undo=partial(_undo, folder, Fields(**manifest["fields"]), originals[0]),
        originals=() if Path(name).suffix in COMPRESSIONS else originals,
    )


def _changes(folder: Path, fields: Fields) -> Iterator[Change]:
    with refuse_other_content(folder / OUTPUT):
        new = {row[fields.read("id", row) or "id"]: row for row in _rows(folder) if ORIGINAL in row}
    with refuse_other_content(folder / LEDGER):
        yield from _entry_changes(folder, fields, new)


def _entry_changes(folder: Path, fields: Fields, new: Mapping[str, Row]) -> Iterator[Change]:
    for entry in _entries(folder):
        outcome, reason = entry.get("outcome"), str(entry.get("reason", ""))
        if outcome == "malformed":
            place = _PLACE.match(entry["detail"])
            file, line = (Path(place[1]).name, int(place[2])) if place else ("", 0)
            yield Change(file, line, "malformed", detail=entry["detail"])
        elif outcome in ("augmented", "discarded"):
            row = new[entry["id"]]
            text = row[fields.read("text", row) or "text"]
            pieces = tuple(pieces_of(text, undo_of(entry))) if outcome == "augmented" else ((text, text),)
            replacements = tuple((edit["old"], edit["new"]) for edit in entry.get("edits", ()))
            yield Change(entry["file"], entry["line"], outcome, reason, sides=(Side("", pieces, replacements),))


def _undo(folder: Path, fields: Fields, original: Original) -> Iterator[bytes]:
    """InputError if no layout has the digest of the input."""
    plain = Path(original.name).with_suffix("") if Path(original.name).suffix in COMPRESSIONS else Path(original.name)
    writers = _LAYOUTS.get(plain.suffix.lower(), _LAYOUTS[".jsonl"])
    for with_id, write, ends in product(_IDS, writers, (True, False)):
        digest = sha256()
        for part in _ended(write(map(with_id, _restored(folder, fields))), ends):
            digest.update(part)
        if digest.hexdigest() == original.sha256 or plain.name != original.name:
            return _ended(write(map(with_id, _restored(folder, fields))), ends)
    raise InputError(
        f"{original.name}: its layout is not one that can be restored; the old texts are in {folder / OUTPUT}, field "
        f"{ORIGINAL!r}"
    )


def _restored(folder: Path, fields: Fields) -> Iterator[Row]:
    for row in _rows(folder):
        text = row.pop(ORIGINAL, None)
        if text is not None:
            row[fields.read("text", row) or "text"] = text
        yield row


def _as_is(row: Row) -> Row:
    return row


def _without_id(row: Row) -> Row:
    """The run names documents without an id by their lines, in a first field."""
    return {name: value for name, value in row.items() if name != "id"}


def _empty_id(row: Row) -> Row:
    return {**row, "id": ""}


def _json_lines(rows: Iterator[Row], **options: Any) -> Iterator[bytes]:
    return (json.dumps(row, **options).encode("utf-8", "surrogatepass") + b"\n" for row in rows)


def _table(rows: Iterator[Row], **options: Any) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, **options)
    for number, row in enumerate(rows):
        if not number:
            writer.writerow(row)
        writer.writerow(row.values())
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()


def _ended(parts: Iterator[bytes], ends: bool) -> Iterator[bytes]:
    """With or without the end of the last line."""
    before = next(parts, b"")
    for part in parts:
        yield before
        before = part
    yield before if ends else before.rstrip(b"\r\n")


_IDS = (_as_is, _without_id, _empty_id)
_Writer: TypeAlias = Callable[[Iterator[Row]], Iterator[bytes]]
_LAYOUTS: Mapping[str, list[_Writer]] = {
    ".jsonl": [
        partial(_json_lines, ensure_ascii=ascii_, separators=separators)
        for ascii_, separators in product((False, True), ((", ", ": "), (",", ":")))
    ],
    **{
        suffix: [
            partial(_table, delimiter=delimiter, lineterminator=end, quoting=quoting)
            for end, quoting in product(("\n", "\r\n"), (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
        ]
        for suffix, delimiter in ((".csv", ","), (".tsv", "\t"))
    },
}


def _rows(folder: Path) -> Iterator[Row]:
    return read_object_lines(folder / OUTPUT)


def _entries(folder: Path) -> Iterator[Mapping[str, Any]]:
    return read_object_lines(folder / LEDGER)
