"""A classifier's labels matched with a task's, which may differ from them in case alone (NEGATIVE, negative)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gec_fair.classifiers.protocol import Classifier, Scores, Text
from gec_fair.errors import InputError


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A classifier whose labels have these names, in its own order."""

    classifier: Classifier
    labels: tuple[str, ...]

    @property
    def version(self) -> str:
        """The version of the inner classifier; new names do not change it."""
        return self.classifier.version

    @property
    def cut(self) -> int:
        """Texts that were longer than it reads."""
        return int(getattr(self.classifier, "cut", 0))

    @property
    def at_once(self) -> int:
        """How many texts the inner classifier wants at once; 0 for any number."""
        return int(getattr(self.classifier, "at_once", 0))

    def scores(self, texts: Sequence[Text]) -> Scores:
        """The scores of the inner classifier, texts × labels."""
        return self.classifier.scores(texts)


def match_labels(name: str, classifier: Classifier, labels: Sequence[str]) -> Classifier:
    """The classifier with the task's spelling of its labels; `name` is the user's name for it. InputError where it
    lacks one of the labels, or where one of the two is a regression and the other is not."""
    matched = _respell(classifier, labels)
    if bool(matched.labels) != bool(labels) or not set(labels) <= set(matched.labels):
        raise InputError(
            f"{name}: gives {_list_names(matched.labels)}, and the task has {_list_names(labels)}; give a classifier "
            "of this task, or rename labels (--rename, or id2label of its config.json)"
        )
    return matched


def _respell(classifier: Classifier, labels: Sequence[str]) -> Classifier:
    """Unchanged where two labels of the task, or two of the classifier, differ in case alone."""
    names = {label.casefold(): label for label in labels}
    folded = {label.casefold() for label in classifier.labels}
    if set(labels) <= set(classifier.labels) or len(names) < len(labels) or len(folded) < len(classifier.labels):
        return classifier
    return Relabelled(classifier, tuple(names.get(label.casefold(), label) for label in classifier.labels))


def _list_names(labels: Sequence[str]) -> str:
    return ", ".join(labels) or "numbers (it is a regression)"
