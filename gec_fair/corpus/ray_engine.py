"""The same work on a Ray cluster: a read task streams blocks, a pool of actors works, the driver writes in order.

Imports Ray Data: the extra `gec-fair[ray]`. Inputs must lie where every node can read them.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import ray
from ray.data import ActorPoolStrategy, DataContext, Datasource, ReadTask
from ray.data.block import BlockMetadata

from gec_fair.corpus.formats.readers import Block
from gec_fair.corpus.pool import attempt
from gec_fair.corpus.step import Step, StepError, StepFactory
from gec_fair.corpus.writers import Rendered
from gec_fair.errors import GecFairError

_COLUMN = "pickled"
_RAY_BLOCK = 1 << 16  # bytes: Ray joins our blocks up to this size, and what is joined goes to one actor


def on_ray(
    factory: StepFactory, blocks: Callable[[], Iterator[Block]], workers: int
) -> Generator[Rendered, None, None]:
    """Rendered blocks in the order of the blocks, by up to `workers` actors of one CPU each.

    Joins a cluster that runs (RAY_ADDRESS), else starts Ray on this machine.
    """
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False, logging_level="error")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    with _set_ray():
        rows = (
            ray.data.read_datasource(_Blocks(blocks), num_cpus=0, override_num_blocks=1)
            .map_batches(
                _Worker,
                fn_constructor_args=(factory,),
                compute=ActorPoolStrategy(min_size=1, max_size=workers),
                batch_size=1,
                batch_format="pyarrow",
                num_cpus=1,
            )
            .iter_rows()
        )
        try:
            for row in rows:
                rendered: Rendered | GecFairError = pickle.loads(row[_COLUMN])
                if isinstance(rendered, GecFairError):
                    raise rendered
                yield rendered
        except ray.exceptions.RayError as fault:
            raise StepError(f"Ray gave up: {fault}; the same command resumes where it stopped") from fault


class _Blocks(Datasource):  # type: ignore[misc]
    """Our blocks, pickled, a row each, from one streaming read task."""

    def __init__(self, blocks: Callable[[], Iterator[Block]]) -> None:
        super().__init__()
        self._blocks = blocks

    def get_read_tasks(self, parallelism: int, *_: Any, **__: Any) -> list[ReadTask]:
        blocks = self._blocks
        unknown = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        return [ReadTask(lambda: (_row(block) for block in blocks()), unknown)]

    def estimate_inmemory_data_size(self) -> None:
        return None


class _Worker:
    """An actor: builds the step once, then renders blocks."""

    def __init__(self, factory: StepFactory) -> None:
        self._factory = factory
        self._step: Step | None = None

    def __call__(self, batch: pa.Table) -> pa.Table:
        rendered: Rendered | GecFairError
        try:
            self._step, rendered = attempt(self._factory, self._step, pickle.loads(batch[_COLUMN][0].as_py()))
        except GecFairError as fault:
            rendered = fault  # as a value: Ray would wrap what is raised
        return _row(rendered)


@contextmanager
def _set_ray() -> Iterator[None]:
    """Ray's settings for the time of a run."""
    context = DataContext.get_current()
    before = context.execution_options.preserve_order, context.target_max_block_size, context.enable_progress_bars
    try:
        context.execution_options.preserve_order = True
        context.target_max_block_size = _RAY_BLOCK
        context.enable_progress_bars = False  # ours is drawn
        yield
    finally:
        context.execution_options.preserve_order, context.target_max_block_size, context.enable_progress_bars = before


def _row(value: object) -> pa.Table:
    return pa.table({_COLUMN: pa.array([pickle.dumps(value)], pa.large_binary())})
