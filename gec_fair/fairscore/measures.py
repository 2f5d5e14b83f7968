"""How good a classifier is at its task, as GLUE measures it: scikit-learn's and SciPy's measures, times 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Measure = Callable[[Sequence[Any], Sequence[Any]], float]


def _accuracy(right: Sequence[str], predicted: Sequence[str]) -> float:
    from sklearn.metrics import accuracy_score

    return 100 * float(accuracy_score(right, predicted))


def _mcc(right: Sequence[str], predicted: Sequence[str]) -> float:
    from sklearn.metrics import matthews_corrcoef

    return 100 * float(matthews_corrcoef(right, predicted))


def _pearson(right: Sequence[float], predicted: Sequence[float]) -> float:
    """0 where one side is constant, as scikit-learn has it of Matthews' coefficient."""
    from scipy.stats import pearsonr

    if len(set(right)) < 2 or len(set(predicted)) < 2:
        return 0.0
    return 100 * float(pearsonr(right, predicted).statistic)


MEASURES: Mapping[str, Measure] = {"accuracy": _accuracy, "mcc": _mcc, "pearson": _pearson}
"""Name of a task's metric → (right, predicted) → figure."""
