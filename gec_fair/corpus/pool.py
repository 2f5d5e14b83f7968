"""The local pool: blocks out to processes, rendered blocks back in order, never more in flight than fits.

Raw rows travel to the workers and finished bytes come back: both are copied, not taken apart, by the parent. Where it
is safe, workers are forked from a parent that has built the step already: models are loaded once and shared.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

from threadpoolctl import threadpool_limits

from gec_fair.corpus.readers import Block
from gec_fair.corpus.step import Step, StepError, StepFactory, work
from gec_fair.corpus.writers import Rendered
from gec_fair.errors import GecFairError

_IN_FLIGHT = 4  # blocks a worker: enough to keep it busy while an older block is waited for

# Libraries with threads or a device of their own, which a fork would leave half alive in the child.
_NOT_FORKED = frozenset({"torch", "ray", "pyarrow"})

_factory: StepFactory | None = None  # of this worker process
_step: Step | None = None


def local(factory: StepFactory, blocks: Callable[[], Iterator[Block]], workers: int) -> Generator[Rendered, None, None]:
    """Rendered blocks in the order of the blocks; in this very process where `workers` is 1."""
    return _here(factory, blocks()) if workers == 1 else _processes(factory, blocks(), workers)


def _here(factory: StepFactory, blocks: Iterable[Block]) -> Generator[Rendered, None, None]:
    step: Step | None = None
    for block in blocks:
        step = step or factory()
        yield work(step, block)


def _processes(factory: StepFactory, blocks: Iterable[Block], workers: int) -> Generator[Rendered, None, None]:
    start = context()
    inherited = factory() if start.get_start_method() == "fork" else None
    pool = ProcessPoolExecutor(workers, start, _start, (factory, inherited))
    waiting: deque[tuple[Block, Future[Rendered]]] = deque()
    try:
        for block in blocks:
            waiting.append((block, pool.submit(_task, block)))
            if len(waiting) >= workers * _IN_FLIGHT:
                yield _oldest(waiting)
        while waiting:
            yield _oldest(waiting)
    except BrokenProcessPool as fault:
        raise StepError(_killed(waiting)) from fault
    finally:
        pool.shutdown(cancel_futures=True)


def context() -> BaseContext:
    """How worker processes start here: forked where that is safe, spawned elsewhere."""
    return multiprocessing.get_context("fork" if _may_fork() else "spawn")


def _may_fork() -> bool:
    """Linux, one thread, and no library that does not survive it; otherwise workers start from nothing (spawn)."""
    return sys.platform == "linux" and threading.active_count() == 1 and _NOT_FORKED.isdisjoint(sys.modules)


def _oldest(waiting: deque[tuple[Block, Future[Rendered]]]) -> Rendered:
    rendered = waiting[0][1].result()
    waiting.popleft()
    return rendered


def _killed(waiting: deque[tuple[Block, Future[Rendered]]]) -> str:
    span = f"{waiting[0][0].where} … {waiting[-1][0].where}" if waiting else "the first lines"
    return (
        f"a worker process was killed while {span} were in hand, perhaps for want of memory; "
        "run the same command again, with fewer --workers if need be: it goes on where it stopped"
    )


def _start(factory: StepFactory, step: Step | None) -> None:
    """Only remember the factory, and what a forked worker inherits: what fails is then reported like any fault.

    Workers share the cores already: a linear algebra library that also starts a thread a core in each of them costs
    half the speed.
    """
    global _factory, _step
    _factory, _step = factory, step
    threadpool_limits(1)
    end_with_parent()


def end_with_parent() -> None:
    """Of a child process: the parent answers Ctrl-C, and its death, however it comes, is the child's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """A worker waits for tasks on a pipe that it holds open itself: without this it outlives a killed parent."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _task(block: Block) -> Rendered:
    global _step
    assert _factory is not None
    _step, rendered = attempt(_factory, _step, block)
    return rendered


def attempt(factory: StepFactory, step: Step | None, block: Block) -> tuple[Step, Rendered]:
    """Work on a block in a worker, building the step for the first one. Raises only errors that survive pickling."""
    try:
        step = step or factory()
        return step, work(step, block)
    except GecFairError as fault:
        raise portable(fault) from fault
    except Exception as fault:
        raise StepError(f"{block.where}: {type(fault).__name__}: {fault}") from fault


def portable(fault: GecFairError) -> GecFairError:
    """The error itself where it survives pickling, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(fault))
    except Exception:
        return GecFairError(str(fault))
    return fault
