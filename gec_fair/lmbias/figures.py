"""What a suite finds: figures, each with its number of items and, for a sample, what sampling costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gec_fair.lmbias.reading import Floats


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a suite. `part`: a bias type, an axis, a group of tests; `value` None where nothing could be
    measured; `se`: the standard error of a sample against the whole suite, None for the whole; `more`: what it is made
    of, for JSON."""

    suite: str
    part: str
    measure: str
    value: float | None
    n: int
    fair: float | None = None
    se: float | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        told = {"suite": self.suite, "part": self.part, "measure": self.measure, "value": self.value, "n": self.n,
                "fair": self.fair, "se": self.se}  # fmt: skip
        return {**told, **self.more}


def mean_of_strata(values: Sequence[Floats], whole: Sequence[int], weights: Sequence[float]) -> tuple[float, float]:
    """Σ weight × mean of each stratum, and the standard error of it as an estimate of the same over all `whole` items
    of each: √Σ weight² (1 − n/N) s²/n (Cochran 1977, eq. 5.6). A stratum of one item that is not whole adds nothing, so
    a sample this thin tells too small an error."""
    parts = list(zip(values, whole, weights, strict=True))
    mean = sum(weight * float(np.mean(each)) for each, _, weight in parts)
    variance = sum(
        weight**2 * (1 - len(each) / number) * float(np.var(each, ddof=1)) / len(each)
        for each, number, weight in parts
        if len(each) > 1
    )
    return mean, variance**0.5
