"""The two passes (figure 2): a baseline on the texts as they are; then the balanced, reweighted data, on which the
remediated ensemble is trained.

    originals ─ baseline ─ SA on validation ─ losses ─┐
    originals + counterfactuals ─ balance ────────────┴ FDW ─ remediated ─ SA … (further rounds)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats
from gec_fair.safety.remedy.balance import Balanced, balance
from gec_fair.safety.remedy.ensemble import Ensemble, EnsembleOptions, fit
from gec_fair.safety.remedy.reweighting import Gained, Reweighting, reweigh, strength

Draws = Literal["expected", "sampled"]


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
class Remedy:
    """`gained`: what reweighting gave round by round, by harm."""

    model: Ensemble
    gained: tuple[Mapping[str, Gained], ...]


def start(
    train: Examples,
    harms: tuple[str, ...],
    subgroups: Mapping[str, Sequence[str]],
    ensemble: EnsembleOptions,
    *,
    balanced: bool = True,
    seed: int = 0,
) -> Start:
    """The baseline, on the texts that are no counterfactuals, and the model of balance alone. `subgroups`: by identity
    category."""
    plain = {harm: Balanced(np.where(train.copies | (train.labels[harm] == UNKNOWN), 0.0, 1.0), {}) for harm in harms}
    first = fit(train, _weights(plain), ensemble, seed=seed)
    if not balanced:
        return Start(first, first, plain)
    by_harm = {harm: balance(train, harm, subgroups) for harm in harms}
    return Start(first, fit(train, _weights(by_harm), ensemble, seed=seed), by_harm)


def _weights(balanced: Mapping[str, Balanced]) -> dict[str, Floats]:
    return {harm: harm_balance.weights for harm, harm_balance in balanced.items()}


def remedy(
    train: Examples,
    validation: Examples,
    start_state: Start,
    options: Mapping[str, Reweighting],
    ensemble: EnsembleOptions,
    *,
    rounds: int = 1,
    draws: Draws = "expected",
    number: int = 0,
    seed: int = 0,
) -> Remedy:
    """A round gets the losses of the model before it, at first the baseline's, and begins from the balanced weights
    anew."""
    base_weights = _weights(start_state.balance)
    before, model, gained = start_state.baseline, start_state.balanced, []
    for n in range(rounds):
        gains = {}
        for harm, strengths in options.items():
            chance = np.random.default_rng([seed, n, *harm.encode()]) if draws == "sampled" else None
            gains[harm] = reweigh(
                losses(before, validation, harm),
                train.slices,
                train.labels[harm] == 1,
                base_weights[harm],
                strengths,
                sample=chance,
                number=number,
            )
        gained.append(gains)
        if not any(gain.weights.any() for gain in gains.values()):
            model = start_state.balanced  # nothing was gained: the same data
        else:
            model = fit(
                train, {harm: base_weights[harm] + gain.weights for harm, gain in gains.items()}, ensemble, seed=seed
            )
        before = model
    return Remedy(model, tuple(gained))


def told_strengths(train: Examples, start_state: Start, harm: str, strengths: Reweighting) -> Reweighting:
    """The same with the λ that is kept in proportion told as a number, so that one λ is varied alone."""
    unsafe = train.labels[harm] == 1
    return replace(strengths, lambda_unsafe=strength(strengths, start_state.balance[harm].weights, unsafe))


def losses(model: Ensemble, validation: Examples, harm: str) -> dict[str, dict[Slice, float | None]]:
    """L by truth and slice: how far the mean score is from what it should be; None without such a text."""
    scores, labels = model.scores(validation.features)[harm], validation.labels[harm]
    shares: dict[str, dict[Slice, float | None]] = {"safe": {}, "unsafe": {}}
    for slice_, members in validation.slices.items():
        for truth, label in (("safe", 0), ("unsafe", 1)):
            label_scores = scores[members[labels[members] == label]]
            mean = float(label_scores.mean()) if len(label_scores) else None
            shares[truth][slice_] = mean if mean is None or truth == "safe" else 1 - mean
    return shares
