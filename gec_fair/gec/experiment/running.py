"""Run cells: train, predict, score; whatever is done already is not done again.

Any number of processes may run one experiment. Each takes the cells that nobody is at, comes back to the others when it
has nothing else to do, and takes over what a process left that has died.
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
from gec_fair.evaluate.gap.compare import Told, tell_of
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.gec.experiment import outputs, preflight
from gec_fair.gec.experiment.cells import CELLS, Cell
from gec_fair.gec.experiment.options import TRAININGS, Experiment
from gec_fair.gec.experiment.status import Asked, Standing, refuse_other, standing
from gec_fair.gec.systems.registry import load
from gec_fair.runs.grid import Say, refuse_torchrun, run_cells
from gec_fair.runs.isolated import run_isolated
from gec_fair.runs.lock import Busy, lock
from gec_fair.trainer.records import BEST, CHECKPOINTS

Scores: TypeAlias = Mapping[str, Any]
_GONE = ".gone"  # a model that is being removed: half a model must not look like one


@dataclass(frozen=True, slots=True)
class Work:
    """What running a cell takes. `apart`: each training in a process of its own, so that many do not add up in memory;
    a script that asks for it must be one that can be imported (`if __name__ == "__main__"`)."""

    asked: Asked
    annotator: Annotator
    workers: int = 1
    say: Say = print
    apart: bool = False


def run(
    some: Sequence[Cell], work: Work, *, pause: Callable[[float], None] | None = None
) -> Iterator[tuple[Cell, Scores]]:
    """Run the cells; answers each with its scores when it is finished.

    ResumeError, before anything is run, where a cell holds a run with other settings; CellsFailed in the end where some
    failed. What would fail every cell (something missing, a full disk) ends the run at once.
    """
    ready(some, work.asked)
    return run_cells(some, partial(run_cell, work=work), work.say, pause=pause)


def ready(some: Sequence[Cell], asked: Asked, *, here: bool = True) -> dict[Cell, Standing]:
    """How the cells stand. Errors for what would go wrong after hours: other settings in a cell, something that their
    training lacks (but for a device, where it will not be trained `here`), a baseline that is no such model, several
    processes by torchrun."""
    refuse_torchrun()
    found = {cell: standing(cell, asked) for cell in some}
    refuse_other(found)
    trains = [cell.pairs for cell, each in found.items() if cell.pairs and not each.model]
    if trains:
        preflight.check(asked.experiment.model, asked.settings, trains, here=here)
    if any(not cell.pairs and each.waiting for cell, each in found.items()):
        load(f"{asked.experiment.model}:{asked.experiment.baseline}")
    return found


def run_cell(cell: Cell, work: Work) -> Scores:
    """The scores of one cell. Busy where another process is at it, ResumeError where it holds another run."""
    with lock(cell.folder):
        found = standing(cell, work.asked)
        if not found.finished:
            work.say(f"{cell.name} …")
            found = _trained(cell, found, work)
            _judge(cell, found, work)
        _tidy(cell, keep_model=work.asked.experiment.keep_models)
        scores = outputs.read(cell.folder / outputs.SCORES)
    names = {part.name for part in work.asked.parts}
    sets = {name: one for name, one in scores["sets"].items() if name in names}
    return {name: one for name, one in scores.items() if name != outputs.FULL or name in names} | {"sets": sets}


def _trained(cell: Cell, found: Standing, work: Work) -> Standing:
    """How the cell stands once there is a model."""
    if found.model and not found.other:
        return found
    train = TRAININGS.resolve(work.asked.experiment.model)
    settings = replace(work.asked.settings, train=cell.pairs)
    training = partial(train, settings, cell.folder, seed=cell.seed, workers=work.workers)
    run_isolated(training) if work.apart else training()
    return standing(cell, work.asked)


def _judge(cell: Cell, found: Standing, work: Work) -> None:
    """Predict and score the parts that wait, and no other."""
    waiting = [part for part in work.asked.parts if part.name in found.waiting]
    unwritten = [part for part in waiting if outputs.unwritten(cell.folder, part, found.model)]
    folder = str(cell.folder / BEST) if cell.pairs else work.asked.experiment.baseline
    if unwritten and cell.pairs and not Path(folder).is_dir():
        names = ", ".join(part.name for part in unwritten)
        raise UsageError(
            f"its model was removed (keep_models: false), and outputs for {names} are to be made; ask "
            f"only for what it has, or remove {cell.folder} to train it anew"
        )
    system = cache(partial(load, f"{work.asked.experiment.model}:{folder}"))
    for part in unwritten:
        outputs.predict(cell.folder, part, found.model, system)
    new = {part.name: outputs.score(cell.folder, part, found.model, work.annotator) for part in waiting}
    outputs.keep(cell.folder, work.asked.parts, {**outputs.scores_of(cell.folder), **new})


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
        tell_of(out / CELLS, Told(sets, full, experiment.trained_on))
