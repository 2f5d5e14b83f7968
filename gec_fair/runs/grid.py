"""A grid of cells (trainings, models to judge), shared by any number of processes and machines.

Each process takes the cells that no other process works on, returns to the others when nothing else is left, and takes
over what a dead process left unfinished. A cell that fails does not stop the others.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Protocol, TypeAlias, TypeVar

from gec_fair.errors import DiskFull, GecFairError, MissingResource, UsageError
from gec_fair.runs.atomic import is_for_want_of_room
from gec_fair.runs.lock import PAUSE, Busy

Say: TypeAlias = Callable[[str], None]


class Cell(Protocol):
    """One job of a grid, with a name that messages use."""

    @property
    def name(self) -> str:
        """The name of the cell in messages; it is unique in the grid."""
        ...


Item = TypeVar("Item", bound=Cell)
Result = TypeVar("Result")


class CellsFailed(GecFairError):
    """Some cells failed; the others are finished. The exit code is 2 if all of them met bad input, else 1."""

    def __init__(self, names: Sequence[str], exit_code: int = 1) -> None:
        self.exit_code = exit_code
        number = f"{len(names)} cells" if len(names) > 1 else "1 cell"
        super().__init__(
            f"{number} failed: {', '.join(names)}; why stands above. The same command runs only what is not finished"
        )


def run_cells(
    cells: Sequence[Item],
    run_cell: Callable[[Item], Result],
    say: Say,
    *,
    at_once: int = 1,
    pause: Callable[[float], None] | None = None,
) -> Iterator[tuple[Item, Result]]:
    """Run every cell, `at_once` of them in parallel threads; yields each cell with its result when it is finished.

    `run_cell` raises Busy for a cell that another process works on: it is tried again after the others. CellsFailed at
    the end if cells failed. A fault that every cell would meet (a missing model, a full disk) is raised at once.
    """
    waiting, failed = list(cells), []
    exit_code = 2
    announced: list[Item] = []
    while waiting:
        busy = []
        for cell, outcome in _run_round(waiting, run_cell, at_once):
            if isinstance(outcome, Busy):
                busy.append(cell)
            elif isinstance(outcome, Exception):
                failed.append(cell.name)
                exit_code = min(exit_code, outcome.exit_code if isinstance(outcome, GecFairError) else 1)
                say(f"{cell.name}: {explain(outcome)}")
            else:
                yield cell, outcome
        busy.sort(key=cells.index)
        if busy == waiting:
            if busy != announced:
                say(f"waiting for {', '.join(cell.name for cell in busy)}: another process is at it")
                announced = busy
            (pause or time.sleep)(PAUSE)
        waiting = busy
    if failed:
        raise CellsFailed(failed, exit_code)


def finish_cells(
    cells: Sequence[Item], run_cell: Callable[[Item], Result], say: Say, *, at_once: int = 1
) -> list[Result]:
    """The results of all cells, in their order; see `run_cells`."""
    results = {cell.name: result for cell, result in run_cells(cells, run_cell, say, at_once=at_once)}
    return [results[cell.name] for cell in cells]


def _run_round(
    cells: Sequence[Item], run_cell: Callable[[Item], Result], at_once: int
) -> Iterator[tuple[Item, Result | Exception]]:
    """Each cell once, with its result or its fault. Raises a fault that every cell would meet."""

    def attempt(cell: Item) -> Result | Exception:
        try:
            return run_cell(cell)
        except Exception as fault:
            if concerns_all(fault):
                raise
            return fault

    if at_once == 1:
        yield from ((cell, attempt(cell)) for cell in cells)
        return
    with ThreadPoolExecutor(at_once) as pool:
        futures: dict[Future[Result | Exception], Item] = {pool.submit(attempt, cell): cell for cell in cells}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def concerns_all(fault: BaseException | None) -> bool:
    """Whether every other cell would meet this fault too."""
    if fault is None:
        return False
    return isinstance(fault, (DiskFull, MissingResource)) or is_for_want_of_room(fault) or concerns_all(fault.__cause__)


def explain(fault: Exception) -> str:
    """The sentence of an error of ours; the traceback of any other."""
    return str(fault) if isinstance(fault, GecFairError) else "".join(traceback.format_exception(fault)).rstrip()


def refuse_torchrun() -> None:
    """UsageError if torchrun started several processes: they would all train the same cell."""
    if int(os.environ.get("WORLD_SIZE") or 1) > 1 or int(os.environ.get("RANK") or 0) > 0:
        raise UsageError(
            "an experiment does not run under torchrun: start one process for each GPU instead "
            "(CUDA_VISIBLE_DEVICES=0 gec-fair experiment run …; they share the cells), or one big "
            "training with torchrun -m gec_fair.cli gector train"
        )
