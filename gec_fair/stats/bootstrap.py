"""The percentile bootstrap (Efron 1979), vectorised over counts: whatever is a function of sums is resampled at once.

    weights      how often each item is drawn            (resamples, items)
    resample     weights @ counts, sums of the draws     (resamples, …)
    draw_seeds   the second level of a nested bootstrap  (resamples,)
    estimate     the value, and the interval that covers 95 % of its resamples

Figures of the same items with the same seed share their draws, so two systems that are resampled one after the other
are still paired.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import UsageError
from gec_fair.stats.estimate import TAILS, Estimate, Kind

RESAMPLES = 10_000
_CELLS = 4_000_000  # weights at a time, 32 MB
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


def weights(
    items: int, *, resamples: int = RESAMPLES, seed: int = 0, clusters: Integers | None = None
) -> Iterator[Floats]:
    """How often each item is drawn, in blocks (draws, items). The blocks are as large as memory allows; their size does
    not change the draws.

    `clusters`: the number of each item's cluster. Clusters are then drawn instead of items, `items` is how many
    clusters there are, and an item has the weight of its cluster. UsageError for no resamples or a negative seed.
    """
    if resamples < 1 or seed < 0:
        raise UsageError(f"{resamples} resamples with seed {seed}: give a positive number, and a seed of 0 or more")
    blocks = _weights(items, resamples, seed)
    return blocks if clusters is None else (block[:, clusters] for block in blocks)


def _weights(items: int, resamples: int, seed: int) -> Iterator[Floats]:
    chance = np.random.Generator(np.random.PCG64(seed))
    at_once = max(1, _CELLS // max(items, 1))
    for first in range(0, resamples, at_once):
        size = min(at_once, resamples - first)
        if items:
            yield chance.multinomial(items, np.full(items, 1 / items), size=size).astype(np.float64)
        else:
            yield np.zeros((size, 0))


def resample(counts: Integers, *, resamples: int = RESAMPLES, seed: int = 0) -> Integers:
    """(items, …) → the sums over the items drawn, (resamples, …). All counts of an item are drawn together.

    The same seed, number of items and of resamples draw the same items, whatever the counts are.
    """
    items, width = len(counts), int(np.prod(counts.shape[1:]))
    flat = counts.reshape(items, width).astype(np.float64)  # sums stay far below 2^53, so they are exact
    sums = [block @ flat for block in weights(items, resamples=resamples, seed=seed)]
    return np.concatenate(sums).astype(np.int64).reshape(resamples, *counts.shape[1:])


def draw_seeds(figures: Floats, *, seed: int, stream: int = 0) -> Floats:
    """(resamples, seeds) → (resamples,): the mean over seeds that are drawn with replacement in each resample.
    `stream` keeps the seeds drawn for one system apart from those of another."""
    resamples, seeds = figures.shape
    chance = np.random.Generator(np.random.PCG64([seed, 1 + stream]))
    shares = chance.multinomial(seeds, np.full(seeds, 1 / seeds), size=resamples) / seeds
    means: Floats = (figures * shares).sum(axis=1)
    return means


def resample_mean(values: Floats, *, resamples: int = RESAMPLES, seed: int = 0) -> Floats:
    """(items,) → the means over the items drawn, (resamples,). It draws the numbers of items, where `weights` draws how
    often each occurs: the same distribution, other draws."""
    items = len(values)
    chance = np.random.Generator(np.random.PCG64(seed))
    at_once = max(1, _CELLS // items)
    sizes = (min(at_once, resamples - first) for first in range(0, resamples, at_once))
    return np.concatenate([values[chance.integers(items, size=(size, items))].mean(axis=1) for size in sizes])


def percentiles(resampled: Floats, tails: tuple[float, float] = TAILS) -> tuple[float, float]:
    """The ends of the interval; NaN is left out. NaN for no resamples."""
    known = resampled[~np.isnan(resampled)]
    low, high = np.quantile(known, tails) if len(known) else (np.nan, np.nan)
    return float(low), float(high)


def estimate(
    value: Any,
    resampled: Floats,
    n: int,
    *,
    p: float | None = None,
    least: int | None = None,
    tails: tuple[float, float] = TAILS,
) -> Estimate:
    """A value of `n` items with its percentile interval, unless that says nothing (`without_vain_interval`). A NaN is a
    value of no data."""
    if np.isnan(value):
        return Estimate(None, None, None, n, Kind.BOOTSTRAP)
    low, high = (None if np.isnan(end) else end for end in percentiles(resampled, tails))
    return Estimate(float(value), low, high, n, Kind.BOOTSTRAP, p).without_vain_interval(least)
