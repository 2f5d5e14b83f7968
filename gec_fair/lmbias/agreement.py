"""Whether models move together: Pearson's r (Table 1, figures 8 and 9) and canonical correlation (Table 6), each with
what chance alone would give."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import InputError
from gec_fair.stats.estimate import LEVEL, Estimate, Kind
from gec_fair.stats.p_values import of_permutations

Matrix = NDArray[np.float64]
_EXACT = 40_320  # orders of eight rows, Table 6's: all are tried
_DRAWN = 99_999
_TOLERANCE = 1e-9


def pearson(first: Matrix, second: Matrix) -> Estimate:
    """Pearson's r of two rows of figures, a model each, with its two-sided p. Unknown for under four models, and where
    nothing varies."""
    from scipy.stats import pearsonr

    if len(first) < 4 or not np.ptp(first) or not np.ptp(second):
        return Estimate(None, None, None, len(first), Kind.FISHER_Z)
    correlation = pearsonr(first, second)
    low, high = correlation.confidence_interval(LEVEL)
    return Estimate(
        float(correlation.statistic), float(low), float(high), len(first), Kind.FISHER_Z, float(correlation.pvalue)
    )


@dataclass(frozen=True, slots=True)
class Canonical:
    """The first canonical correlation of two models' shifts, (methods, 2) each. `p`: the share of orders of the methods
    of one model in which it is as high, this one among them; all orders of up to eight methods, else so many drawn.
    It cannot be 0, nor less than 29 in 40,320 for eight methods: an order that swaps two has a direction in which they
    are alike. `chance`: its mean over these orders, and the 95th percentile."""

    rho: float
    n: int
    p: float
    chance: tuple[float, float]


def canonical(first: Matrix, second: Matrix, *, seed: int = 0) -> Canonical:
    """Hotelling 1936, by orthonormal bases (Björck & Golub 1973). With eight methods and two figures independent shifts
    have 0.68 on average, so the p decides. InputError for matrices of other shapes, or too few methods."""
    if first.shape != second.shape or first.ndim != 2 or len(first) < first.shape[1] + 2:
        raise InputError(
            f"shifts are two (methods, figures) tables of one shape, with at least two methods more than "
            f"figures; these are {first.shape} and {second.shape}"
        )
    left, right = _basis(first), _basis(second)
    rho = _first(left, right)
    every = np.array([_first(left, right[order]) for order in _orders(len(first), seed)])
    p = of_permutations(rho, every, tolerance=_TOLERANCE)
    return Canonical(rho, len(first), p, (float(every.mean()), float(np.quantile(every, 0.95))))


def _basis(values: Matrix) -> Matrix:
    """Orthonormal columns of what varies."""
    left_vectors, size, _ = np.linalg.svd(values - values.mean(0), full_matrices=False)
    return np.asarray(left_vectors[:, size > size.max(initial=0.0) * 1e-12])


def _first(left: Matrix, right: Matrix) -> float:
    size = np.linalg.svd(left.T @ right, compute_uv=False)
    return float(min(1.0, size[0])) if len(size) else 0.0


def _orders(rows: int, seed: int) -> list[NDArray[np.int64]]:
    if factorial(rows) <= _EXACT:
        return [np.array(order) for order in permutations(range(rows))]
    chance = np.random.Generator(np.random.PCG64(seed))
    return [np.arange(rows), *(chance.permutation(rows) for _ in range(_DRAWN))]
