"""JSON files, read so that a damaged one is refused with file, line and remedy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError

AGAIN = "make the run again"
"""The remedy where a run wrote the file."""


def parse_json(text: str) -> Any:
    """The value. ValueError for what is not JSON, and for arrays in arrays that are nested too deeply to be read."""
    try:
        return json.loads(text)
    except RecursionError as fault:
        raise ValueError("it is nested too deeply") from fault


def json_line(row: Any, *, is_ascii: bool = False) -> str:
    """A row as a line of JSONL, which any reader takes. NaN and infinities, which JSON does not have, are null; bytes
    are text; what else JSON does not know is written as `str` has it; half a surrogate pair stays escaped."""
    try:
        line = json.dumps(row, ensure_ascii=is_ascii, allow_nan=False, default=_as_text) + "\n"
    except ValueError:
        line = json.dumps(_without_nan(row), ensure_ascii=is_ascii, allow_nan=False, default=_as_text) + "\n"
    return line if is_unicode(line) else json_line(row, is_ascii=True)


HALF_PAIR = "holds half a surrogate pair, which is not a character"


def is_unicode(text: str) -> bool:
    """Whether a text can be written as UTF-8: it holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes | bytearray) else str(value)


def _without_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nan(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(entry) for entry in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def read_object(path: Path, remedy: str = AGAIN) -> dict[str, Any]:
    """The one JSON object of a file. InputError for anything else."""
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); {remedy}") from fault
    except ValueError as fault:
        raise InputError(f"{path}: is not valid JSON ({fault}); {remedy}") from fault
    if not isinstance(content, dict):
        raise InputError(f"{path}: is not a JSON object; {remedy}")
    return content


def read_object_lines(path: Path, remedy: str = AGAIN) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one a line. InputError, with the line, for anything else."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = parse_json(line.decode("utf-8-sig"))
            except ValueError as fault:
                raise InputError(f"{path}:{number}: is not valid JSON ({fault}); {remedy}") from fault
            if not isinstance(row, dict):
                raise InputError(f"{path}:{number}: is not a JSON object; {remedy}")
            yield row


@contextmanager
def refuse_other_content(path: Path, remedy: str = AGAIN) -> Iterator[None]:
    """InputError where a JSON object lacks what is read of it here, or has it in another form."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as fault:
        reason = f"no {fault}" if isinstance(fault, KeyError) else str(fault)
        raise InputError(f"{path}: is not what gec-fair wrote ({reason}); {remedy}") from fault
