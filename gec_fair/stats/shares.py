"""The share of items that are hits, in percent, with its interval."""

from __future__ import annotations

import numpy as np

from gec_fair.stats.bootstrap import RESAMPLES, percentiles
from gec_fair.stats.estimate import TAILS, Estimate, Kind


def share(hits: int, n: int, *, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """`hits` of `n` items. A bootstrap over hits and misses is a draw from the binomial distribution. Where none or all
    are hits every resample is the sample, and the interval is Clopper and Pearson's (1934)."""
    if not n:
        return Estimate(None, None, None, 0, Kind.BOOTSTRAP)
    if hits in (0, n):
        return Estimate(100 * hits / n, *_clopper_pearson(hits, n), n, Kind.CLOPPER_PEARSON)
    chance = np.random.Generator(np.random.PCG64(seed))
    drawn = 100 * chance.binomial(n, hits / n, size=resamples) / n
    return Estimate(100 * hits / n, *percentiles(drawn), n, Kind.BOOTSTRAP)


def _clopper_pearson(hits: int, n: int) -> tuple[float, float]:
    """The interval of none or all of `n`, where it is a power of one tail."""
    end = TAILS[0] ** (1 / n)
    return (0.0, 100 * (1 - end)) if not hits else (100 * end, 100.0)
