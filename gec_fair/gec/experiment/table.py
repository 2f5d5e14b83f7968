"""The tables of an experiment: `compare` over its finished cells, in the paper's form and beside its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError
from gec_fair.evaluate.gap import results
from gec_fair.evaluate.gap.compare import Output, compare
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.report import page
from gec_fair.evaluate.report.tables import tables
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.gec.experiment.cells import Cell, cells
from gec_fair.gec.experiment.outputs import FULL, Part, read, scores_of
from gec_fair.gec.experiment.status import Request, read_status, refuse_stale
from gec_fair.report.table import Table
from gec_fair.runs.record import MANIFEST

FIRST = ("full", "gap-", "explicit-bias", "differences")
"""Tables 3 and 8, 4 and 5, 6; and the differences between systems."""


@dataclass(frozen=True, slots=True)
class Tabulated:
    """What `compare` found, its tables, the report's page, and what a reader must know of the cells."""

    results: Mapping[str, Any]
    tables: tuple[Table, ...]
    report: Path
    notes: tuple[str, ...]


def tabulate(request: Request, out: Path, annotator: Annotator, *, resamples: int = 10_000) -> Tabulated:
    """The tables over all finished cells, with a note of the unfinished ones. InputError if no cell is finished,
    ResumeError if the scores of a cell are not those that the request describes."""
    page.check()
    statuses = {cell: read_status(cell, request) for cell in cells(request.experiment, out)}
    refuse_stale(statuses)
    done = [cell for cell, status in statuses.items() if status.finished]
    if not done:
        raise InputError(f"{out}: no cell is finished; gec-fair experiment run runs them, status says how far they are")
    done.sort(key=lambda cell: (cell.system, cell.seed))
    outputs = [_output(cell, part) for part in request.parts if part.evalset is not None for cell in done]
    compared = compare(outputs, ScoreOptions(), annotator, full=_full(done, request.parts), resamples=resamples)
    summary = results.as_json(compared, outputs, out.name, trained_on=request.experiment.trained_on)
    results.write(summary, out / "report")
    written = page.write(summary, out / "report")
    shown_tables = [table for table in tables(summary) if table.name != "gap-by-swap"]
    unfinished = [cell.name for cell, status in statuses.items() if not status.finished]
    notes = ([f"not finished, and left out: {', '.join(unfinished)}"] if unfinished else []) + list(
        _notes(done, request.parts)
    )
    return Tabulated(summary, tuple(shown_tables), written[0], tuple(notes))


def _output(cell: Cell, part: Part) -> Output:
    orig, aug = (cell.folder / name for name in part.sources)
    return Output(part.set_name, part.name, cell.system, str(cell.seed), orig, aug)


def _full(done: Sequence[Cell], parts: Sequence[Part]) -> tuple[Path, dict[str, list[Path]]] | None:
    for part in parts:
        if part.name == FULL:
            files: dict[str, list[Path]] = {}
            for cell in done:
                files.setdefault(cell.system, []).extend(cell.folder / name for name in part.sources)
            return part.references[0], files
    return None


def _notes(done: Sequence[Cell], parts: Sequence[Part]) -> Iterator[str]:
    """Texts that a model passed through count as uncorrected; cells of several versions may differ for that."""
    scores = [scores_of(cell.folder) for cell in done]
    for part in parts:
        passed = sum(sum(scores_of_cell[part.name]["passed_through"]) for scores_of_cell in scores)
        if passed:
            yield f"{part.name}: {passed:,} texts were passed through, as too long or without an answer (all cells)"
    versions = {str(read(cell.folder / MANIFEST).get("versions")) for cell in done if cell.pairs}
    if len(versions) > 1:
        yield f"cells were trained with different versions: {' and '.join(sorted(versions))}"
