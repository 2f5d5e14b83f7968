"""The changes of a `razor run`: it keeps every document as a row of `rewritten.jsonl`, with its old text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from gec_fair.changes.change import Change, Rewritten, Side
from gec_fair.corpus.ledger import undo_of
from gec_fair.edits import pieces_of
from gec_fair.razor.options import Fields
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
    return Rewritten(
        f"razor run: {name}",
        lambda: _changes(folder, Fields(**manifest["fields"])),
        manifest["documents"] - tried,
        total=tried,
        about=about,
    )


def _changes(folder: Path, fields: Fields) -> Iterator[Change]:
    with refuse_other_content(folder / OUTPUT):
        new = {str(row[fields.read("id", row) or "id"]).strip(): row for row in _rows(folder) if ORIGINAL in row}
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


def _rows(folder: Path) -> Iterator[Row]:
    return read_object_lines(folder / OUTPUT)


def _entries(folder: Path) -> Iterator[Mapping[str, Any]]:
    return read_object_lines(folder / LEDGER)
