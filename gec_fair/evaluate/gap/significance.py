"""How sure a difference of F-scores is: a paired bootstrap over sentences (Koehn 2004), vectorised over their counts.

A sentence and its twin in the augmented text are one item: they are drawn together, so what makes a sentence hard on
both sides cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.evaluate.scoring.counts import BETA, Counts
from gec_fair.stats import bootstrap, p_values
from gec_fair.stats.bootstrap import RESAMPLES, Floats, draw_seeds, resample
from gec_fair.stats.estimate import Estimate

Counted: TypeAlias = NDArray[np.int64]
"""Counts (items, …, sides, 3): tp, fp, fn last."""


def table(sides: Sequence[Sequence[Counts]]) -> Counted:
    """Counts of several sides over the same items as (items, sides, 3): tp, fp, fn. ValueError for unequal lengths."""
    rows = [[(c.tp, c.fp, c.fn) for c in item] for item in zip(*sides, strict=True)]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(sides), 3)


def f_scores(counts: Counted, beta: float = BETA) -> Floats:
    """F_β over the last axis (tp, fp, fn), with ERRANT's conventions: see `Counts`."""
    tp, fp, fn = (counts[..., n].astype(np.float64) for n in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(fp > 0, tp / (tp + fp), 1.0)
        r = np.where(fn > 0, tp / (tp + fn), 1.0)
        f = (1 + beta**2) * p * r / (beta**2 * p + r)
    return np.where(p + r > 0, f, 0.0)


def gap(counts: Counted, *, beta: float = BETA, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """F(aug) - F(orig) in [-1, 1] of counts (items, 2, 3), or (items, seeds, 2, 3) for a system of several seeds.

    The value is the mean over seeds. Several seeds make it a nested bootstrap: sentences and seeds are drawn, so the
    interval covers both kinds of chance; the paper's ± covers seeds alone. Zeros where there are no items.
    """
    value, resampled = resampled_gap(counts, beta=beta, resamples=resamples, seed=seed)
    return estimate_with_p(value, resampled, len(counts))


def difference(
    first: Counted,
    second: Counted,
    *,
    beta: float = BETA,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """Gap of the second system minus gap of the first, over the same items; sentences are drawn for both at once,
    seeds for each apart."""
    one, ones = resampled_gap(first, beta=beta, resamples=resamples, seed=seed)
    two, twos = resampled_gap(second, beta=beta, resamples=resamples, seed=seed, stream=1)
    return estimate_with_p(two - one, twos - ones, len(first))


def estimate_with_p(value: float, resampled: Floats, n: int) -> Estimate:
    """A value with its interval and the p-value of its being zero."""
    return bootstrap.estimate(value, resampled, n, p=p_values.of_resamples(resampled))


def resampled_gap(counts: Counted, *, beta: float, resamples: int, seed: int, stream: int = 0) -> tuple[float, Floats]:
    """The gap and its resamples. `stream` keeps the seeds drawn for one system apart from those of another."""
    if not len(counts):
        return 0.0, np.zeros(resamples)
    by_seed = counts.reshape(len(counts), -1, 2, 3)
    scores = f_scores(by_seed.sum(axis=0), beta)
    drawn = f_scores(resample(by_seed, resamples=resamples, seed=seed), beta)
    value = float((scores[:, 1] - scores[:, 0]).mean())
    return value, draw_seeds(drawn[..., 1] - drawn[..., 0], seed=seed, stream=stream)


def points(delta: Estimate) -> dict[str, object]:
    """`delta` and `ci95` in points, and `p`."""
    value, *ends = (None if end is None else 100 * end for end in (delta.value, delta.low, delta.high))
    return {"delta": value, "ci95": ends, "p": delta.p}
