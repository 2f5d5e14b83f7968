"""A function of the user's as a classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import ClassifierFault, Scores, Text

_ROUNDING = 1e-6
"""By so much a probability in single precision may be out of range."""


@dataclass(frozen=True, slots=True)
class FunctionClassifier:
    """`function` takes a list of texts and returns for each its label, or its scores in the order of `labels`. A text
    of several fields reaches it as a tuple."""

    function: Callable[[list[Any]], Any]
    labels: tuple[str, ...]

    @property
    def version(self) -> str:
        """The name of the function."""
        return f"function:{getattr(self.function, '__qualname__', type(self.function).__name__)}"

    def scores(self, texts: Sequence[Text]) -> Scores:
        """Texts × labels. One score for each text is that of the second of two labels; a label has the score 1.
        ClassifierFault for a label that is not among `labels`, and for answers other than scores."""
        try:
            answers = self.function([text[0] if len(text) == 1 else text for text in texts])
        except (AttributeError, TypeError) as fault:
            raise ClassifierFault(
                f"{self.version}: {type(fault).__name__}: {fault}; a classifier takes a list of texts, not one text"
            ) from fault
        expected = "return a label or its scores for each text"
        try:
            rows = np.asarray(answers)
            names = rows.astype(str) if _are_labels(rows, self.labels) else None
            rows = np.zeros(0) if names is not None else rows.astype(np.float64)
        except (TypeError, ValueError) as fault:
            raise ClassifierFault(f"{self.version}: {fault}; {expected}") from fault
        if names is not None:
            if unknown := sorted(set(names.tolist()) - set(self.labels)):
                raise ClassifierFault(f"{self.version}: answered {unknown[0]!r}, not one of {', '.join(self.labels)}")
            return np.asarray(names[:, None] == np.array(self.labels)[None, :], dtype=np.float64)
        if np.isnan(rows).any():
            raise ClassifierFault(f"{self.version}: text {np.argwhere(np.isnan(rows))[0][0] + 1}: NaN; {expected}")
        if rows.ndim == 1 and len(self.labels) == 2:
            if (outside := rows[(rows < -_ROUNDING) | (rows > 1 + _ROUNDING)]).size:
                raise ClassifierFault(f"{self.version}: {outside[0]} is not a probability; {expected}")
            return np.stack([1 - rows, rows], axis=1)
        return rows.reshape(len(texts), -1)


def _are_labels(rows: NDArray[Any], labels: Sequence[str]) -> bool:
    """Whether answers name labels: all are text, or whole numbers that the labels are called by."""
    if rows.dtype.kind in "iu":
        return rows.ndim == 1 and {str(answer) for answer in rows.tolist()} <= set(labels)
    return rows.dtype.kind in "US" or (rows.dtype.kind == "O" and all(isinstance(answer, str) for answer in rows))
