"""A random forest over the source classifiers' scores, one for each harm (§4).

scores ─ medians where a source gave nothing, and a flag that it did ─ a forest for each harm ─ probabilities
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gec_fair.config.options import check_range
from gec_fair.errors import InputError
from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.data.scores import Flags, Floats

MISSING = "is missing"


@dataclass(frozen=True, slots=True)
class EnsembleOptions:
    """The size of a forest. Depth 6 and leaves of 10 are what the trial on HateCheck had."""

    trees: int = 200
    depth: int = 6
    """The greatest depth of a tree."""
    leaf: int = 10
    """Texts in a leaf at least."""

    def __post_init__(self) -> None:
        check_range(self, "trees", "depth", "leaf", least=1)


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What becomes of the sources' scores before the models see them: missing scores become `medians` of the training
    data, with a flag for the sources `flagged`."""

    sources: tuple[str, ...]
    medians: Floats
    flagged: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models' columns."""
        return (*self.sources, *(f"{self.sources[n]} {MISSING}" for n in self.flagged))

    @classmethod
    def from_features(cls, features: Floats, sources: Sequence[str], missing: Flags) -> Inputs:
        """`missing`: (sources,) those that lack a score in any of the training data, whichever of them are learned
        from: two models of one table have the same columns. InputError for a source that gave nothing at all."""
        if len(empty := np.flatnonzero(np.all(np.isnan(features), axis=0))):
            raise InputError(f"the source {sources[empty[0]]} gave no score for any text; leave its column out")
        return cls(tuple(sources), np.nanmedian(features, axis=0), tuple(np.flatnonzero(missing).tolist()))

    def ready(self, features: Floats) -> Floats:
        """(texts, sources) → (texts, names)."""
        missing = np.isnan(features)
        filled = np.where(missing, self.medians, features)
        columns: Floats = np.hstack([filled, missing[:, list(self.flagged)].astype(np.float64)])
        return columns


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """`models`: scikit-learn's, by harm."""

    inputs: Inputs
    models: Mapping[str, Any]

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
    missing = np.any(np.isnan(examples.features), axis=0)
    inputs = Inputs.from_features(examples.features[used], examples.sources, missing)
    ready = inputs.ready(examples.features)
    models = {}
    for harm, harm_weights in weights.items():
        labels = examples.labels[harm]
        rows = np.flatnonzero((labels != UNKNOWN) & (harm_weights > 0))
        if len(set(labels[rows].tolist())) < 2:
            raise InputError(f"{harm}: the training data have texts of one label alone; give safe and unsafe ones")
        with _cores():
            models[harm] = new_model(options, seed).fit(
                ready[rows], labels[rows], sample_weight=harm_weights[rows] / harm_weights[rows].mean()
            )
    return Ensemble(inputs, models)


@contextmanager
def _cores() -> Iterator[None]:
    """A forest's trees are grown on all cores, each by its own seed. They are asked by one thread: several add them up
    in another order each time."""
    from joblib import parallel_config

    # Threads of scikit-learn 1.7 and later reset each other's filters of warnings, then warn of having none, and leave
    # none to whoever comes later.
    with warnings.catch_warnings(record=True), parallel_config("threading", n_jobs=-1):
        yield


def new_model(options: EnsembleOptions, seed: int) -> Any:
    """An untrained forest."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(
        options.trees, max_depth=options.depth, min_samples_leaf=options.leaf, random_state=seed
    )
