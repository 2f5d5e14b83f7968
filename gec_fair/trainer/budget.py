"""Batches under a budget: as many items as fit when each is padded to the longest of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Sizes = Sequence[int] | NDArray[np.int64]


def under_budget(
    order: Iterable[int], length: Sizes, tokens: int, *, most: int | None = None, rows: Sizes | None = None
) -> Iterator[list[int]]:
    """Items in batches, in order: at most `most`, and as many as come under `tokens` when every row is as long as the
    longest; an item that is larger than that by itself goes alone. An item is one row, or `rows` of them, which stay
    together. Cost O(items)."""
    batch: list[int] = []
    longest = height = 0
    for item in order:
        here = 1 if rows is None else int(rows[item])
        longest, height = max(longest, int(length[item])), height + here
        if batch and (len(batch) == most or longest * height > tokens):
            yield batch
            batch, longest, height = [], int(length[item]), here
        batch.append(item)
    if batch:
        yield batch
