"""Run cells: train, predict, score; whatever is done already is not done again.

Any number of processes may run one experiment. Each takes the cells that nobody is at, comes back to the others when it
has nothing else to do, and takes over what a process left that has died.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeAlias

from gec_fair.errors import DiskFull, GecFairError, MissingResource, UsageError
from gec_fair.evaluate.gap.compare import Told, tell_of
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.gec.experiment import outputs, preflight
from gec_fair.gec.experiment.cells import CELLS, Cell
from gec_fair.gec.experiment.isolated import apart
from gec_fair.gec.experiment.options import MODELS, Experiment
from gec_fair.gec.experiment.status import Asked, Standing, refuse_other, standing
from gec_fair.gec.systems.registry import load
from gec_fair.trainer.records import BEST, CHECKPOINTS

Scores: TypeAlias = Mapping[str, Any]
Say: TypeAlias = Callable[[str], None]
_PAUSE = 5.0  # seconds between two looks at cells that others are at
_GONE = ".gone"  # a model that is being removed: half a model must not look like one


class Busy(GecFairError):
    """Another process is at this cell."""


class CellsFailed(GecFairError):
    """Cells that came to no end; the others did."""

    exit_code = 1

    def __init__(self, names: Sequence[str]) -> None:
        many = f"{len(names)} cells" if len(names) > 1 else "1 cell"
        super().__init__(
            f"{many} failed: {', '.join(names)}; why stands above. The same command runs only what is not finished"
        )


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
    some: Sequence[Cell], work: Work, *, pause: Callable[[float], None] = time.sleep
) -> Iterator[tuple[Cell, Scores]]:
    """Run the cells; answers each with its scores when it is finished.

    ResumeError, before anything is run, where a cell holds a run with other settings; CellsFailed in the end where some
    failed. What would fail every cell (something missing, a full disk) ends the run at once.
    """
    ready(some, work.asked)
    return take_turns(some, partial(run_cell, work=work), work.say, pause)


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


def take_turns(
    some: Sequence[Cell], one: Callable[[Cell], Scores], say: Say, pause: Callable[[float], None]
) -> Iterator[tuple[Cell, Scores]]:
    """`one` of every cell, the Busy ones again and again after the others."""
    waiting, failed = list(some), []
    told: list[Cell] = []
    while waiting:
        busy = []
        for cell in waiting:
            try:
                scores = one(cell)
            except Busy:
                busy.append(cell)
            except Exception as fault:
                if for_all(fault):
                    raise
                failed.append(cell.name)
                say(f"{cell.name}: {why(fault)}")
            else:
                yield cell, scores
        if busy == waiting:
            if busy != told:
                say(f"waiting for {', '.join(cell.name for cell in busy)}: another process is at it")
                told = busy
            pause(_PAUSE)
        waiting = busy
    if failed:
        raise CellsFailed(failed)


def for_all(fault: BaseException | None) -> bool:
    """Whether a fault would meet every other cell too."""
    if fault is None:
        return False
    full = isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or isinstance(fault, (DiskFull, MissingResource)) or for_all(fault.__cause__)


def why(fault: Exception) -> str:
    """In a sentence where it is one of ours; else all that helps to mend it."""
    return str(fault) if isinstance(fault, GecFairError) else "".join(traceback.format_exception(fault)).rstrip()


def run_cell(cell: Cell, work: Work) -> Scores:
    """The scores of one cell. Busy where another process is at it, ResumeError where it holds another run."""
    with alone(cell.folder):
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
    train = import_module(MODELS[work.asked.experiment.model][2]).train
    settings = replace(work.asked.settings, train=cell.pairs)
    training = partial(train, settings, cell.folder, seed=cell.seed, workers=work.workers)
    apart(training) if work.apart else training()
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


_LOCKS: set[IO[str]] = set()
if hasattr(os, "register_at_fork"):  # a forked child that outlives this process would go on holding its locks
    os.register_at_fork(after_in_child=lambda: [file.close() for file in _LOCKS])


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """No second process in a folder: Busy; a lock that its owner's death frees, whatever its children still do."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        yield
        return
    with (folder / ".lock").open("w") as file:
        _LOCKS.add(file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            if fault.errno in (errno.EWOULDBLOCK, errno.EAGAIN):
                raise Busy(f"{folder}: another process is at it") from fault
            raise GecFairError(
                f"{folder}: cannot be locked ({fault.strerror}); the experiment's folder must be on "
                "storage that has file locks"
            ) from fault
        try:
            yield
        finally:
            _LOCKS.discard(file)


def refuse_torchrun() -> None:
    """UsageError where torchrun started several processes: they would all train the same cell."""
    if int(os.environ.get("WORLD_SIZE") or 1) > 1 or int(os.environ.get("RANK") or 0) > 0:
        raise UsageError(
            "an experiment does not run under torchrun: start one process for each GPU instead "
            "(CUDA_VISIBLE_DEVICES=0 gec-fair experiment run …; they share the cells), or one big "
            "training with torchrun -m gec_fair.cli gector train"
        )


def tell_what_is_there(experiment: Experiment, out: Path) -> None:
    """Beside the cells, for `gec-fair compare`: their sets, the development set, what systems 0–4 were trained on."""
    sets = tuple(str(Path(name).resolve()) if Path(name).is_dir() else name for name in experiment.sets)
    full = str(Path(experiment.full).resolve()) if experiment.full else ""
    with suppress(Busy), alone(out / CELLS):  # who is busy here writes the same
        tell_of(out / CELLS, Told(sets, full, experiment.trained_on))
