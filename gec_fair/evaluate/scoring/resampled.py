"""How sure a score is, and a difference between two: a paired bootstrap over sentences (Koehn 2004).

A sentence is drawn with the annotator that it was judged by. All outputs share their draws, so what makes a sentence
hard for every system cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.evaluate.scoring.counts import BETA, Counts
from gec_fair.stats import bootstrap, p_values
from gec_fair.stats.bootstrap import RESAMPLES, Floats, resample
from gec_fair.stats.estimate import Estimate, Kind

Counted: TypeAlias = NDArray[np.int64]
"""Counts (items, …, sides, 3): tp, fp, fn last."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """P, R and F of several outputs, (outputs, 3), and of their resamples, (resamples, outputs, 3), in percent.
    `compared`: outputs with a correct edit; the others have no F to be sure of."""

    figures: Floats
    compared: NDArray[np.bool_]
    resampled: Floats
    sentences: int

    def interval(self, output: int, figure: int) -> Estimate:
        """A figure (0 P, 1 R, 2 F) of an output. Without ends for too few sentences, without a correct edit,
        and where the figure is the same in all resamples."""
        value = float(self.figures[output, figure])
        if not self.compared[output]:
            return Estimate(value, None, None, self.sentences, Kind.BOOTSTRAP)
        return bootstrap.estimate(value, self.resampled[:, output, figure], self.sentences)

    def difference(self, first: Sequence[int], second: Sequence[int]) -> Estimate:
        """F of the second system minus F of the first, as means over the outputs of each. None where one of them has
        no correct edit."""
        if not (self.compared[list(first)].any() and self.compared[list(second)].any()):
            return Estimate(None, None, None, self.sentences, Kind.BOOTSTRAP)
        value = float(self.figures[list(second), 2].mean() - self.figures[list(first), 2].mean())
        drawn = self.resampled[..., 2]
        resampled = drawn[:, list(second)].mean(axis=1) - drawn[:, list(first)].mean(axis=1)
        return estimate_with_p(value, resampled, self.sentences)


def resample_scores(
    outputs: Sequence[Sequence[Counts]], *, beta: float = BETA, resamples: int = RESAMPLES, seed: int = 0
) -> Resampled:
    """Resample the scores from the counts of each sentence of each output."""
    counts = table(outputs)
    drawn = resample(counts, resamples=resamples, seed=seed)
    total = counts.sum(axis=0)
    return Resampled(100 * _figures(total, beta), total[:, 0] > 0, 100 * _figures(drawn, beta), len(counts))


def table(sides: Sequence[Sequence[Counts]]) -> Counted:
    """Counts of several sides over the same items as (items, sides, 3): tp, fp, fn. ValueError for unequal lengths."""
    rows = [[(c.tp, c.fp, c.fn) for c in item] for item in zip(*sides, strict=True)]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(sides), 3)


def f_scores(counts: Counted, beta: float = BETA) -> Floats:
    """F_β over the last axis (tp, fp, fn), with ERRANT's conventions: see `Counts`."""
    scores: Floats = _figures(counts, beta)[..., 2]
    return scores


def estimate_with_p(value: float, resampled: Floats, n: int) -> Estimate:
    """A value with its interval and the p-value of its being zero; with neither for fewer than FEW items, and without
    an interval where all resamples are alike."""
    return bootstrap.estimate(value, resampled, n, p=p_values.of_resamples(resampled))


def _figures(counts: Counted, beta: float) -> Floats:
    """P, R and F_β in place of tp, fp, fn."""
    tp, fp, fn = (counts[..., n].astype(np.float64) for n in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(fp > 0, tp / (tp + fp), 1.0)
        r = np.where(fn > 0, tp / (tp + fn), 1.0)
        f = (1 + beta**2) * p * r / (beta**2 * p + r)
    return np.stack([p, r, np.where(p + r > 0, f, 0.0)], axis=-1)
