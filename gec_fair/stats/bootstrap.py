"""How sure a difference of F-scores is: a paired bootstrap over sentences (Koehn 2004), vectorised over their counts.

A sentence and its twin in the augmented text are one item: they are drawn together, so what makes a sentence hard on
both sides cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import UsageError
from gec_fair.evaluate.scoring.counts import BETA, Counts

RESAMPLES = 10_000
LEVEL = 0.95
_CELLS = 8_000_000  # weights at a time, 64 MB
Floats: TypeAlias = NDArray[np.float64]
Counted: TypeAlias = NDArray[np.int64]
"""Counts (items, …, sides, 3): tp, fp, fn last."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, the interval that covers `LEVEL` of its resamples, and the two-sided p-value of its being zero."""

    value: float
    low: float
    high: float
    p: float


def table(sides: Sequence[Sequence[Counts]]) -> Counted:
    """Counts of several sides over the same items as (items, sides, 3): tp, fp, fn. ValueError for unequal lengths."""
    rows = [[(c.tp, c.fp, c.fn) for c in item] for item in zip(*sides, strict=True)]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(sides), 3)


def resample(counts: Counted, *, resamples: int = RESAMPLES, seed: int = 0) -> Counted:
    """(items, sides, 3) → summed counts (resamples, sides, 3). All sides of an item are drawn together.

    The same seed, number of items and of resamples draw the same items, whatever the counts are; so two systems
    resampled apart are still paired.
    """
    if resamples < 1 or seed < 0:
        raise UsageError(f"{resamples} resamples with seed {seed}: give a positive number, and a seed of 0 or more")
    items = len(counts)
    chance = np.random.Generator(np.random.PCG64(seed))
    flat = counts.reshape(items, -1).astype(np.float64)  # sums stay far below 2^53, so they are exact
    at_once = max(1, _CELLS // max(items, 1))
    sums = []
    for first in range(0, resamples, at_once):
        weights = chance.multinomial(items, np.full(items, 1 / items), size=min(at_once, resamples - first))
        sums.append(weights.astype(np.float64) @ flat)
    return np.concatenate(sums).astype(np.int64).reshape(resamples, *counts.shape[1:])


def f_scores(counts: Counted, beta: float = BETA) -> Floats:
    """F_β over the last axis (tp, fp, fn), with ERRANT's conventions: see `Counts`."""
    tp, fp, fn = (counts[..., n].astype(np.float64) for n in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(fp > 0, tp / (tp + fp), 1.0)
        r = np.where(fn > 0, tp / (tp + fn), 1.0)
        f = (1 + beta**2) * p * r / (beta**2 * p + r)
    return np.where(p + r > 0, f, 0.0)


def interval(value: float, resampled: Floats) -> Interval:
    """Percentile interval, and the p-value: twice the share of resamples on the other side of zero, never quite 0."""
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    beyond = min(np.count_nonzero(resampled <= 0), np.count_nonzero(resampled >= 0))
    return Interval(value, float(low), float(high), min(1.0, 2 * (int(beyond) + 1) / (len(resampled) + 1)))


def gap(counts: Counted, *, beta: float = BETA, resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """F(aug) - F(orig) in [-1, 1] of counts (items, 2, 3), or (items, seeds, 2, 3) for a system of several seeds.

    The value is the mean over seeds. Several seeds make it a nested bootstrap: sentences and seeds are drawn, so the
    interval covers both kinds of chance; the paper's ± covers seeds alone. Zeros where there are no items.
    """
    return interval(*resampled_gap(counts, beta=beta, resamples=resamples, seed=seed))


def difference(
    first: Counted,
    second: Counted,
    *,
    beta: float = BETA,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Gap of the second system minus gap of the first, over the same items; sentences are drawn for both at once,
    seeds for each apart."""
    one, ones = resampled_gap(first, beta=beta, resamples=resamples, seed=seed)
    two, twos = resampled_gap(second, beta=beta, resamples=resamples, seed=seed, stream=1)
    return interval(two - one, twos - ones)


def resampled_gap(counts: Counted, *, beta: float, resamples: int, seed: int, stream: int = 0) -> tuple[float, Floats]:
    """The gap and its resamples. `stream` keeps the seeds drawn for one system apart from those of another."""
    if not len(counts):
        return 0.0, np.zeros(resamples)
    by_seed = counts.reshape(len(counts), -1, 2, 3)
    here = f_scores(by_seed.sum(axis=0), beta)
    drawn = f_scores(resample(by_seed, resamples=resamples, seed=seed), beta)
    deltas = drawn[..., 1] - drawn[..., 0]
    seeds = by_seed.shape[1]
    chance = np.random.Generator(np.random.PCG64([seed, 1 + stream]))
    weights = chance.multinomial(seeds, np.full(seeds, 1 / seeds), size=resamples) / seeds
    return float((here[:, 1] - here[:, 0]).mean()), (deltas * weights).sum(axis=1)
