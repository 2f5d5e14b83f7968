"""The ledger: one JSON object for every input line that is not unchanged.

    {"file": "c.tsv", "line": 7, "outcome": "augmented", "reason": null, "sure": 0.983, "kind": "noun", "row": 2, …}
    {"file": "c.tsv", "line": 9, "outcome": "discarded", "reason": "agreement_unsure", "detail": "…"}
    {"file": "c.tsv", "line": 12, "outcome": "left", "reason": "gate", "detail": "He"}

An edit counts tokens of the side as it was. Plain text, of which every line is written, has `undo` too:
[[character of the rewritten line, words that are there, words that were there], …], which restores the line byte for
byte.

Lines are in the order of the input. Everything beyond ASCII is escaped, so that no exotic line separator inside a
text can break a line for any reader.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gec_fair.corpus.formats.malformed import complaint
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Malformed, name_of
from gec_fair.edits import Undo
from gec_fair.edits.explain import as_json
from gec_fair.errors import InputError, MalformedLine
from gec_fair.runs.json_files import AGAIN, read_object_lines

NAME = "ledger.jsonl"
_TYPES = {"file": str, "line": int, "outcome": str}
_EDIT = {"side": str, "start": int, "end": int, "old": str, "new": str}
_ROW = b"\0"  # stands for the row number until the order of all rows is known; JSON text never holds a NUL


def entry(file: str, line: int, outcome: Augmented | Left | Discarded | Malformed) -> bytes:
    """A line of the ledger; that of an augmented pair waits for its row, see `numbered`."""
    if isinstance(outcome, Augmented):
        head = _head(file, line, "augmented", outcome.kind or None)
        if outcome.detail:
            head["detail"] = outcome.detail
        if outcome.sure is not None:
            head |= {"sure": outcome.sure.probability, "kind": outcome.sure.kind}
        return b'%b, "row": %b, %b\n' % (_json(head)[:-1], _ROW, _json(changes(outcome))[1:])
    fields = {**_head(file, line, name_of(outcome), outcome.reason), "detail": outcome.detail}
    if isinstance(outcome, Malformed):
        fields["remedy"] = outcome.remedy
    return _json({k: v for k, v in fields.items() if v != ""}) + b"\n"


def changes(outcome: Augmented) -> dict[str, object]:
    """The edits of both sides as the ledger has them; of plain text, how to undo them."""
    sides = [(side, its) for side, its in (("source", outcome.source), ("target", outcome.target)) if its is not None]
    edits = [{"side": side, **row} for side, its in sides for row in as_json(its.edits, its.before.words)]
    if outcome.source is None or outcome.target is not None:
        return {"edits": edits}
    return {"edits": edits, "undo": [[step.start, step.new, step.old] for step in outcome.source.undo()]}


def undo_of(entry: Mapping[str, Any]) -> list[Undo]:
    """How to undo what an entry of plain text did; KeyError for one that does not say."""
    return [Undo(*step) for step in entry["undo"]]


def edit_rows(entry: Mapping[str, Any], side: str) -> list[tuple[int, int, str, str]]:
    """Start, end, old and new words of the edits of one side."""
    rows = (row for row in entry["edits"] if row["side"] == side)
    return [(row["start"], row["end"], row["old"], row["new"]) for row in rows]


def number_entries(entries: bytes, row: int) -> bytes:
    """The entries with the row numbers `row`, `row + 1`, … where augmented pairs wait for them."""
    first, *rest = entries.split(_ROW)
    return first + b"".join(b"%d%b" % (at, part) for at, part in enumerate(rest, row))


def read_ledger(directory: Path) -> Iterator[Mapping[str, Any]]:
    """The entries of a finished run. InputError, with the line, for one that no run writes."""
    for number, entry in enumerate(read_object_lines(directory / NAME), 1):
        edits = entry.get("edits", None if entry.get("outcome") == "augmented" else [])
        if not (
            _has(entry, _TYPES)
            and isinstance(sure := entry.get("sure", 1), int | float)
            and 0 <= sure <= 1
            and isinstance(edits, list)
            and all(_has(row, _EDIT) for row in edits)
        ):
            raise InputError(f"{directory / NAME}:{number}: is not an entry of a ledger; {AGAIN}")
        yield entry


def _has(row: object, types: Mapping[str, type]) -> bool:
    return isinstance(row, dict) and all(isinstance(row.get(name), kind) for name, kind in types.items())


def complaints(directory: Path) -> Iterator[MalformedLine]:
    """The malformed lines of a run, as the user reads them."""
    for record in read_ledger(directory):
        if record["outcome"] == "malformed":
            fault = Malformed(str(record["reason"]), str(record.get("remedy", "")), str(record.get("detail", "")))
            yield complaint(str(record["file"]), int(str(record["line"])), fault)


def _head(file: str, line: int, outcome: str, reason: str | None = None) -> dict[str, object]:
    return {"file": file, "line": line, "outcome": outcome, "reason": reason}


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
