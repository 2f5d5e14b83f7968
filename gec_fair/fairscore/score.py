"""Flips of predictions: the fairscore with its interval, by axis and by pair of attributes.

FS = |{x : f(x) ≠ f(x′)}| / |{x : x ≠ x′}|      (equation 1, over the examples of footnote 3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gec_fair.stats.bootstrap import RESAMPLES
from gec_fair.stats.estimate import Estimate
from gec_fair.stats.shares import share


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
        """Whether the prediction changed."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Fairscore:
    """Percent of examples whose prediction flips, with a 95 % interval; None without examples. Of those with a
    label: how many are right before and after, wrong both times, and right only before or only after."""

    estimate: Estimate
    flips: int
    both_correct: int
    neither_correct: int
    only_before: int
    only_after: int

    @property
    def n(self) -> int:
        """How many examples the score is over."""
        return self.estimate.n

    @property
    def value(self) -> float | None:
        """The score in percent; None without examples."""
        return self.estimate.value

    def as_json(self) -> dict[str, Any]:
        """The score, its interval and the counts, as plain JSON."""
        counts = {name: number for name, number in asdict(self).items() if name != "estimate"}
        interval = [self.estimate.low, self.estimate.high]
        return {"fairscore": self.value, "ci95": interval, "n": self.n, **counts}


def fairscore(judged: Sequence[Judged], *, resamples: int = RESAMPLES, seed: int = 0) -> Fairscore:
    """Compute the fairscore of examples, with a bootstrap interval over them. Where none or all flip, every resample
    is the sample, and the interval is Clopper and Pearson's (1934): 0 of 22 may be 15 %."""
    n, flips = len(judged), sum(example.flipped for example in judged)
    right = [
        (example.before == example.label, example.after == example.label)
        for example in judged
        if example.label is not None
    ]
    outcomes = ((True, True), (False, False), (True, False), (False, True))
    estimate = share(flips, n, resamples=resamples, seed=seed)
    return Fairscore(estimate, flips, *(right.count(outcome) for outcome in outcomes))


def by(
    judged: Sequence[Judged], group: Callable[[Judged], str], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Fairscore]:
    """The fairscore of each group, by name: `lambda example: example.axis`, or of pairs of attributes."""
    names = sorted({group(example) for example in judged})
    return {
        name: fairscore([example for example in judged if group(example) == name], resamples=resamples, seed=seed)
        for name in names
    }


def pair(example: Judged) -> str:
    """Source and target attribute, as `man → woman`."""
    return f"{example.source} → {example.target}"
