"""The local pool: blocks out to processes, rendered blocks back in order, never more in flight than fits.

Raw rows travel to the workers and finished bytes come back: both are copied, not taken apart, by the parent. Where it
is safe, workers are forked from a parent that has built the step already: models are loaded once and shared.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from threadpoolctl import threadpool_limits

from gec_fair.corpus.formats.readers import Block
from gec_fair.corpus.step import Step, StepError, StepFactory, work
from gec_fair.corpus.writers import Rendered
from gec_fair.errors import GecFairError
from gec_fair.runs.processes import context, end_with_parent, portable

_IN_FLIGHT = 4  # blocks a worker: enough to keep it busy while an older block is waited for

_factory: StepFactory | None = None  # of this worker process
_step: Step | None = None


def local(factory: StepFactory, blocks: Callable[[], Iterator[Block]], workers: int) -> Generator[Rendered, None, None]:
    """Rendered blocks in the order of the blocks; in this very process where `workers` is 1."""
    return _render_here(factory, blocks()) if workers == 1 else _processes(factory, blocks(), workers)


def _render_here(factory: StepFactory, blocks: Iterable[Block]) -> Generator[Rendered, None, None]:
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
        raise StepError(_explain_kill(waiting)) from fault
    finally:
        pool.shutdown(cancel_futures=True)


def _oldest(waiting: deque[tuple[Block, Future[Rendered]]]) -> Rendered:
    rendered = waiting[0][1].result()
    waiting.popleft()
    return rendered


def _explain_kill(waiting: deque[tuple[Block, Future[Rendered]]]) -> str:
    span = f"{waiting[0][0].where} … {waiting[-1][0].where}" if waiting else "the first lines"
    return (
        f"a worker process was killed while {span} were in hand, perhaps for want of memory; "
        "run the same command again, with fewer --workers if need be: it resumes where it stopped"
    )


def _start(factory: StepFactory, step: Step | None) -> None:
    """Only remember the factory, and what a forked worker inherits: what fails is then reported like any fault.

    Workers share the cores already: a linear algebra library that also starts a thread a core in each of them costs
    half the speed.
    """
    global _factory, _step
    _factory, _step = factory, step
    threadpool_limits(1)
    gc.freeze()  # the models stay as long as the worker: the collector need not walk them, nor write on shared pages
    end_with_parent()


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
