"""A classifier: texts in, a score for each label out; and what is read from its scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import GecFairError

Text: TypeAlias = tuple[str, ...]
"""The fields of an example: one text, or premise and hypothesis, or a question and its candidates."""
Scores: TypeAlias = NDArray[np.float64]


class Classifier(Protocol):
    """`labels` in the order of the scores' columns, () of a regression; `version` names all that decides them. One that
    is slow may have a number `at_once`, of texts between two strokes of a progress bar."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels, in the order of the columns of `scores`."""
        ...

    @property
    def version(self) -> str:
        """What decides the scores: a change of it makes earlier scores stale."""
        ...

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels): the higher the likelier; rows need not add up to 1. Of a regression (texts, 1)."""
        ...


class ClassifierFault(GecFairError):
    """A classifier that failed, or whose answer cannot be used."""


def predictions(
    classifier: Classifier, texts: Sequence[Text], progress: Callable[[int], None] = lambda done: None
) -> list[str]:
    """The label with the highest score of each text; of equal ones the first. `progress` is called with the number of
    texts done. ClassifierFault for answers that are not one row a text."""
    return [classifier.labels[n] for n in _score(classifier, texts, progress).argmax(1)] if texts else []


def values(
    classifier: Classifier, texts: Sequence[Text], progress: Callable[[int], None] = lambda done: None
) -> list[float]:
    """The value that a regression gives each text; raises as `predictions` does."""
    return [float(value) for value in _score(classifier, texts, progress)[:, 0]] if texts else []


def _score(classifier: Classifier, texts: Sequence[Text], progress: Callable[[int], None]) -> Scores:
    parts: list[Scores] = []
    size = int(getattr(classifier, "at_once", 0)) or len(texts)
    for first in range(0, len(texts), size):
        parts.append(_score_batch(classifier, texts[first : first + size]))
        progress(first + len(parts[-1]))
    return np.concatenate(parts)


def _score_batch(classifier: Classifier, texts: Sequence[Text]) -> Scores:
    scores = np.asarray(classifier.scores(texts), dtype=np.float64)
    columns = len(classifier.labels) or 1
    if scores.shape != (len(texts), columns):
        raise ClassifierFault(
            f"{classifier.version}: answered {scores.shape} for {len(texts)} texts and "
            f"{columns} labels; one row a text, one column a label"
        )
    if not np.isfinite(scores).all():
        raise ClassifierFault(f"{classifier.version}: a score is not a number; look at the model")
    return scores
