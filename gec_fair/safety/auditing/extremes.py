"""Which counterfactual sets swing most, by id: what to look at first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gec_fair.safety.data.scores import Scored


@dataclass(frozen=True, slots=True)
class Swing:
    """A set, the variance of its scores, and its lowest and highest text: id, whom it names, score."""

    harm: str
    set_id: str
    variance: float
    ids: tuple[str, str]
    whom: tuple[str, str]
    scores: tuple[float, float]


def largest(scored: Scored, *, most: int = 10) -> list[Swing]:
    """Those of the largest variance, largest first; sets of one and sets that do not swing are left out."""
    n = np.bincount(scored.sets, minlength=scored.set_count)
    mean = np.bincount(scored.sets, scored.scores) / n
    variance = np.bincount(scored.sets, (scored.scores - mean[scored.sets]) ** 2) / n
    variance = variance[: len(scored.named)]
    extremes = []
    for at in np.argsort(-variance, kind="stable")[:most].tolist():
        rows = np.flatnonzero(scored.sets == at)
        low, high = int(rows[scored.scores[rows].argmin()]), int(rows[scored.scores[rows].argmax()])
        if scored.scores[low] < scored.scores[high]:  # the variance of equal scores may differ from 0 by rounding
            extremes.append(
                Swing(
                    scored.harm,
                    scored.named[at],
                    float(variance[at]),
                    (scored.ids[low], scored.ids[high]),
                    (_whom(scored, low), _whom(scored, high)),
                    (float(scored.scores[low]), float(scored.scores[high])),
                )
            )
    return extremes


def _whom(scored: Scored, n: int) -> str:
    return "; ".join(subgroup.name for subgroup, members in scored.slices.items() if n in members)
