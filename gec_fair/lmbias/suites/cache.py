"""Figures of the suites that are finished, beside an output that is not: `OUTPUT.suites`. Each suite's are kept under a
name of all that decides them, so that no other model, option, data or version ever takes them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gec_fair.errors import ResumeError
from gec_fair.lmbias.suites.figures import Figure
from gec_fair.runs.atomic import is_stream
from gec_fair.runs.record import read_record
from gec_fair.runs.results import REMEDY, write_result


@dataclass(frozen=True, slots=True)
class SuiteCache:
    """The record at `path`."""

    path: Path

    @classmethod
    def for_output(cls, output: Path | None) -> SuiteCache | None:
        """The cache beside an output, `OUTPUT.suites`; None without an output, and for a pipe or a device."""
        return None if output is None or is_stream(output) else cls(output.with_name(output.name + ".suites"))

    def figures(self, name: str) -> list[Figure] | None:
        """The figures under a name. ResumeError for a file that is not such a cache."""
        rows = read_record(self.path, REMEDY).get(name)
        try:
            return None if rows is None else [Figure(**row) for row in rows]
        except TypeError as fault:
            raise ResumeError(f"{self.path}: not a record written by gec-fair ({fault}); {REMEDY}") from fault

    def add(self, name: str, figures: Sequence[Figure]) -> None:
        """Write a suite's figures under `name`, beside the other suites'."""
        entries = read_record(self.path, REMEDY)
        write_result(self.path, {**entries, name: [asdict(figure) for figure in figures]})

    def remove(self) -> None:
        """When the output is whole."""
        self.path.unlink(missing_ok=True)
