"""The tables of an experiment: `compare` over its finished cells, in the paper's form and beside its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError
from gec_fair.evaluate import evalsets, results
from gec_fair.evaluate.compare import AUG, FULL, ORIG, Output, compare
from gec_fair.evaluate.errant import Annotator
from gec_fair.evaluate.judge import ScoreOptions
from gec_fair.evaluate.report import page
from gec_fair.evaluate.report.tables import Table, tables
from gec_fair.gec.experiment.cells import cells
from gec_fair.gec.experiment.options import Experiment

FIRST = ("full", "gap-", "explicit-bias", "differences")
"""Tables 3 and 8, 4 and 5, 6; and the differences between systems."""


@dataclass(frozen=True, slots=True)
class Tabulated:
    """What `compare` found, its tables, and the report's page."""

    results: Mapping[str, Any]
    tables: tuple[Table, ...]
    report: Path


def tabulate(experiment: Experiment, out: Path, annotator: Annotator, *, resamples: int = 10_000) -> Tabulated:
    """Over all finished cells; what is not finished is left out. InputError where none is."""
    page.check()
    done = [cell for cell in cells(experiment, out) if cell.finished]
    if not done:
        raise InputError(f"{out}: no cell is finished; gec-fair experiment run runs them, status says how far they are")
    given = experiment.sets or evalsets.present()
    outputs = [
        Output(name, path.name, cell.system, str(cell.seed), path / ORIG, path / AUG)
        for name, path_of in ((name, evalsets.find(name).name) for name in given)
        for cell in sorted(done, key=lambda cell: (cell.system, cell.seed))
        if (path := cell.folder / path_of).is_dir()
    ]
    full = None
    if experiment.full:
        whole: dict[str, list[Path]] = {}
        for cell in done:
            whole.setdefault(cell.system, []).append(cell.folder / FULL)
        full = (Path(experiment.full), dict(sorted(whole.items())))
    found = compare(outputs, ScoreOptions(), annotator, full=full, resamples=resamples)
    told = results.as_json(found, outputs, out.name)
    results.write(told, out / "report")
    written = page.write(told, out / "report")
    shown = [each for each in tables(told) if each.name != "gap-by-swap"]
    return Tabulated(told, tuple(shown), written[0])
