"""The sources' attributes one by one: how good each is alone, how biased, and how much a model relies on it (figures 3
to 5, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gec_fair.safety.auditing.judge import as_row, judge
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.data.scores import Floats


def source_figures(test: Examples, harm: str, like: Examples) -> list[dict[str, Any]]:
    """Of each source's column, scaled to [0, 1] by what it gave for the texts `like`: AU-PRC, sliced averages, and the
    largest gap between subgroups, mean over categories (figures 3 and 5)."""
    low, high = np.nanmin(like.features, axis=0), np.nanmax(like.features, axis=0)
    medians = np.nanmedian(like.features, axis=0)
    filled = np.where(np.isnan(test.features), medians, test.features)
    scaled = np.clip((filled - low) / np.where(high > low, high - low, 1), 0, 1)
    rows = []
    for n, name in enumerate(test.sources):
        rows.append({"source": name, **as_row(judge(test, harm, scaled[:, n], threshold=0.5, resamples=1))})
    return rows


def contributions(
    model: Any, ready: Floats, labels: Sequence[int] | Any, names: Sequence[str], seed: int
) -> list[dict[str, Any]]:
    """Of each column the share of impurity that it takes away, of a linear model its share of the absolute weights of
    standardised columns; and what AU-PRC loses when it is permuted, as a share of what all lose; percent."""
    from sklearn.inspection import permutation_importance

    importance = permutation_importance(
        model, ready, labels, scoring="average_precision", n_repeats=5, random_state=seed
    )
    lost = np.clip(importance.importances_mean, 0, None)
    inner = _importances(model)
    return [
        {
            "source": name,
            "impurity": 100 * float(inner[n]),
            "permutation": 100 * float(lost[n] / lost.sum()) if lost.sum() else 0.0,
        }
        for n, name in enumerate(names)
    ]


def _importances(model: Any) -> Floats:
    """(columns,) that add up to 1; of a calibrated model those of what is calibrated."""
    if (calibrated := getattr(model, "calibrated_classifiers_", None)) is not None:
        return _importances(calibrated[0].estimator)
    importances = getattr(model, "feature_importances_", None)
    weights: Floats = np.abs(model.coef_[0]) if importances is None else importances
    return weights / weights.sum() if weights.sum() else weights
