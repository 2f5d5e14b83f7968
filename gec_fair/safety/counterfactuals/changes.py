"""The changes in a table of texts with their counterfactuals (`safety counterfactuals`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gec_fair.changes.change import Change, Rewritten
from gec_fair.changes.comparison import change_between
from gec_fair.data import user_tables
from gec_fair.errors import InputError


def read_table(path: Path) -> Rewritten:
    """A table whose rows name the text that they are a copy of. Reading raises InputError with file and line for a row
    that does not fit."""
    return Rewritten(f"counterfactuals: {path.name}", lambda: _changes(path))


def _changes(path: Path) -> Iterator[Change]:
    texts: dict[str, Any] = {}
    for line, cells in user_tables.valid_rows(path):
        if missing := [name for name in ("id", "text", "copy_of", "slices") if name not in cells]:
            raise InputError(f"{path}: no column {missing[0]!r}; give a table that safety counterfactuals wrote")
        if not cells["copy_of"]:
            texts[cells["id"]] = cells
        elif cells["copy_of"] in texts:
            yield _change(path, line, texts[cells["copy_of"]], cells)
        else:
            raise InputError(f"{path}:{line}: copy_of is {cells['copy_of']!r}, and no row above has this id")


def _change(path: Path, line: int, original: Any, copy: Any) -> Change:
    """Its reason is the exchange of subgroups, its axis their category."""
    old, new = (cells["slices"].split("; ") for cells in (original, copy))
    swapped = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    names = [tuple(name.partition(": ")[2] or name for name in pair) for pair in swapped]
    reason = ", ".join(f"{before} → {after}" for before, after in names)
    axis = ", ".join(dict.fromkeys(before.partition(": ")[0] for before, _ in swapped))
    return change_between(path.name, line, [("", original["text"], copy["text"])], reason=reason, axis=axis)
