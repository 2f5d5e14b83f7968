"""Flips of predictions: the fairscore with its interval, by axis and by pair of attributes.

FS = |{x : f(x) ≠ f(x′)}| / |{x : x ≠ x′}|      (equation 1, over the examples of footnote 3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Judged:
    """An example that the perturber changed, and what the classifier said of both texts. `label`: the right answer,
    None where nobody knows it."""

    id: str
    original: tuple[str, ...]
    perturbed: tuple[str, ...]
    axis: str
    source: str
    target: str
    before: str
    after: str
    label: str | None = None

    @property
    def flipped(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Fairscore:
    """Percent of `n` examples whose prediction flips, with a 95 % interval; None where there is no example. Of
    those with a label: how many are right before and after, wrong both times, and right only before or only after."""

    n: int
    flips: int
    low: float | None
    high: float | None
    both_correct: int
    neither_correct: int
    only_before: int
    only_after: int

    @property
    def value(self) -> float | None:
        return 100 * self.flips / self.n if self.n else None

    def as_json(self) -> dict[str, Any]:
        counts = {
            name: getattr(self, name) for name in ("both_correct", "neither_correct", "only_before", "only_after")
        }
        return {"fairscore": self.value, "ci95": [self.low, self.high], "n": self.n, "flips": self.flips, **counts}


def fairscore(judged: Sequence[Judged], *, resamples: int = RESAMPLES, seed: int = 0) -> Fairscore:
    """Of these examples, with the interval of a bootstrap over them; where none or all flip, every resample is the
    sample, and the interval is Clopper and Pearson's (1934): 0 of 22 may be 15 %."""
    n, flips = len(judged), sum(each.flipped for each in judged)
    low, high = _interval(flips, n, resamples, seed) if n else (None, None)
    right = [(each.before == each.label, each.after == each.label) for each in judged if each.label is not None]
    return Fairscore(
        n, flips, low, high, *(right.count(how) for how in ((True, True), (False, False), (True, False), (False, True)))
    )


def _interval(flips: int, n: int, resamples: int, seed: int) -> tuple[float, float]:
    if flips in (0, n):
        from scipy.stats import binomtest

        exact = binomtest(flips, n).proportion_ci(LEVEL, method="exact")
        return 100 * float(exact.low), 100 * float(exact.high)
    chance = np.random.Generator(np.random.PCG64(seed))
    drawn = 100 * chance.binomial(n, flips / n, size=resamples) / n  # of flips that are yes or no
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def by(
    judged: Sequence[Judged], group: Callable[[Judged], str], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Fairscore]:
    """The fairscore of each group, by name: `lambda each: each.axis`, or of pairs of attributes."""
    names = sorted({group(each) for each in judged})
    return {
        name: fairscore([each for each in judged if group(each) == name], resamples=resamples, seed=seed)
        for name in names
    }


def pair(each: Judged) -> str:
    return f"{each.source} → {each.target}"
