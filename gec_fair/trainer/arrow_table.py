"""Training data as an Arrow table on disk, made once for all seeds, whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, Features, disable_progress_bars, load_from_disk
from filelock import FileLock, Timeout

from gec_fair.errors import InputError
from gec_fair.runs.atomic import sync, sync_tree
from gec_fair.trainer.nan_guard import report_full_disk


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file's table, and what became of its lines, as a manifest has it."""

    table: Dataset
    counts: dict[str, Any]


Rows = Callable[[Sequence[tuple[int, int]]], Iterator[dict[str, Any]]]
_PART = 1000  # items that are made at once, at most


def load_or_make_table(folder: Path, rows: Rows, items: int, features: Features, *, workers: int = 1) -> Dataset:
    """The table in `folder`; if there is none, `rows` makes those of the half-open spans that it is given, which are
    `range(items)` in all, in `workers` processes (so it must pickle). A killed run leaves nothing that looks like a
    table; of several runs that want the same table one makes it, and the others wait. GecFairError for a full disk."""
    if not folder.exists():
        with alone_at(folder):
            if not folder.exists():
                _make(folder, rows, items, features, workers)
    return load_from_disk(str(folder))


@contextmanager
def alone_at(folder: Path) -> Iterator[None]:
    """One process at a time makes what will lie in `folder`; the others say that they wait. The lock's file stays, for
    to remove it while another waits for it would be a race."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.with_name(folder.name + ".lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        print(f"waiting for another process that prepares the same data ({folder})", file=sys.stderr)
        lock.acquire()
    try:
        with report_full_disk(folder.parent):
            yield
    finally:
        lock.release()


def _make(folder: Path, rows: Rows, items: int, features: Features, workers: int) -> None:
    fresh = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(fresh, ignore_errors=True)  # of a run that was killed
    fresh.mkdir()
    if not sys.stderr.isatty():
        disable_progress_bars()
    spans = list(pairwise([*range(0, items, _PART), items]))
    try:
        dataset = Dataset.from_generator(
            rows,
            features=features,
            cache_dir=str(fresh / "made"),
            gen_kwargs={"spans": spans},
            num_proc=min(workers, len(spans)) if workers > 1 and len(spans) > 1 else None,
            fingerprint=folder.name,
        )
        dataset.save_to_disk(str(fresh / "table"))
        del dataset
        sync_tree(fresh / "table")
        os.replace(fresh / "table", folder)
        sync(folder.parent)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def training_tables(
    prepare: Callable[[Path], Prepared], train: str, dev: str
) -> tuple[Dataset, Dataset, dict[str, Any]]:
    """Training and validation rows, and what became of their files' lines. Without a `dev` file the rows of the
    training data that are `held` validate. InputError where they are too few."""
    prepared = prepare(Path(train))
    if dev:
        validating = prepare(Path(dev))
        return prepared.table, validating.table, {**prepared.counts, "dev": validating.counts}
    table, apart = prepared.table, column(prepared.table, "held")
    if apart.all() or not apart.any():
        raise InputError(f"{train}: {len(table)} pairs are too few to hold some out; name a dev file")
    return table.select(np.flatnonzero(~apart)), table.select(np.flatnonzero(apart)), prepared.counts


def column(table: Dataset, name: str) -> np.ndarray[Any, Any]:
    """A column of numbers, whole."""
    return np.asarray(table.with_format("arrow")[name])


def is_held_out(source: str, one_in: int = 50) -> bool:
    """Whether a sentence is held out for validation: a function of its words, so that all its pairs go one way."""
    words = " ".join(source.split())
    return int.from_bytes(sha256(words.encode("utf-8", "surrogatepass")).digest()[:8], "big") % one_in == 0
