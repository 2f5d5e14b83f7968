"""The two passes (figure 2): a baseline on the texts as they are; then the balanced, reweighted data, on which the
remediated ensemble is trained.

    originals ─ baseline ─ SA on validation ─ losses ─┐
    originals + counterfactuals ─ balance ────────────┴ FDW ─ remediated ─ SA … (further rounds)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gec_fair.safety.balance import Balanced, balance
from gec_fair.safety.ensemble import Ensemble, EnsembleOptions, fit
from gec_fair.safety.examples import UNKNOWN, Examples
from gec_fair.safety.groups import Slice
from gec_fair.safety.reweighting import Gained, Reweighting, reweigh, strength
from gec_fair.safety.scored import Floats

Draws = Literal["expected", "sampled"]


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """What reweighting begins from, whatever its hyperparameters. `even`: the balanced weights, the same for every
    harm; without balance those of the texts themselves, and `balanced` is the baseline."""

    baseline: Ensemble
    balanced: Ensemble
    even: Balanced

    def of(self, harm: str) -> Start:
        """For one harm alone."""
        return replace(self, baseline=self.baseline.of(harm), balanced=self.balanced.of(harm))


@dataclass(frozen=True, slots=True, eq=False)
class Remedy:
    """`gained`: what reweighting gave round by round, by harm."""

    model: Ensemble
    gained: tuple[Mapping[str, Gained], ...]


def start(
    train: Examples, harms: tuple[str, ...], ensemble: EnsembleOptions, *, balanced: bool = True, seed: int = 0
) -> Start:  # fmt: skip
    """The baseline, on the texts that are no counterfactuals, and the model of balance alone."""
    plain = Balanced(np.where(train.copies, 0.0, 1.0), {})
    first = fit(train, dict.fromkeys(harms, plain.weights), ensemble, seed=seed)
    if not balanced:
        return Start(first, first, plain)
    even = balance(train)
    return Start(first, fit(train, dict.fromkeys(harms, even.weights), ensemble, seed=seed), even)


def remedy(
    train: Examples, validation: Examples, begun: Start, options: Mapping[str, Reweighting], ensemble: EnsembleOptions,
    *, rounds: int = 1, draws: Draws = "expected", number: int = 0, seed: int = 0,
) -> Remedy:  # fmt: skip
    """A round is told the losses of the model before it, at first the baseline's, and begins from the balanced weights
    anew."""
    even = begun.even.weights
    before, model, gained = begun.baseline, begun.balanced, []
    for n in range(rounds):
        found = {}
        for harm, each in options.items():
            chance = np.random.default_rng([seed, n, *harm.encode()]) if draws == "sampled" else None
            found[harm] = reweigh(losses(before, validation, harm), train.slices, train.labels[harm] == 1,
                                  _known(train, begun, harm), each, sample=chance, number=number)  # fmt: skip
        gained.append(found)
        if not any(each.weights.any() for each in found.values()):
            model = begun.balanced  # nothing was gained: the same data
        else:
            model = fit(train, {harm: even + each.weights for harm, each in found.items()}, ensemble, seed=seed)
        before = model
    return Remedy(model, tuple(gained))


def told_strengths(train: Examples, begun: Start, harm: str, asked: Reweighting) -> Reweighting:
    """The same with the λ that is kept in proportion told as a number, so that one λ is varied alone."""
    unsafe = train.labels[harm] == 1
    return replace(asked, lambda_unsafe=strength(asked, _known(train, begun, harm), unsafe))


def _known(train: Examples, begun: Start, harm: str) -> Floats:
    return np.where(train.labels[harm] == UNKNOWN, 0.0, begun.even.weights)


def losses(model: Ensemble, validation: Examples, harm: str) -> dict[str, dict[Slice, float | None]]:
    """L by truth and slice: how far the mean score is from what it should be; None without such a text."""
    scores, labels = model.scores(validation.features)[harm], validation.labels[harm]
    found: dict[str, dict[Slice, float | None]] = {"safe": {}, "unsafe": {}}
    for each, members in validation.slices.items():
        for truth, label in (("safe", 0), ("unsafe", 1)):
            some = scores[members[labels[members] == label]]
            mean = float(some.mean()) if len(some) else None
            found[truth][each] = mean if mean is None or truth == "safe" else 1 - mean
    return found
