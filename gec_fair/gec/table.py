"""Training data as an Arrow table on disk, made once for all seeds, whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, Features, disable_progress_bars, load_from_disk

from gec_fair.corpus.atomic import sync

Rows = Callable[[Sequence[tuple[int, int]]], Iterator[dict[str, Any]]]
_PART = 1000  # items that are made at once, at most


def stored(folder: Path, rows: Rows, items: int, features: Features, *, workers: int = 1) -> Dataset:
    """The table in `folder`; if there is none, `rows` makes those of the half-open spans that it is given, which are
    `range(items)` in all, in `workers` processes (so it must pickle). A killed run leaves nothing that looks like a
    table."""
    if not folder.exists():
        _make(folder, rows, items, features, workers)
    return load_from_disk(str(folder))


def _make(folder: Path, rows: Rows, items: int, features: Features, workers: int) -> None:
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    disable_progress_bars()
    spans = list(pairwise([*range(0, items, _PART), items]))
    made = Dataset.from_generator(
        rows,
        features=features,
        cache_dir=str(fresh / "made"),
        gen_kwargs={"spans": spans},
        num_proc=min(workers, len(spans)) if workers > 1 and len(spans) > 1 else None,
        fingerprint=folder.name,
    )
    made.save_to_disk(str(fresh / "table"))
    del made
    sync(fresh / "table")
    try:
        os.replace(fresh / "table", folder)
    except OSError:  # not empty: another process made it meanwhile, and it is the same
        if not folder.exists():
            raise
    sync(folder.parent)
    shutil.rmtree(fresh)


def column(table: Dataset, name: str) -> np.ndarray[Any, Any]:
    """A column of numbers, whole."""
    return np.asarray(table.with_format("arrow")[name])


def held_out(source: str, one_in: int = 50) -> bool:
    """Whether a sentence is held out for validation: a function of its text, so that all its pairs go one way."""
    return int.from_bytes(sha256(source.encode("utf-8", "surrogatepass")).digest()[:8], "big") % one_in == 0
