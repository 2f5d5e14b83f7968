"""The classifier that a fairscore measures: loaded by name, or trained here (`tfidf`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gec_fair.classifiers.protocol import Classifier
from gec_fair.classifiers.registry import TFIDF, load
from gec_fair.classifiers.scikit import tfidf
from gec_fair.errors import InputError, UsageError
from gec_fair.fairscore import tasks
from gec_fair.fairscore.examples import Data, list_labels, read_examples, rename
from gec_fair.fairscore.tasks import Example, Task


def load_classifier(name: str, data: Data, train: Path | None, *, cache: Path | None = None) -> Classifier:
    """A classifier by name; `tfidf` learns from the task's training set, or from `train`. `cache`: a SQLite file for
    what a model behind a server answers."""
    if name != TFIDF:
        counted = data.labels == tuple(map(str, range(len(data.labels))))
        choices = bool(data.task) and tasks.task(data.task).choices
        return load(name, data.labels, ordered=bool(data.task) or counted, choices=choices, cache=cache)
    if data.task:
        task = tasks.task(data.task)
        return train_tfidf(task, rename(tasks.examples(data.task, "train"), data.renamed, task.labels))
    if train is None:
        raise UsageError("tfidf learns from training data; give them with --train")
    learnt = read_examples(train, data.fields, data.label, data.renamed)
    if unknown := sorted(set(data.labels) - set(list_labels(learnt))):
        raise InputError(
            f"{train}: has no example of {', '.join(unknown)}; train on data with the labels that are judged"
        )
    return tfidf([example.fields for example in learnt], [example.label for example in learnt])


def train_tfidf(task: Task, examples: Sequence[Example], *, seed: int = 0) -> Classifier:
    """UsageError for multiple choice."""
    if task.choices:
        raise UsageError(f"tfidf reads one text, and {task.name} has candidates; give a model for multiple choice")
    texts = [example.fields for example in examples]
    if task.labels:
        return tfidf(texts, [example.label for example in examples], seed=seed)
    return tfidf(texts, [float(example.label) for example in examples], seed=seed)
