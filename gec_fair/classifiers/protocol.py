"""What a classifier is here, and those that can be named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from os.path import isdir
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.config.suggest import closest
from gec_fair.errors import GecFairError, InputError, UsageError
from gec_fair.extras import require

Text: TypeAlias = tuple[str, ...]
"""The fields of an example: one text, or premise and hypothesis, or a question and its candidates."""
Scores: TypeAlias = NDArray[np.float64]


class Classifier(Protocol):
    """`labels` in the order of the scores' columns, () of a regression; `version` names all that decides them. One that
    is slow may have a number `at_once`, of texts between two strokes of a progress bar."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def version(self) -> str: ...

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels): the higher the likelier; rows need not add up to 1. Of a regression (texts, 1)."""
        ...


class ClassifierFault(GecFairError):
    """A classifier that failed, or answered what is no answer."""


_NAMED = {
    "command": ("gec_fair.classifiers.command", "Command"),
    "detoxify": ("gec_fair.classifiers.detoxify_model", "DetoxifyModel"),
    "hf": ("gec_fair.classifiers.hugging_face", "HuggingFace"),
    "openai": ("gec_fair.classifiers.openai_chat", "OpenAIChat"),
    "polarity": ("gec_fair.classifiers.polarity", "Polarity"),
    "sklearn": ("gec_fair.classifiers.scikit", "Scikit"),
    "toxicity": ("gec_fair.classifiers.toxicity", "Toxicity"),
}
ALONE = frozenset({"polarity", "toxicity"})
"""Names that stand for themselves."""
TFIDF = "tfidf"
"""What is trained on the spot, and not loaded."""
PICKLES = (".joblib", ".pickle", ".pkl")
SKOPS = ".skops"


def load(
    name: str, labels: Sequence[str], *, ordered: bool = True, choices: bool = False, cache: Path | None = None
) -> Classifier:
    """The classifier of that name, for a task with these labels (() for a regression); a name without a kind is Hugging
    Face's. `ordered`: the labels are in the order that a model was trained with, which then need not name its own.
    `choices`: an example's last fields, one a label, are candidates. `cache`: a SQLite file for what a model behind a
    server answers; None asks anew.
    InputError for one without one of them, UsageError for no name, MissingResource for what is not here."""
    found = as_it_is(name, labels, ordered=ordered, choices=choices, cache=cache)
    found = _called(found, labels)
    if bool(found.labels) != bool(labels) or not set(labels) <= set(found.labels):
        raise InputError(
            f"{name}: gives {_told(found.labels)}, and the task has {_told(labels)}; give a classifier of "
            "this task, or rename labels (--rename, or id2label of its config.json)"
        )
    return found


def as_it_is(
    name: str, labels: Sequence[str] = (), *, ordered: bool = True, choices: bool = False, cache: Path | None = None
) -> Classifier:
    """The classifier of that name with whatever labels are its own; `labels` and the others as `load` has them, which
    checks them. Raises as `load` does, but for labels."""
    kind, colon, argument = name.partition(":")
    if name not in ALONE and (not colon or kind not in _NAMED):
        _check(name)
        kind, argument = "hf", name
    if not argument and kind not in ALONE:
        raise UsageError(f"{name} names no model; write {kind}:…")
    if kind == "hf":
        require("a Hugging Face model", "train", "torch", "transformers")
    module, build = _NAMED[kind]
    wanted = tuple(labels) if ordered or kind != "hf" else ()
    more = {"choices": choices, "cache": cache} if kind == "openai" else {}
    found: Classifier = getattr(import_module(module), build)(argument, wanted, **more)
    return found


def _check(name: str) -> None:
    """UsageError for a name without a known kind that is no folder, and that no model of the hub will have."""
    kind, suffix = name.partition(":")[0], Path(name).suffix
    if isdir(name):
        return
    if name in _NAMED:
        raise UsageError(f"{name} names no model; write {name}:…")
    if kind != name:  # what stands behind may be a program with a key
        raise UsageError(
            f"no kind of classifier is called {kind!r}{closest(kind, _NAMED)}; there are {', '.join(_NAMED)}"
        )
    if suffix == SKOPS:
        raise UsageError(f"{name}: names no kind of classifier; write sklearn:{name}")
    if suffix in PICKLES:
        raise UsageError(
            f"{name}: a pickle may run code, and none is read; save the pipeline with skops "
            "(skops.io.dump) and give sklearn:FILE.skops"
        )
    if "/" not in name and (near := closest(name, (*ALONE, TFIDF))):
        raise UsageError(f"no classifier is called {name!r}{near} A model of the hub with this name is hf:{name}")


@dataclass(frozen=True, slots=True)
class Called:
    """A classifier whose labels have these names, in its own order."""

    classifier: Classifier
    labels: tuple[str, ...]

    @property
    def version(self) -> str:
        return self.classifier.version

    @property
    def cut(self) -> int:
        """Texts that were longer than it reads."""
        return int(getattr(self.classifier, "cut", 0))

    @property
    def at_once(self) -> int:
        return int(getattr(self.classifier, "at_once", 0))

    def scores(self, texts: Sequence[Text]) -> Scores:
        return self.classifier.scores(texts)


def _called(found: Classifier, labels: Sequence[str]) -> Classifier:
    """With the task's names where they differ in case alone (NEGATIVE, negative), and no two do."""
    names = {label.casefold(): label for label in labels}
    own = {label.casefold() for label in found.labels}
    if set(labels) <= set(found.labels) or len(names) < len(labels) or len(own) < len(found.labels):
        return found
    return Called(found, tuple(names.get(label.casefold(), label) for label in found.labels))


def _told(labels: Sequence[str]) -> str:
    return ", ".join(labels) or "numbers (it is a regression)"


def predictions(
    classifier: Classifier, texts: Sequence[Text], progress: Callable[[int], None] = lambda done: None
) -> list[str]:
    """The label with the highest score of each text; of equal ones the first. `progress` hears how many are done.
    ClassifierFault for answers that are not one row a text."""
    return [classifier.labels[n] for n in _checked(classifier, texts, progress).argmax(1)] if texts else []


def values(
    classifier: Classifier, texts: Sequence[Text], progress: Callable[[int], None] = lambda done: None
) -> list[float]:
    """What a regression says of each text; raises as `predictions` does."""
    return [float(value) for value in _checked(classifier, texts, progress)[:, 0]] if texts else []


def _checked(classifier: Classifier, texts: Sequence[Text], progress: Callable[[int], None]) -> Scores:
    found: list[Scores] = []
    size = int(getattr(classifier, "at_once", 0)) or len(texts)
    for first in range(0, len(texts), size):
        found.append(_some(classifier, texts[first : first + size]))
        progress(first + len(found[-1]))
    return np.concatenate(found)


def _some(classifier: Classifier, texts: Sequence[Text]) -> Scores:
    scores = np.asarray(classifier.scores(texts), dtype=np.float64)
    columns = len(classifier.labels) or 1
    if scores.shape != (len(texts), columns):
        raise ClassifierFault(
            f"{classifier.version}: answered {scores.shape} for {len(texts)} texts and "
            f"{columns} labels; one row a text, one column a label"
        )
    if not np.isfinite(scores).all():
        raise ClassifierFault(f"{classifier.version}: a score is no number; look at the model")
    return scores
