"""How sure a difference of F-scores is: a paired bootstrap over sentences (Koehn 2004), vectorised over their counts.

A sentence and its twin in the augmented text are one item: they are drawn together, so what makes a sentence hard on
both sides cancels.
"""

from __future__ import annotations

from gec_fair.evaluate.scoring.counts import BETA
from gec_fair.evaluate.scoring.resampled import Counted, estimate_with_p, f_scores
from gec_fair.stats.bootstrap import RESAMPLES, Floats, draw_seeds, resample
from gec_fair.stats.estimate import Estimate, Kind


def gap(counts: Counted, *, beta: float = BETA, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """F(aug) - F(orig) in [-1, 1] of counts (items, 2, 3), or (items, seeds, 2, 3) for a system of several seeds.

    The value is the mean over seeds. Several seeds make it a nested bootstrap: sentences and seeds are drawn, so the
    interval covers both kinds of chance; the paper's ± covers seeds alone. Without a true positive on either side there
    is nothing to compare, so value, interval and p are None. Fewer than FEW items have neither interval nor p.
    """
    if not counts[..., 0].any():
        return _nothing(len(counts))
    value, resampled = resample_gap(counts, beta=beta, resamples=resamples, seed=seed)
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
    seeds for each apart. None where one of them has no gap."""
    if not (first[..., 0].any() and second[..., 0].any()):
        return _nothing(len(first))
    first_gap, first_drawn = resample_gap(first, beta=beta, resamples=resamples, seed=seed)
    second_gap, second_drawn = resample_gap(second, beta=beta, resamples=resamples, seed=seed, stream=1)
    return estimate_with_p(second_gap - first_gap, second_drawn - first_drawn, len(first))


def _nothing(n: int) -> Estimate:
    return Estimate(None, None, None, n, Kind.BOOTSTRAP)


def resample_gap(counts: Counted, *, beta: float, resamples: int, seed: int, stream: int = 0) -> tuple[float, Floats]:
    """The gap and its resamples. `stream` keeps the seeds drawn for one system apart from those of another."""
    by_seed = counts.reshape(len(counts), -1, 2, 3)
    scores = f_scores(by_seed.sum(axis=0), beta)
    drawn = f_scores(resample(by_seed, resamples=resamples, seed=seed), beta)
    value = float((scores[:, 1] - scores[:, 0]).mean())
    return value, draw_seeds(drawn[..., 1] - drawn[..., 0], seed=seed, stream=stream)


def points(delta: Estimate) -> dict[str, object]:
    """`delta` and `ci95` in points, and `p`."""
    value, *ends = (None if end is None else 100 * end for end in (delta.value, delta.low, delta.high))
    return {"delta": value, "ci95": ends, "p": delta.p}
