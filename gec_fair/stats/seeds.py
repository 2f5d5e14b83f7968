"""A figure over the seeds of one system: the mean, and what stands behind ±."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, stdev

from gec_fair.errors import UsageError
from gec_fair.stats import estimate
from gec_fair.stats.estimate import TAILS, Estimate, Kind, around

LARGEST_SEED = 2**32 - 1  # NumPy's


def list_seeds(seeds: int | Sequence[int]) -> tuple[int, ...]:
    """The seeds of a setting: a number n stands for 0 to n − 1. UsageError for none, one twice, and one below 0."""
    if isinstance(seeds, int):
        if not 1 <= seeds <= LARGEST_SEED:
            raise UsageError(f"seeds is {seeds}; it must be at least 1, or a list of seeds")
        return tuple(range(seeds))
    if not seeds:
        raise UsageError("seeds is an empty list; say how many, or which")
    if unfit := [seed for seed in seeds if not 0 <= seed <= LARGEST_SEED]:
        raise UsageError(f"seeds has {unfit[0]}; a seed is 0 or more, and less than 2³²")
    for seed, number in Counter(seeds).items():
        if number > 1:
            raise UsageError(f"seeds has {seed} twice; give each seed once")
    return tuple(seeds)


def half_width(values: Sequence[float], kind: Kind) -> float | None:
    """Half of the interval over seeds; None for fewer than two. ValueError for a kind that is not over seeds."""
    if len(values) < 2:
        return None
    if kind is Kind.ONE_SD:
        return stdev(values)
    if kind is Kind.TWO_SD:
        return 2 * stdev(values)
    if kind is Kind.STUDENT:
        from scipy.stats import t

        quantile = float(t.ppf(TAILS[1], len(values) - 1))
        return quantile * stdev(values) / math.sqrt(len(values))
    raise ValueError(f"{kind.value}: not an interval over seeds")


def over_seeds(values: Sequence[float], kind: Kind) -> Estimate:
    """The mean over seeds. One seed has no interval, and no seed has no value."""
    half = half_width(values, kind)
    if half is None:
        return Estimate(values[0] if values else None, None, None, len(values), kind)
    return around(fmean(values), half, len(values), kind)


def columns(name: str, values: Sequence[float | None], kind: Kind = Kind.STUDENT) -> dict[str, float | None]:
    """The cells of a record: the mean, and for several seeds `name_pm`. The mean is None where a seed has no figure
    (None or NaN)."""
    figures = [value for value in values if value is not None and value == value]
    if len(figures) < len(values) or not figures:
        return {name: None}
    return {**estimate.columns(name, fmean(figures), half_width(figures, kind))}
