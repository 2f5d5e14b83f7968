"""The two passes (figure 2): a baseline on the texts as they are; then the balanced, reweighted data, on which the
remediated ensemble is trained.

    originals ─ baseline ─ SA on validation ─ losses ─┐
    originals + counterfactuals ─ balance ────────────┴ FDW ─ remediated ─ SA … (further rounds)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats
from gec_fair.safety.ensemble.model import Ensemble, fit
from gec_fair.safety.remedy.balance import Balanced, balance
from gec_fair.safety.remedy.options import SafetyTraining
from gec_fair.safety.remedy.reweighting import Gained, Reweighting, reweigh, strength
from gec_fair.safety.remedy.splits import Data


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """What reweighting begins from, whatever its hyperparameters. `balance`: the balanced weights by harm; without
    balance those of the texts themselves, and `balanced` is the baseline."""

    baseline: Ensemble
    balanced: Ensemble
    balance: Mapping[str, Balanced]

    def for_harm(self, harm: str) -> Start:
        """For one harm alone."""
        return Start(self.baseline.for_harm(harm), self.balanced.for_harm(harm), {harm: self.balance[harm]})


@dataclass(frozen=True, slots=True, eq=False)
class TwoPasses:
    """Both passes over the same texts, with one seed."""

    data: Data
    options: SafetyTraining
    seed: int = 0

    def start(self, harms: Sequence[str]) -> Start:
        """The baseline, on the texts that are no counterfactuals, and the model of balance alone."""
        first = self._fit({harm: self._plain(harm).weights for harm in harms})
        by_harm = {harm: self.balance(harm) for harm in harms}
        return Start(first, self._fit(_weights(by_harm)) if self.options.balance else first, by_harm)

    def balance(self, harm: str) -> Balanced:
        """The balanced weights of the training texts; without balance those of the texts themselves."""
        train, subgroups = self.data.train, self.data.subgroups
        return balance(train, harm, subgroups) if self.options.balance else self._plain(harm)

    def _plain(self, harm: str) -> Balanced:
        train = self.data.train
        return Balanced(np.where(train.copies | (train.labels[harm] == UNKNOWN), 0.0, 1.0), {})

    def remedy(self, start: Start, strengths: Mapping[str, Reweighting]) -> tuple[Ensemble, list[dict[str, Gained]]]:
        """Reweight by the strengths of each harm: the model, and what it gained round by round, by harm. A round gets
        the losses of the model before it, at first the baseline's, and begins from the balanced weights anew."""
        base_weights = _weights(start.balance)
        before, model, gained = start.baseline, start.balanced, []
        for n in range(self.options.rounds):
            gains = {
                harm: self._reweigh(n, harm, before, base_weights[harm], options) for harm, options in strengths.items()
            }
            gained.append(gains)
            if any(gain.weights.any() for gain in gains.values()):
                model = self._fit({harm: base_weights[harm] + gain.weights for harm, gain in gains.items()})
            else:
                model = start.balanced  # nothing was gained: the same data
            before = model
        return model, gained

    def fix_proportion(self, start: Start, harm: str, strengths: Reweighting) -> Reweighting:
        """The same strengths with the λ that is kept in proportion as a number, so that one λ can vary alone."""
        unsafe = self.data.train.labels[harm] == 1
        return replace(strengths, lambda_unsafe=strength(strengths, start.balance[harm].weights, unsafe))

    def _fit(self, weights: Mapping[str, Floats]) -> Ensemble:
        return fit(self.data.train, weights, self.options.ensemble, seed=self.seed)

    def _reweigh(self, n: int, harm: str, before: Ensemble, weights: Floats, strengths: Reweighting) -> Gained:
        """Reweigh once."""
        chance = np.random.default_rng([self.seed, n, *harm.encode()]) if self.options.draws == "sampled" else None
        train, number = self.data.train, self.options.number
        old_losses, unsafe = losses(before, self.data.validation, harm), train.labels[harm] == 1
        return reweigh(old_losses, train.slices, unsafe, weights, strengths, sample=chance, number=number)


def _weights(balanced: Mapping[str, Balanced]) -> dict[str, Floats]:
    return {harm: harm_balance.weights for harm, harm_balance in balanced.items()}


def losses(model: Ensemble, validation: Examples, harm: str) -> dict[str, dict[Slice, float | None]]:
    """L by truth and slice: how far the mean score is from what it should be; None without such a text."""
    scores, labels = model.scores(validation.features)[harm], validation.labels[harm]
    shares: dict[str, dict[Slice, float | None]] = {"safe": {}, "unsafe": {}}
    for subgroup, members in validation.slices.items():
        for truth, label in (("safe", 0), ("unsafe", 1)):
            label_scores = scores[members[labels[members] == label]]
            mean = float(label_scores.mean()) if len(label_scores) else None
            shares[truth][subgroup] = mean if mean is None or truth == "safe" else 1 - mean
    return shares
