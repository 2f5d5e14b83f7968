"""The sources' attributes one by one: how good each is alone, how biased, and how much a model relies on it (figures 3
to 5, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gec_fair.safety import measures
from gec_fair.safety.bootstrap import draw
from gec_fair.safety.examples import Examples
from gec_fair.safety.judging import Judged, original, told
from gec_fair.safety.scored import Floats


def source_figures(test: Examples, harm: str, like: Examples) -> list[dict[str, Any]]:
    """Of each source's column, scaled to [0, 1] by what it gave for the texts `like`: AU-PRC, sliced averages, and the
    largest gap between subgroups, mean over categories (figures 3 and 5)."""
    low, high = np.nanmin(like.features, axis=0), np.nanmax(like.features, axis=0)
    medians = np.nanmedian(like.features, axis=0)
    filled = np.where(np.isnan(test.features), medians, test.features)
    scaled = np.clip((filled - low) / np.where(high > low, high - low, 1), 0, 1)
    found = []
    for n, name in enumerate(test.sources):
        drawn = draw(test.scored(harm, scaled[:, n]), resamples=1)
        one = Judged(original(test, harm, scaled[:, n]), drawn, measures.measure(drawn))
        found.append({"source": name, **told(one)})
    return found


def contributions(
    model: Any, ready: Floats, labels: Sequence[int] | Any, names: Sequence[str], seed: int
) -> list[dict[str, Any]]:
    """Of each column the share of impurity that it takes away, where the model has trees, and what AU-PRC loses when
    it is permuted, as a share of what all lose; percent."""
    from sklearn.inspection import permutation_importance

    found = permutation_importance(model, ready, labels, scoring="average_precision", n_repeats=5, random_state=seed)
    lost = np.clip(found.importances_mean, 0, None)
    inner = getattr(model, "feature_importances_", None)
    return [{"source": name, "impurity": None if inner is None else 100 * float(inner[n]),
             "permutation": 100 * float(lost[n] / lost.sum()) if lost.sum() else 0.0}
            for n, name in enumerate(names)]  # fmt: skip
