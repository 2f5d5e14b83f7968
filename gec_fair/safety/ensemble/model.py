"""A small model over the source classifiers' scores, one output a harm (§4): a random forest, gradient boosting or
logistic regression.

    scores ─ medians where a source gave nothing, and a flag that it did ─ a model for each harm ─ probabilities
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from gec_fair.errors import InputError, UsageError
from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.data.scores import Flags, Floats

Kind = Literal["forest", "boosting", "logistic"]
MISSING = "is missing"
_FOLDS = 5
_RATE, _SHARE = 0.05, 0.8  # of boosting


@dataclass(frozen=True, slots=True)
class EnsembleOptions:
    """Which model, and its size. Depth 6 and leaves of 10 are what the trial on HateCheck had."""

    kind: Kind = "forest"
    trees: int = 200
    """Of the forest, or rounds of boosting."""
    depth: int = 6
    """Of a tree at most."""
    leaf: int = 10
    """Texts in a leaf at least."""
    penalty: float = 1.0
    """Of logistic regression: the inverse of its C."""
    calibrate: bool = False
    """Platt's sigmoid over what five folds say (isotonic steps differ in ONNX); counterfactuals of one text are in one
    fold."""

    def __post_init__(self) -> None:
        for name in ("trees", "depth", "leaf"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}; 1 or more is meant")
        if not self.penalty > 0:
            raise UsageError(f"penalty is {self.penalty}; more than 0 is meant")


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What becomes of the sources' scores before the models see them: missing scores become `medians` of the training
    data, with a flag for the sources `flagged`; then − `centre`, / `scale` (0 and 1 but for logistic regression)."""

    sources: tuple[str, ...]
    medians: Floats
    flagged: tuple[int, ...]
    centre: Floats
    scale: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """Of the models' columns."""
        return (*self.sources, *(f"{self.sources[n]} {MISSING}" for n in self.flagged))

    @classmethod
    def from_features(cls, features: Floats, sources: Sequence[str], missing: Flags, *, standardised: bool) -> Inputs:
        """`missing`: (sources,) those that lack a score in any of the training data, whichever of them are learned
        from: two models of one table have the same columns. InputError for a source that gave nothing at all."""
        if len(empty := np.flatnonzero(np.all(np.isnan(features), axis=0))):
            raise InputError(f"the source {sources[empty[0]]} gave no score for any text; leave its column out")
        flagged = tuple(np.flatnonzero(missing).tolist())
        columns = len(sources) + len(flagged)
        plain = cls(tuple(sources), np.nanmedian(features, axis=0), flagged, np.zeros(columns), np.ones(columns))
        if not standardised:
            return plain
        filled = plain.ready(features)
        spread = filled.std(axis=0)
        return replace(plain, centre=filled.mean(axis=0), scale=np.where(spread > 0, spread, 1.0))

    def ready(self, features: Floats) -> Floats:
        """(texts, sources) → (texts, names)."""
        missing = np.isnan(features)
        filled = np.where(missing, self.medians, features)
        columns: Floats = np.hstack([filled, missing[:, list(self.flagged)].astype(np.float64)])
        return (columns - self.centre) / self.scale


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """`models`: scikit-learn's, by harm."""

    inputs: Inputs
    models: Mapping[str, Any]
    options: EnsembleOptions = field(default_factory=EnsembleOptions)

    def for_harm(self, harm: str) -> Ensemble:
        """For one harm alone."""
        return replace(self, models={harm: self.models[harm]})

    @property
    def harms(self) -> tuple[str, ...]:
        """The harms, in the order of the models."""
        return tuple(self.models)

    def scores(self, features: Floats) -> dict[str, Floats]:
        """(texts, sources) → by harm (texts,), the probability of its being unsafe."""
        ready = self.inputs.ready(features)
        return {harm: model.predict_proba(ready)[:, 1] for harm, model in self.models.items()}


def fit(examples: Examples, weights: Mapping[str, Floats], options: EnsembleOptions, *, seed: int = 0) -> Ensemble:
    """A model for each harm of `weights`, over its texts whose label is known and whose weight is above 0. InputError
    where a harm has texts of one label alone."""
    used = np.any([harm_weights > 0 for harm_weights in weights.values()], axis=0)
    inputs = Inputs.from_features(
        examples.features[used],
        examples.sources,
        np.any(np.isnan(examples.features), axis=0),
        standardised=options.kind == "logistic",
    )
    ready = inputs.ready(examples.features)
    models = {}
    for harm, harm_weights in weights.items():
        labels = examples.labels[harm]
        rows = np.flatnonzero((labels != UNKNOWN) & (harm_weights > 0))
        if len(set(labels[rows].tolist())) < 2:
            raise InputError(f"{harm}: the training data have texts of one label alone; give safe and unsafe ones")
        model = new_model(options, seed)
        if options.calibrate:
            model = _calibrated(
                model, ready[rows], labels[rows], [examples.sets[n] or examples.ids[n] for n in rows], seed
            )
        with _cores(options):
            models[harm] = model.fit(
                ready[rows], labels[rows], sample_weight=harm_weights[rows] / harm_weights[rows].mean()
            )
    return Ensemble(inputs, models, options)


@contextmanager
def _cores(options: EnsembleOptions) -> Iterator[None]:
    """A forest's trees are grown on all cores, each by its own seed. They are asked by one thread, as calibration
    does while it learns: several add them up in another order each time."""
    from joblib import parallel_config

    if options.kind != "forest" or options.calibrate:
        yield
        return
    # Threads of scikit-learn 1.7 and later reset each other's filters of warnings, then warn of having none, and leave
    # none to whoever comes later.
    with warnings.catch_warnings(record=True), parallel_config("threading", n_jobs=-1):
        yield


def new_model(options: EnsembleOptions, seed: int) -> Any:
    """The untrained model of a kind, without calibration."""
    if options.kind == "forest":
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(
            options.trees, max_depth=options.depth, min_samples_leaf=options.leaf, random_state=seed
        )
    if options.kind == "boosting":
        from sklearn.ensemble import GradientBoostingClassifier

        return GradientBoostingClassifier(
            n_estimators=options.trees,
            max_depth=options.depth,
            learning_rate=_RATE,
            subsample=_SHARE,
            min_samples_leaf=options.leaf,
            random_state=seed,
        )
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=1 / options.penalty, max_iter=2000)


def _calibrated(model: Any, ready: Floats, labels: Any, groups: Sequence[str], seed: int) -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedGroupKFold

    pairs = list(zip(labels.tolist(), groups, strict=True))
    sets = {label: len({group for label_, group in pairs if label_ == label}) for label in (0, 1)}
    if min(sets.values()) < _FOLDS:
        raise InputError(
            f"calibrate wants {_FOLDS} sets of safe texts and of unsafe ones in training; there are "
            f"{sets[0]} and {sets[1]}; add texts, or leave calibrate: false"
        )
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=seed).split(ready, labels, groups)
    return CalibratedClassifierCV(model, method="sigmoid", cv=list(folds), ensemble=False)
