"""The two passes (figure 2): a baseline on the texts as they are; then the balanced, reweighted data, on which the
remediated ensemble is trained.

    originals ─ baseline ─ SA on validation ─ losses ─┐
    originals + counterfactuals ─ balance ────────────┴ FDW ─ remediated ─ SA … (further rounds)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gec_fair.safety.balance import Balanced, balance
from gec_fair.safety.ensemble import Ensemble, EnsembleOptions, fit
from gec_fair.safety.examples import UNKNOWN, Examples
from gec_fair.safety.groups import Slice
from gec_fair.safety.reweighting import Gained, Reweighting, reweigh
from gec_fair.safety.scored import Floats

Draws = Literal["expected", "sampled"]


@dataclass(frozen=True, slots=True, eq=False)
class Passes:
    """`weights`: (texts,) of the last round, by harm; `gained`: round by round, by harm."""

    baseline: Ensemble
    balanced: Ensemble
    remediated: Ensemble
    balance: Balanced
    weights: Mapping[str, Floats]
    gained: tuple[Mapping[str, Gained], ...]


def baseline(train: Examples, harms: tuple[str, ...], options: EnsembleOptions, seed: int) -> Ensemble:
    """On the texts that are no counterfactuals."""
    plain = np.where(train.copies, 0.0, 1.0)
    return fit(train, dict.fromkeys(harms, plain), options, seed=seed)


def remedy(
    train: Examples, validation: Examples, first: Ensemble, options: Mapping[str, Reweighting],
    ensemble: EnsembleOptions, *, balanced: bool = True, rounds: int = 1, draws: Draws = "expected",
    number: int = 0, seed: int = 0,
) -> Passes:  # fmt: skip
    """`first`: the baseline. A round is told the losses of the model before it, and begins from the balanced weights
    anew."""
    even = balance(train) if balanced else Balanced(np.where(train.copies, 0.0, 1.0), {})
    plain = dict.fromkeys(options, even.weights)
    only_balanced = model = fit(train, plain, ensemble, seed=seed) if balanced else first
    weights: Mapping[str, Floats] = plain
    before, gained = first, []
    for n in range(rounds):
        found = {}
        for harm, each in options.items():
            known = np.where(train.labels[harm] == UNKNOWN, 0.0, even.weights)
            chance = np.random.default_rng([seed, n, *harm.encode()]) if draws == "sampled" else None
            found[harm] = reweigh(losses(before, validation, harm), train.slices, train.labels[harm] == 1, known, each,
                                  sample=chance, number=number)  # fmt: skip
        gained.append(found)
        weights = {harm: even.weights + each.weights for harm, each in found.items()}
        before = model = fit(train, weights, ensemble, seed=seed)
    return Passes(first, only_balanced, model, even, weights, tuple(gained))


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
