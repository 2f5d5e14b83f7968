"""Figures of the suites that are finished, beside an output that is not: `OUTPUT.suites`. Each suite's are kept under a
name of all that decides them, so that no other model, option, data or version ever takes them up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gec_fair.errors import ResumeError
from gec_fair.lmbias.suites.figures import Figure
from gec_fair.runs.atomic import write_text


@dataclass(frozen=True, slots=True)
class SuiteCache:
    """The record at `path`."""

    path: Path

    @classmethod
    def for_output(cls, output: Path) -> SuiteCache:
        return cls(output.with_name(output.name + ".suites"))

    def figures(self, name: str) -> list[Figure] | None:
        """What was found under a name. ResumeError for a file that is not a record of ours."""
        try:
            rows = self._read().get(name)
            return None if rows is None else [Figure(**row) for row in rows]
        except (ValueError, TypeError, AttributeError) as fault:
            raise ResumeError(
                f"{self.path}: holds no figures of ours ({fault}); remove it, or give another --output"
            ) from fault

    def add(self, name: str, figures: Sequence[Figure]) -> None:
        payload = {**self._read(), name: [asdict(figure) for figure in figures]}
        write_text(self.path, json.dumps(payload, ensure_ascii=False, allow_nan=False, indent=1) + "\n")

    def remove(self) -> None:
        """When the output is whole."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        payload: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return payload
