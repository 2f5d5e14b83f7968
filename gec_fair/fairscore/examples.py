"""Examples to judge on and to learn from, by a task's name or a file of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gec_fair.data import user_tables
from gec_fair.errors import InputError, UsageError
from gec_fair.fairscore import tasks
from gec_fair.fairscore.tasks import Example, Task


@dataclass(frozen=True, slots=True)
class Data:
    """Examples to judge on, what they are measured by, and their labels (() of a regression); `task` where they are a
    known one's, by its name on the command line; `fields` and `label` of a file."""

    examples: list[Example]
    metric: str
    labels: tuple[str, ...]
    task: str = ""
    fields: tuple[str, ...] = ()
    label: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lessons:
    """A task with what is learned from and what is judged on."""

    task: Task
    train: list[Example]
    dev: list[Example]


def is_file(name: str) -> bool:
    """Whether a name on the command line stands for a file of one's own. UsageError for one that cannot be read; no
    task's name has a dot."""
    path = Path(name)
    if name.removeprefix(tasks.HUB) in tasks.TASKS or not (path.suffix or path.is_file()):
        return False
    return bool(user_tables.form(path))


def load_lessons(name: str, *, limit: int | None = None) -> Lessons:
    """Load the lessons of a known task. `limit`: how many training examples."""
    return Lessons(tasks.task(name), tasks.examples(name, "train", limit=limit), tasks.examples(name, "dev"))


def read_lessons(
    train: Path,
    dev: Path,
    fields: tuple[str, ...],
    label: str,
    *,
    renamed: Mapping[str, str],
    limit: int | None = None,
) -> Lessons:
    """Read lessons from a user's own files: a classification with the labels of the training file. InputError with
    file and line for an example that is judged and has another."""
    learnt = read_examples(train, fields, label, renamed)
    labels = list_labels(learnt)
    judged = _relabel(tasks.from_file(dev, fields, label), renamed)
    for example in judged:
        if example.label not in labels:
            raise InputError(
                f"{dev.with_name(example.id)}: {example.label!r} is not a label of {train} "
                f"({', '.join(labels)}); mend the line, or train on such examples too"
            )
    return Lessons(Task(train.name, labels, fields, answer=label), learnt[:limit], judged)


def load_examples(
    name: str,
    fields: tuple[str, ...],
    label: str,
    *,
    limit: int | None = None,
    renamed: Mapping[str, str],
) -> Data:
    """Load the development set of a known task, or all rows of a file. `renamed`: labels as the model calls them.
    UsageError for a label that none is called."""
    if is_file(name):
        examples = read_examples(Path(name), fields, label, renamed)
        return Data(examples[:limit], "accuracy", list_labels(examples), fields=fields, label=label, renamed=renamed)
    task = tasks.task(name)
    examples = rename(tasks.examples(name, "dev", limit=limit), renamed, task.labels)
    labels = tuple(renamed.get(label, label) for label in task.labels)
    return Data(examples, task.metric, labels, task=name, renamed=renamed)


def list_labels(examples: Sequence[Example]) -> tuple[str, ...]:
    """Sorted, numbers as such."""
    names = {example.label for example in examples}
    return tuple(sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)))


def read_examples(path: Path, fields: tuple[str, ...], label: str, renamed: Mapping[str, str]) -> list[Example]:
    """The rows of a file, with the labels as the model calls them. UsageError as `rename` raises it."""
    examples = tasks.from_file(path, fields, label)
    return rename(examples, renamed, list_labels(examples))


def rename(examples: Sequence[Example], renamed: Mapping[str, str], labels: Sequence[str]) -> list[Example]:
    """The examples with other labels. UsageError for a label that no example has."""
    unknown = [name for name in renamed if name not in labels]
    if unknown:
        raise UsageError(f"no label is called {unknown[0]!r}; there are {', '.join(labels)}")
    return _relabel(examples, renamed)


def _relabel(examples: Sequence[Example], renamed: Mapping[str, str]) -> list[Example]:
    return [replace(example, label=renamed.get(example.label, example.label)) for example in examples]
