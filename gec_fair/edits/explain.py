"""Edits in words: one line, terminal colours, HTML or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from gec_fair.edits.edit import Edits

_STYLES = {
    "line": ("[-", "-]", "{+", "+}"),
    "ansi": ("\x1b[9;31m", "\x1b[0m", "\x1b[1;32m", "\x1b[0m"),
    "html": ("<del>", "</del>", "<ins>", "</ins>"),
}


def explain(changes: Edits, words: Sequence[str], *, style: str = "line") -> str:
    """The text with what goes and what comes marked; `style` is `line`, `ansi` or `html`."""
    out_open, out_close, in_open, in_close = _STYLES[style]
    show = escape if style == "html" else str
    lines: list[str] = []
    at = 0
    for edit in changes:
        lines += (show(w) for w in words[at : edit.start])
        gone, come = " ".join(words[edit.start : edit.end]), " ".join(edit.replacement)
        lines += [out_open + show(gone) + out_close] if gone else []
        lines += [in_open + show(come) + in_close] if come else []
        at = edit.end
    lines += (show(w) for w in words[at:])
    return " ".join(lines)


def mark(pieces: Iterable[tuple[str, str]], *, style: str = "line") -> str:
    """A rewriting's pieces (`Rewriting.pieces`) as one text, byte for byte, with what goes and what comes marked."""
    out_open, out_close, in_open, in_close = _STYLES[style]
    show = escape if style == "html" else str
    parts: list[str] = []
    for old, new in pieces:
        if old == new:
            parts.append(show(old))
            continue
        parts += [out_open + show(old) + out_close] if old else []
        parts += [in_open + show(new) + in_close] if new else []
    return "".join(parts)


def as_json(changes: Edits, words: Sequence[str]) -> list[dict[str, object]]:
    """One object an edit: `start`, `end` (half-open tokens), `old`, `new`, and `kind` where there is one."""
    rows: list[dict[str, object]] = []
    for edit in changes:
        row: dict[str, object] = {"start": edit.start, "end": edit.end, "old": " ".join(words[edit.start : edit.end])}
        row["new"] = " ".join(edit.replacement)
        if edit.kind:
            row["kind"] = edit.kind
        rows.append(row)
    return rows
