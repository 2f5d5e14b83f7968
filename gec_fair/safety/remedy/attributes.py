"""The sources' attributes one by one: how good each is alone, how biased, and how much a model relies on it (figures 3
to 5, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gec_fair.safety.auditing.judge import Judge, as_row
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.data.scores import Floats


def source_figures(test: Examples, harm: str, like: Examples) -> list[dict[str, Any]]:
    """The figures of each source's column, scaled to [0, 1] by what it gave for the texts `like`: AU-PRC, sliced
    averages, and the largest gap between subgroups, mean over categories (figures 3 and 5)."""
    low, high = np.nanmin(like.features, axis=0), np.nanmax(like.features, axis=0)
    medians = np.nanmedian(like.features, axis=0)
    filled = np.where(np.isnan(test.features), medians, test.features)
    scaled = np.clip((filled - low) / np.where(high > low, high - low, 1), 0, 1)
    judge = Judge(test, 0.5)
    judged = [judge.judge_scores(harm, scores) for scores in scaled.T]
    return [{"source": name, **as_row(of_source)} for name, of_source in zip(test.sources, judged, strict=True)]


def contributions(
    model: Any, ready: Floats, labels: Sequence[int] | Any, names: Sequence[str], seed: int
) -> list[dict[str, Any]]:
    """The contribution of each column: the share of impurity that it takes away, and what AU-PRC loses when it is
    permuted, as a share of what all lose; percent."""
    from sklearn.inspection import permutation_importance

    importance = permutation_importance(
        model, ready, labels, scoring="average_precision", n_repeats=5, random_state=seed
    )
    inner = model.feature_importances_
    lost = np.clip(importance.importances_mean, 0, None)
    return [
        {
            "source": name,
            "impurity": 100 * float(inner[n] / (inner.sum() or 1)),
            "permutation": 100 * float(lost[n] / lost.sum()) if lost.sum() else 0.0,
        }
        for n, name in enumerate(names)
    ]
