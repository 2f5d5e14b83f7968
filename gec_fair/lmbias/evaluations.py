"""What suites found of a model, kept beside it: a JSON file for each choice of suites and options, which it tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair.lmbias.options import Suites
from gec_fair.lmbias.scoring.self_debias import SelfDebias
from gec_fair.lmbias.suites import catalogue
from gec_fair.runs.identity import as_plain
from gec_fair.runs.results import read_result, write_result


@dataclass(frozen=True, slots=True)
class Evaluations:
    """The files of one choice of suites and options. Those of other choices may lie beside them. `data` are names for
    the items of each suite; what was found of other items does not count."""

    options: Suites
    data: tuple[str, ...]

    @classmethod
    def prepare(cls, options: Suites) -> Evaluations:
        """Read the data that are here. Raises as `catalogue.prepare` does."""
        return cls(options, tuple(part.data for part in catalogue.prepare(options)))

    def path(self, folder: Path, name: str) -> Path:
        """The file of one model, by its name in the folder."""
        digest = sha256(json.dumps(as_plain(self.options), sort_keys=True).encode()).hexdigest()[:8]
        return folder / f"{name}-{digest}.json"

    def read(self, folder: Path, name: str) -> Mapping[str, Any] | None:
        """What the suites found of a model; None if they were not run. ResumeError for a file of another kind."""
        return self._read(self.path(folder, name))

    def read_all(self, folder: Path) -> list[Mapping[str, Any]]:
        """Read the evaluations of all models of a folder."""
        return [evaluation for path in folder.glob("*.json") if (evaluation := self._read(path)) is not None]

    def _read(self, path: Path) -> Mapping[str, Any] | None:
        record = read_result(path, "options", as_plain(self.options), refuse=False)
        return record if record and record.get("data", [*self.data]) == [*self.data] else None

    def judge(self, model: str, folder: Path, name: str, *, self_debias: SelfDebias | None = None, **more: Any) -> None:
        """Run the suites and write the result, unless it is there; `more` is written next to it."""
        from gec_fair.lmbias.scoring.load import load, load_for_vectors

        path = self.path(folder, name)
        if self._read(path) is not None:
            return
        reader = load if self.options.needs_head else load_for_vectors
        scored = catalogue.run(reader(model, self_debias=self_debias), self.options)
        figures = [figure.as_json() for figure in scored.figures]
        identity = {"options": as_plain(self.options), "data": self.data}
        content = {**identity, "signature": scored.signature, "figures": figures}
        write_result(path, {**more, **content})
