"""A function of the user's as a classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gec_fair.classifiers.protocol import ClassifierFault, Scores, Text


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
            rows = rows if rows.dtype.kind in "US" else rows.astype(np.float64)
        except (TypeError, ValueError) as fault:
            raise ClassifierFault(f"{self.version}: {fault}; {expected}") from fault
        if rows.dtype.kind in "US":
            if unknown := sorted(set(rows.tolist()) - set(self.labels)):
                raise ClassifierFault(f"{self.version}: answered {unknown[0]!r}, not one of {', '.join(self.labels)}")
            return np.asarray(rows[:, None] == np.array(self.labels)[None, :], dtype=np.float64)
        if np.isnan(rows).any():
            raise ClassifierFault(f"{self.version}: text {np.argwhere(np.isnan(rows))[0][0] + 1}: NaN; {expected}")
        if rows.ndim == 1 and len(self.labels) == 2:
            return np.stack([1 - rows, rows], axis=1)
        return rows.reshape(len(texts), -1)
