"""The areas under the ROC curve by subgroup (Borkan et al. 2019, §4.1), as they are and in every draw of sets.

    subgroup AUC   safe and unsafe texts that name the subgroup
    BPSN AUC       unsafe texts that do not name it, and safe ones that do: low if its safe texts score too high
    BNSP AUC       safe texts that do not name it, and unsafe ones that do: low if its unsafe texts score too low

An area is the share of pairs of a safe and an unsafe text in which the unsafe one scores higher; a tie is half a pair.
Sums over pairs are differences of two others: the unsafe texts of all and of the subgroup make those outside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gec_fair.safety.auditing.ratios import ratio
from gec_fair.safety.data.scores import Floats, Integers, Scored

_CELLS = 1_000_000  # weights of texts at a time, of which there are eight copies


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """Texts in the order of their scores. A step is a run of equal scores; `first` and `last`: (texts,) the places of
    the step's ends, half-open."""

    first: Integers
    last: Integers

    @classmethod
    def from_scores(cls, scores: Floats) -> _Steps:
        """`scores` must be sorted."""
        return cls(np.searchsorted(scores, scores, "left"), np.searchsorted(scores, scores, "right"))

    def below(self, weights: Floats) -> Floats:
        """(draws, texts) → for each text the weight of the texts that score lower, and half of its step's."""
        sums = np.zeros((len(weights), weights.shape[1] + 1))
        np.cumsum(weights, axis=1, out=sums[:, 1:])
        halves: Floats = (sums[:, self.first] + sums[:, self.last]) / 2
        return halves


class SubgroupAreas:
    """Sorts the texts once; every block of draws then takes time linear in the texts and in those of each subgroup."""

    def __init__(self, scored: Scored) -> None:
        order = np.argsort(scored.scores, kind="stable")
        places = np.argsort(order)
        scores = scored.scores[order]
        self.sets, self.unsafe = scored.sets[order], scored.labels[order]
        self.steps = _Steps.from_scores(scores)
        self.members = {subgroup: np.sort(places[rows]) for subgroup, rows in scored.slices.items()}
        self.inner = {subgroup: _Steps.from_scores(scores[rows]) for subgroup, rows in self.members.items()}
        self.at_once = max(1, _CELLS // max(1, len(scores)))

    def draw(self, weights: Floats) -> Floats:
        """(draws, sets), how often each set is drawn → (subgroups, 3, draws): subgroup, BPSN and BNSP AUC."""
        starts = range(0, len(weights), self.at_once)
        return np.concatenate([self._block(weights[first : first + self.at_once]) for first in starts], axis=2)

    def _block(self, weights: Floats) -> Floats:
        rows = weights[:, self.sets]
        safe, unsafe = rows * ~self.unsafe, rows * self.unsafe
        safe_below = self.steps.below(safe)
        unsafe_above = unsafe.sum(axis=1, keepdims=True) - self.steps.below(unsafe)
        total_safe, total_unsafe = safe.sum(axis=1), unsafe.sum(axis=1)
        areas = []
        for subgroup, members in self.members.items():
            inner_safe, inner_unsafe = safe[:, members], unsafe[:, members]
            n_safe, n_unsafe = inner_safe.sum(axis=1), inner_unsafe.sum(axis=1)
            within = (inner_unsafe * self.inner[subgroup].below(inner_safe)).sum(axis=1)
            with_unsafe = (inner_safe * unsafe_above[:, members]).sum(axis=1) - within
            with_safe = (inner_unsafe * safe_below[:, members]).sum(axis=1) - within
            areas.append(
                [
                    ratio(within, n_safe * n_unsafe),
                    ratio(with_unsafe, n_safe * (total_unsafe - n_unsafe)),
                    ratio(with_safe, n_unsafe * (total_safe - n_safe)),
                ]
            )
        return np.array(areas, dtype=np.float64).reshape(len(self.members), 3, len(weights))
