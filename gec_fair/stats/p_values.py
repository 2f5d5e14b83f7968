"""How likely a result is by chance: from resamples, from permutations, from pairs that disagree."""

from __future__ import annotations

from gec_fair.extras import require
from gec_fair.stats.bootstrap import Floats


def of_resamples(resampled: Floats) -> float:
    """Two-sided, of the value being zero: twice the share of resamples on the other side of zero, never quite 0."""
    beyond = min((resampled <= 0).sum(), (resampled >= 0).sum())
    return min(1.0, 2 * (int(beyond) + 1) / (len(resampled) + 1))


def of_permutations(observed: float, permuted: Floats, *, tolerance: float) -> float:
    """One-sided: the share of permutations whose statistic is at least the observed one. Statistics that differ by
    less than `tolerance` are equal, because rounding must not decide. The observed order is one of the permutations."""
    return float((permuted >= observed - tolerance).mean())


def of_discordant(first: int, second: int) -> float:
    """McNemar's exact test of pairs that are hits on the `first` side alone and on the `second` alone (statsmodels);
    1 where no pair disagrees. MissingResource without statsmodels."""
    if not first + second:
        return 1.0
    require("McNemar's test", "evaluate", "statsmodels")
    from statsmodels.stats.contingency_tables import mcnemar

    return float(mcnemar([[0, first], [second, 0]], exact=True).pvalue)
