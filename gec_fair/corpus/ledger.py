"""The ledger: one JSON object for every input line that is not plainly unchanged.

    {"file": "c.tsv", "line": 7, "outcome": "augmented", "reason": null, "row": 2, "edits": [{"side": "target", …}]}
    {"file": "c.tsv", "line": 9, "outcome": "discarded", "reason": "agreement_unsure", "detail": "…"}

Lines are in the order of the input. Everything beyond ASCII is escaped, so that no exotic line separator inside a
text can break a line for any reader.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from gec_fair.corpus.malformed import complaint
from gec_fair.corpus.outcome import Augmented, Discarded, Malformed
from gec_fair.errors import MalformedLine

NAME = "ledger.jsonl"
_ROW = b"\0"  # stands for the row number until the order of all rows is known; JSON text never holds a NUL
_EDIT = ("side", "start", "end", "old", "new")


def entry(file: str, line: int, outcome: Augmented | Discarded | Malformed) -> bytes:
    """A line of the ledger; that of an augmented pair waits for its row, see `numbered`."""
    if isinstance(outcome, Augmented):
        edits = _json([dict(zip(_EDIT, edit, strict=True)) for edit in outcome.edits])
        head = _head(file, line, "augmented", outcome.kind or None)
        if outcome.detail:
            head["detail"] = outcome.detail
        return b'%b, "row": %b, "edits": %b}\n' % (_json(head)[:-1], _ROW, edits)
    if isinstance(outcome, Discarded):
        entry_ = {**_head(file, line, "discarded", outcome.reason), "detail": outcome.detail}
    else:
        entry_ = {**_head(file, line, "malformed", outcome.reason), "detail": outcome.detail, "remedy": outcome.remedy}
    return _json({k: v for k, v in entry_.items() if v != ""}) + b"\n"


def numbered(entries: bytes, row: int) -> bytes:
    """The entries with the row numbers `row`, `row + 1`, … where augmented pairs wait for them."""
    first, *rest = entries.split(_ROW)
    return first + b"".join(b"%d%b" % (at, part) for at, part in enumerate(rest, row))


def read_ledger(directory: Path) -> Iterator[Mapping[str, object]]:
    """The entries of a finished run."""
    with (directory / NAME).open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield json.loads(line)


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
