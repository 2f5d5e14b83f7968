"""ReW: weights of examples that make no n-gram tell a label (Schuster et al. 2019, §4).

    minimise  Σ_j max_c b_j^c + λ‖α‖   over α ≥ 0
    b_j^c  =  Σ_i 1[w_j ∈ x_i] (1 + α_i) 1[y_i = c]  /  Σ_i 1[w_j ∈ x_i] (1 + α_i)

An example counts 1 + α_i in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.razor.documents.words import words

STEPS = 2000
RATE = 1e-2
REGULAR = 1e-3
"""λ. All three were chosen by hand."""


def weights(claims: Sequence[str], answers: Sequence[str], *, steps: int = STEPS) -> NDArray[np.float64]:
    """(claims): 1 + α, by Adam. n-grams are words and pairs of words that at least two claims have."""
    from sklearn.feature_extraction.text import CountVectorizer

    labels = sorted(set(answers))
    right = np.array([labels.index(answer) for answer in answers])
    counting = CountVectorizer(
        tokenizer=words, token_pattern=None, lowercase=False, ngram_range=(1, 2), binary=True, min_df=2
    )
    try:
        holds = counting.fit_transform(claims).astype(np.float64)
    except ValueError:  # no n-gram is in two claims, so that none tells anything
        return np.ones(len(claims))
    columns = holds.T.tocsr()
    alpha, mean, square = (np.zeros(len(right)) for _ in range(3))
    for step in range(1, steps + 1):
        slope = _slope(columns, holds, right, len(labels), alpha)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope * slope
        size = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        alpha = np.maximum(alpha - RATE * size, 0.0)
    return 1 + alpha


def worst(claims: Any, right: NDArray[np.int64], classes: int, alpha: NDArray[np.float64]) -> tuple[Any, Any, Any]:
    """For each n-gram (rows of `claims`, transposed) its most frequent label, that label's share, and what it holds in
    all."""
    counted = np.stack([claims @ ((1 + alpha) * (right == c)) for c in range(classes)])
    totals = counted.sum(0)
    top = counted.argmax(0)
    return top, counted[top, np.arange(len(top))] / totals, totals


def _slope(columns: Any, holds: Any, right: NDArray[np.int64], classes: int, alpha: NDArray[np.float64]) -> Any:
    top, share, total = worst(columns, right, classes, alpha)
    # each n-gram pulls at the examples that hold it: those of its top label up by 1 − share, all others down by share
    slope = -(holds @ (share / total))
    for c in range(classes):
        slope += (right == c) * (holds @ ((top == c) / total))
    norm = float(np.sqrt(alpha @ alpha))
    return slope + (REGULAR * alpha / norm if norm > 0 else 0.0)
