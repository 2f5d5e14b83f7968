"""What a classifier is here, and those that can be named."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import GecFairError, InputError, UsageError

Text: TypeAlias = tuple[str, ...]
"""The fields of an example: one text, or premise and hypothesis, or a question and its candidates."""
Scores: TypeAlias = NDArray[np.float64]


class Classifier(Protocol):
    """`labels` in the order of the scores' columns; `version` names all that decides them."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def version(self) -> str: ...

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels): the higher the likelier; rows need not add up to 1."""
        ...


class ClassifierFault(GecFairError):
    """A classifier that failed, or answered what is no answer."""


_NAMED = {
    "command": ("gec_fair.classifiers.command", "Command"),
    "hf": ("gec_fair.classifiers.hugging_face", "HuggingFace"),
    "openai": ("gec_fair.classifiers.openai_chat", "OpenAIChat"),
    "sklearn": ("gec_fair.classifiers.scikit", "Scikit"),
}


def load(name: str, labels: Sequence[str]) -> Classifier:
    """The classifier of that name, for a task with these labels; a name without a kind is Hugging Face's. InputError
    for one with other labels, UsageError for no name, MissingResource for what is not here."""
    kind, colon, argument = name.partition(":")
    if not colon or kind not in _NAMED:
        kind, argument = "hf", name
    if not argument:
        raise UsageError(f"{name} names no model; write {kind}:…")
    module, build = _NAMED[kind]
    found: Classifier = getattr(import_module(module), build)(argument, tuple(labels))
    if set(found.labels) != set(labels):
        raise InputError(f"{name}: gives {', '.join(found.labels)}, and the task has {', '.join(labels)}; give a "
                         "classifier of this task, or rename its labels (id2label of its config.json)")  # fmt: skip
    return found


def predictions(classifier: Classifier, texts: Sequence[Text]) -> list[str]:
    """The label with the highest score of each text; of equal ones the first. ClassifierFault for answers that are not
    one row a text."""
    if not texts:
        return []
    scores = np.asarray(classifier.scores(texts), dtype=np.float64)
    if scores.shape != (len(texts), len(classifier.labels)):
        raise ClassifierFault(f"{classifier.version}: answered {scores.shape} for {len(texts)} texts and "
                              f"{len(classifier.labels)} labels; one row a text, one column a label")  # fmt: skip
    if not np.isfinite(scores).all():
        raise ClassifierFault(f"{classifier.version}: a score is no number; look at the model")
    return [classifier.labels[n] for n in scores.argmax(1)]
