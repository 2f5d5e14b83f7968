"""Run cells: train, predict, score; whatever is done already is not done again.

Any number of processes may run one experiment. Each takes cells that no other process has, comes back to the
others when it has nothing else to do, and takes over the cells of a process that died.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from gec_fair.errors import UsageError
from gec_fair.evaluate.gap.compare import RunsFile, tell_of
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.gec.experiment import outputs, preflight
from gec_fair.gec.experiment.cells import CELLS, Cell
from gec_fair.gec.experiment.options import TRAININGS, Experiment
from gec_fair.gec.experiment.status import CellStatus, Request, read_status, refuse_differing
from gec_fair.gec.systems.registry import load
from gec_fair.runs.grid import Say, refuse_torchrun, run_cells
from gec_fair.runs.isolated import run_isolated
from gec_fair.runs.lock import Busy, lock
from gec_fair.trainer.records import BEST, CHECKPOINTS

Scores: TypeAlias = Mapping[str, Any]
_GONE = ".gone"  # a model that is being removed: half a model must not look like one


@dataclass(frozen=True, slots=True)
class Work:
    """What running a cell takes. `apart`: each training in its own process, so that many do not add up in memory;
    a script that asks for it must be one that can be imported (`if __name__ == "__main__"`)."""

    request: Request
    annotator: Annotator
    workers: int = 1
    say: Say = print
    apart: bool = False


def run(
    selected: Sequence[Cell], work: Work, *, pause: Callable[[float], None] | None = None
) -> Iterator[tuple[Cell, Scores]]:
    """Run the cells; answers each with its scores when it is finished.

    ResumeError, before anything is run, where a cell holds a run with other settings; CellsFailed in the end where some
    failed. What would fail every cell (something missing, a full disk) ends the run at once.
    """
    check_cells(selected, work.request)
    return run_cells(selected, partial(run_cell, work=work), work.say, pause=pause)


def check_cells(selected: Sequence[Cell], request: Request, *, trains_here: bool = True) -> dict[Cell, CellStatus]:
    """The status of each cell. Raises for what would fail after hours: other settings in a cell, inputs missing for its
    training (the device only if it `trains_here`), a baseline that is not such a model, several processes by
    torchrun."""
    refuse_torchrun()
    statuses = {cell: read_status(cell, request) for cell in selected}
    refuse_differing(statuses)
    trains = [cell.pairs for cell, status in statuses.items() if cell.pairs and not status.model]
    if trains:
        preflight.check(request.experiment.model, request.settings, trains, trains_here=trains_here)
    if any(not cell.pairs and status.waiting for cell, status in statuses.items()):
        load(f"{request.experiment.model}:{request.experiment.baseline}")
    return statuses


def run_cell(cell: Cell, work: Work) -> Scores:
    """The scores of one cell. Busy where another process is at it, ResumeError where it holds another run."""
    with lock(cell.folder):
        status = read_status(cell, work.request)
        if not status.finished:
            work.say(f"{cell.name} …")
            status = _train(cell, status, work)
            _judge(cell, status, work)
        _tidy(cell, keep_model=work.request.experiment.keep_models)
        scores = outputs.read(cell.folder / outputs.SCORES)
    names = {part.name for part in work.request.parts}
    sets = {name: row for name, row in scores["sets"].items() if name in names}
    return {name: value for name, value in scores.items() if name != outputs.FULL or name in names} | {"sets": sets}


def _train(cell: Cell, status: CellStatus, work: Work) -> CellStatus:
    """The cell's status once it has a model."""
    if status.model and not status.differences:
        return status
    train = TRAININGS.resolve(work.request.experiment.model)
    settings = replace(work.request.settings, train=cell.pairs)
    training = partial(train, settings, cell.folder, seed=cell.seed, workers=work.workers)
    run_isolated(training) if work.apart else training()
    return read_status(cell, work.request)


def _judge(cell: Cell, status: CellStatus, work: Work) -> None:
    """Predict and score the parts that wait, and no other."""
    waiting = [part for part in work.request.parts if part.name in status.waiting]
    unwritten = [part for part in waiting if outputs.find_unwritten(cell.folder, part, status.model)]
    folder = str(cell.folder / BEST) if cell.pairs else work.request.experiment.baseline
    if unwritten and cell.pairs and not Path(folder).is_dir():
        names = ", ".join(part.name for part in unwritten)
        raise UsageError(
            f"its model was removed (keep_models: false), and outputs for {names} are to be made; ask "
            f"only for what it has, or remove {cell.folder} to train it anew"
        )
    system = cache(partial(load, f"{work.request.experiment.model}:{folder}"))
    for part in unwritten:
        outputs.predict(cell.folder, part, status.model, system)
    new = {part.name: outputs.score(cell.folder, part, status.model, work.annotator) for part in waiting}
    outputs.keep(cell.folder, work.request.parts, {**outputs.scores_of(cell.folder), **new})


def _tidy(cell: Cell, *, keep_model: bool) -> None:
    """Only an unfinished training needs its checkpoints."""
    shutil.rmtree(cell.folder / CHECKPOINTS, ignore_errors=True)
    if cell.pairs and not keep_model:
        with suppress(FileNotFoundError):
            os.replace(cell.folder / BEST, cell.folder / _GONE)
        shutil.rmtree(cell.folder / _GONE, ignore_errors=True)


def tell_what_is_there(experiment: Experiment, out: Path) -> None:
    """Beside the cells, for `gec-fair compare`: their sets, the development set, what systems 0–4 were trained on."""
    sets = tuple(str(Path(name).resolve()) if Path(name).is_dir() else name for name in experiment.sets)
    full = str(Path(experiment.full).resolve()) if experiment.full else ""
    with suppress(Busy), lock(out / CELLS):  # who is busy here writes the same
        tell_of(out / CELLS, RunsFile(sets, full, experiment.trained_on))


def describe_scores(scores: Mapping[str, Any]) -> str:
    """The scores of a cell in one line."""
    parts = [f"F0.5 {scores['full']['f0.5']:.2f}"] if "full" in scores else []
    parts += [f"{name} {row['orig']['f0.5']:.2f} {_gap_text(row['delta'])}" for name, row in scores["sets"].items()]
    return "  ".join(parts)


def _gap_text(delta: float | None) -> str:
    """A system without a correct edit has none."""
    return "(no gap)" if delta is None else f"{delta:+.2f}"
