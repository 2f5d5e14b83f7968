"""Linear debiasing after training: which directions of a text's state tell an attribute, and how to project them away.

Sent-Debias (Liang et al. 2020)   the first principal component of what differs between a sentence's views
INLP (Ravfogel et al. 2020)       all directions by which linear classifiers, one after the other, tell the attribute

Both answer with a symmetric (width, width) matrix P; a state x becomes P x.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import InputError

Matrix = NDArray[np.float64]
_TINY = 1e-9


def away_from(direction: Matrix) -> Matrix:
    """(width, width): takes a direction, of any length, out of a state."""
    unit = direction / np.linalg.norm(direction)
    return np.asarray(np.eye(len(unit)) - np.outer(unit, unit))


def sent_debias(views: Sequence[Matrix]) -> Matrix:
    """(width): of unit length, its sign is of no meaning. `views`: (sentences, width) each, unit rows; row n of each is
    a version of one sentence, with another word of an attribute. InputError where nothing differs."""
    mean = sum(views) / len(views)
    centred = np.concatenate([view - mean for view in views])
    _, size, rows = np.linalg.svd(centred - centred.mean(0), full_matrices=False)
    if not len(size) or size[0] < _TINY:
        raise InputError(
            "the versions of the sentences have the same states; give sentences with words of the "
            "attribute, or another model"
        )
    return np.asarray(rows[0])


@dataclass(frozen=True, slots=True)
class Nullspace:
    """`matrix` (width, width), `rank` of what was taken away, and how often each classifier was right on held-out
    states, first to last: it falls to the most frequent label's share."""

    matrix: Matrix
    rank: int
    accuracy: tuple[float, ...]


def inlp(
    train: tuple[Matrix, Sequence[str]],
    held: tuple[Matrix, Sequence[str]],
    *,
    classifiers: int = 80,
    seed: int = 0,
) -> Nullspace:
    """Linear SVMs without intercept, each on what the ones before left over (Meade et al. 2022's 80). Of three labels
    each takes up to three directions."""
    from sklearn.svm import LinearSVC

    states, labels = train
    width = states.shape[1]
    directions: list[Matrix] = []
    accuracy: list[float] = []
    matrix = np.eye(width)
    for _ in range(classifiers):
        svm = LinearSVC(fit_intercept=False, dual=False, random_state=seed)
        svm.fit(states @ matrix, labels)
        accuracy.append(float(svm.score(held[0] @ matrix, held[1])))
        directions.append(_rows(svm.coef_))
        matrix = np.eye(width) - _onto(np.concatenate(directions))
    return Nullspace(matrix, width - round(float(np.trace(matrix))), tuple(accuracy))


def _rows(weights: Matrix) -> Matrix:
    """An orthonormal basis of the space that the rows span."""
    _, size, rows = np.linalg.svd(weights, full_matrices=False)
    return np.asarray(rows[size > size.max(initial=0.0) * _TINY])


def _onto(rows: Matrix) -> Matrix:
    """The projection onto the space that the rows span."""
    basis = _rows(rows)
    return basis.T @ basis
