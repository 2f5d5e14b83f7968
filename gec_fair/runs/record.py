"""The record of a run in its folder: whose folder it is, and what the run found.

    FOLDER/begun.json      the identity, written before anything else
    FOLDER/manifest.json   signature, identity and result, written last

A folder belongs to the run that its record describes. Another run is refused with the differences named, and nothing in
the folder is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gec_fair.errors import ResumeError
from gec_fair.runs.atomic import write_json
from gec_fair.runs.identity import Identity, as_plain, differences, sign
from gec_fair.runs.json_files import parse_json

MANIFEST = "manifest.json"
START_FILE = "begun.json"


class Record:
    """The record in `folder` of the run that `identity` describes.

    Raises ResumeError if the folder belongs to another run. `has_begun` says whether an unfinished run owns the folder
    yet: a training that has no checkpoint does not. `is_writer` is false for all but one of several processes that
    train together. With `overwrite`, whatever the folder holds is forgotten. `remedy` ends the refusal.
    """

    def __init__(
        self,
        folder: Path,
        identity: Identity,
        *,
        has_begun: Callable[[], bool] = lambda: True,
        is_writer: bool = True,
        overwrite: bool = False,
        remedy: str = "choose another --output",
    ) -> None:
        self.folder, self.identity, self.remedy = folder, identity.as_json(), remedy
        self._has_begun, self._is_writer, self._signed = has_begun, is_writer, identity.signed
        self._overwrite = overwrite
        if recorded := self._read(MANIFEST) or self._read(START_FILE):
            refuse_other(folder, recorded, self.identity, remedy)

    def begin(self, circumstances: Mapping[str, Any] | None = None) -> None:
        """Claim the folder. `circumstances` (versions, the device) may not change while the run is unfinished:
        ResumeError if they did."""
        plain = as_plain(circumstances or {})
        if self._overwrite and self._is_writer:
            (self.folder / MANIFEST).unlink(missing_ok=True)
        if recorded := self._read(START_FILE):
            refuse_other(self.folder, recorded, plain, self.remedy)
        self._overwrite = False
        if not (self.folder / MANIFEST).exists():
            self._write(START_FILE, {**self.identity, **plain})

    def find_finished(self) -> dict[str, Any] | None:
        """The manifest of a finished run; None before that."""
        return self._read(MANIFEST) or None

    def finish(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Write the manifest: signature, identity, circumstances, then `result`. Answers it."""
        start_row = {**self._read(START_FILE), **self.identity}
        manifest = {"signature": sign(start_row, self._signed), **start_row, **as_plain(result)}
        self._write(MANIFEST, manifest)
        if self._is_writer:
            (self.folder / START_FILE).unlink(missing_ok=True)
        return manifest

    def _read(self, name: str) -> dict[str, Any]:
        if self._overwrite or (name == START_FILE and not self._has_begun()):
            return {}
        return read_record(self.folder / name, self.remedy)

    def _write(self, name: str, content: Mapping[str, Any]) -> None:
        if self._is_writer:
            write_json(self.folder / name, content)


def refuse_other(
    folder: Path, recorded: Mapping[str, Any], current: Mapping[str, Any], remedy: str = "choose another --output"
) -> None:
    """ResumeError if the record is of another run than the current one, with the differences named."""
    if missing := [section for section in current if section not in recorded]:
        raise ResumeError(f"{folder} holds another kind of run (its record has no {', '.join(missing)}); {remedy}")
    if rows := differences(recorded, current):
        raise ResumeError(f"{folder} holds a run with other {', '.join(rows)}; {remedy}")


def read_record(path: Path, remedy: str = "choose another --output") -> dict[str, Any]:
    """A JSON object that an earlier run wrote; empty if there is no such file. ResumeError for anything else."""
    if not path.exists():
        return {}
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise ResumeError(f"{path}: not a record written by gec-fair ({fault}); remove it, or {remedy}") from fault
    if not isinstance(content, dict):
        raise ResumeError(f"{path}: not a record written by gec-fair; remove it, or {remedy}")
    return content
