"""Fairlearn's two remedies, to compare with.

    thresholds    Hardt et al. (2016): the baseline, and for each group of texts the thresholds at which all groups have
                  equal rates on the validation texts. Whom a text names must be known at prediction too.
    constrained   Agarwal et al. (2018), the exponentiated gradient: models that are trained on the balanced texts under
                  the constraint, and how often each decides. Whom a text names must be known in training alone.

Both make decisions, partly by chance. The score of a text is the probability of the decision that it is unsafe. Its
mean over the safe texts of a subgroup, the sliced average, is therefore the false positive rate of the subgroup, and
its mean over unsafe texts the true positive rate.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gec_fair.errors import InputError
from gec_fair.extras import require
from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.data.scores import Floats, Integers
from gec_fair.safety.ensemble.model import Ensemble, new_model
from gec_fair.safety.remedy.options import FairlearnOptions
from gec_fair.safety.remedy.text_groups import TextGroups
from gec_fair.safety.remedy.two_passes import Start, TwoPasses

Scores: TypeAlias = Callable[[Examples], Floats]
_MOMENTS = {
    "equalized_odds": "EqualizedOdds",
    "demographic_parity": "DemographicParity",
    "true_positive_rate_parity": "TruePositiveRateParity",
    "false_positive_rate_parity": "FalsePositiveRateParity",
}
"""A constraint's name for the thresholds, and its class for the constrained model."""


@dataclass(frozen=True, slots=True, eq=False)
class FairModel:
    """`scores`: of texts and whom they name, (texts,) probabilities of the decision *unsafe*."""

    scores: Scores
    groups: TextGroups


def model_name(method: str) -> str:
    """The name of a method in tables and files."""
    return f"fairlearn {method}"


def check(options: FairlearnOptions, passes: TwoPasses, harms: tuple[str, ...]) -> None:
    """MissingResource without Fairlearn. InputError where the texts that a method learns from are of fewer than two
    groups for a harm."""
    if not options.methods:
        return
    require("fairlearn.methods", "fairlearn", "fairlearn")
    for harm in harms:
        if "constrained" in options.methods:
            rows = _training_rows(passes.train, harm, passes.balanced(harm).weights)
            _learn_groups(passes.train, harm, rows, options, "training")
        if "thresholds" in options.methods:
            rows = np.flatnonzero(passes.validation.labels[harm] != UNKNOWN)
            _learn_groups(passes.validation, harm, rows, options, "validation")


def _training_rows(train: Examples, harm: str, weights: Floats) -> Integers:
    """The texts of the balanced data."""
    return np.flatnonzero((train.labels[harm] != UNKNOWN) & (weights > 0))


def fit(options: FairlearnOptions, passes: TwoPasses, start: Start, harm: str) -> dict[str, FairModel]:
    """The models of one harm, by name, in the order of the methods."""
    fitted = {}
    for method in options.methods:
        if method == "thresholds":
            model = fit_thresholds(options, start.baseline, passes.validation, harm)
        else:
            model = fit_constrained(options, passes, start, harm)
        fitted[model_name(method)] = model
    return fitted


def fit_thresholds(options: FairlearnOptions, baseline: Ensemble, validation: Examples, harm: str) -> FairModel:
    """On the validation texts whose label is known, each once. Deterministic: thresholds depend on the baseline and on
    these texts alone."""
    from fairlearn.postprocessing import ThresholdOptimizer

    labels = validation.labels[harm]
    rows = np.flatnonzero(labels != UNKNOWN)
    groups = _learn_groups(validation, harm, rows, options, "validation")
    model = ThresholdOptimizer(
        estimator=baseline.models[harm],
        constraints=options.constraint,
        objective="balanced_accuracy_score",  # of accuracy the best is to flag every text where most are unsafe
        prefit=True,
        predict_method="predict_proba",
    )
    ready = baseline.inputs.ready(validation.features)
    model.fit(ready[rows], labels[rows], sensitive_features=groups.assign(validation)[rows])

    def scores(examples: Examples) -> Floats:
        ready = baseline.inputs.ready(examples.features)
        return _decided(model._pmf_predict(ready, sensitive_features=groups.assign(examples)))

    return FairModel(scores, groups)


def fit_constrained(options: FairlearnOptions, passes: TwoPasses, start: Start, harm: str) -> FairModel:
    """On the texts of the balanced data, each once: Fairlearn weighs texts itself to meet the constraint, and takes no
    weights besides. On one core, because a forest on several adds up its trees in another order each time."""
    from fairlearn import reductions

    labels, inputs = passes.train.labels[harm], start.balanced.inputs
    rows = _training_rows(passes.train, harm, start.balance[harm].weights)
    groups = _learn_groups(passes.train, harm, rows, options, "training")
    constraint = getattr(reductions, _MOMENTS[options.constraint])(difference_bound=options.violation)
    model = reductions.ExponentiatedGradient(
        new_model(passes.ensemble, passes.seed), constraint, eps=options.violation, max_iter=options.iterations
    )
    ready = inputs.ready(passes.train.features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of pandas, in Fairlearn
        model.fit(ready[rows], labels[rows], sensitive_features=groups.assign(passes.train)[rows])
    return FairModel(lambda examples: _decided(model._pmf_predict(inputs.ready(examples.features))), groups)


def _decided(chances: Floats) -> Floats:
    """(texts, 2) → (texts,) the probability of the decision *unsafe*. Fairlearn's `predict` draws a decision; the
    probabilities are behind an underscore alone."""
    return np.clip(chances[:, 1], 0, 1)


def _learn_groups(examples: Examples, harm: str, rows: Integers, options: FairlearnOptions, split: str) -> TextGroups:
    groups = TextGroups.learn(examples, harm, rows, options.least)
    if len(groups.counts) < 2:
        raise InputError(
            f"{harm}: fairlearn compares groups of texts, but the {split} texts have fewer than two groups with "
            f"{options.least} safe and {options.least} unsafe texts; add texts, lower fairlearn.least, or leave "
            "fairlearn.methods empty"
        )
    return groups
