"""A result in its own JSON file, with the inputs that decide it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gec_fair.errors import ResumeError
from gec_fair.runs.atomic import write_text
from gec_fair.runs.identity import as_plain, differences
from gec_fair.runs.record import read_record

REMEDY = "give another --output, or remove it"


def read_result(path: Path, section: str, identity: Any, *, refuse: bool = True) -> dict[str, Any] | None:
    """The result at `path`, whose `section` holds the identity that made it; None if there is none. ResumeError
    if another identity made it (None, unless `refuse`), with the differences named, or if it is not such a file."""
    record = read_record(path, REMEDY)
    if not record:
        return None
    if not isinstance(record.get(section), Mapping):
        raise ResumeError(f"{path}: not a record written by gec-fair (no {section!r}); {REMEDY}")
    rows = differences({"options": record[section]}, {"options": as_plain(identity)})
    if rows and not refuse:
        return None
    if rows:
        raise ResumeError(f"{path}: holds a result with other {', '.join(rows)}; {REMEDY}")
    return record


def write_result(path: Path, record: Mapping[str, Any]) -> None:
    """Whole or not at all; NaN is refused."""
    write_text(path, json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
