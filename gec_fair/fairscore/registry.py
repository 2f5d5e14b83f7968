"""What a name on the command line stands for: a task's examples, a classifier, a perturber as a rewriter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gec_fair.classifiers.protocol import TFIDF, Classifier, Text, load
from gec_fair.classifiers.scikit import tfidf
from gec_fair.data import user_tables
from gec_fair.errors import InputError, UsageError
from gec_fair.fairscore import tasks
from gec_fair.fairscore.run import AT_ONCE, Rewritten
from gec_fair.fairscore.tasks import Example, Task
from gec_fair.perturber.registry import perturber_of
from gec_fair.perturber.rewriting.perturb import Perturber, Perturbing, PerturbOptions
from gec_fair.perturber.rewriting.sampling import axis_weights
from gec_fair.progress import Progress


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


def lessons(name: str, *, limit: int | None = None) -> Lessons:
    """Of a known task. `limit`: of its training examples."""
    return Lessons(tasks.task(name), tasks.examples(name, "train", limit=limit), tasks.examples(name, "dev"))


def own_lessons(
    train: Path,
    dev: Path,
    fields: tuple[str, ...],
    label: str,
    *,
    renamed: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> Lessons:
    """Of a user's own files: a classification with the labels of the training file. InputError with file and line for
    an example that is judged and has another."""
    learnt = _of_file(train, fields, label, renamed or {})[:limit]
    labels = _labels(learnt)
    judged = _called(tasks.from_file(dev, fields, label), renamed or {})
    for example in judged:
        if example.label not in labels:
            raise InputError(
                f"{dev.with_name(example.id)}: {example.label!r} is no label of {train} "
                f"({', '.join(labels)}); mend the line, or train on such examples too"
            )
    return Lessons(Task(train.name, labels, fields, answer=label), learnt, judged)


def examples_of(
    name: str,
    fields: tuple[str, ...],
    label: str,
    *,
    limit: int | None = None,
    renamed: Mapping[str, str] | None = None,
) -> Data:
    """Of a known task its development set, of a file all rows. `renamed`: labels as the model calls them. UsageError
    for a label that none is called."""
    path = Path(name)
    if is_file(name):
        found = _of_file(path, fields, label, renamed or {})
        return Data(found[:limit], "accuracy", _labels(found), fields=fields, label=label, renamed=renamed or {})
    task = tasks.task(name)
    found = _renamed(tasks.examples(name, "dev", limit=limit), renamed or {}, task.labels)
    labels = tuple((renamed or {}).get(each, each) for each in task.labels)
    return Data(found, task.metric, labels, task=name, renamed=renamed or {})


def _labels(examples: Sequence[Example]) -> tuple[str, ...]:
    """Sorted, numbers as such."""
    names = {example.label for example in examples}
    return tuple(sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)))


def _of_file(path: Path, fields: tuple[str, ...], label: str, renamed: Mapping[str, str]) -> list[Example]:
    found = tasks.from_file(path, fields, label)
    return _renamed(found, renamed, _labels(found))


def _renamed(examples: Sequence[Example], renamed: Mapping[str, str], labels: Sequence[str]) -> list[Example]:
    unknown = [name for name in renamed if name not in labels]
    if unknown:
        raise UsageError(f"no label is called {unknown[0]!r}; there are {', '.join(labels)}")
    return _called(examples, renamed)


def _called(examples: Sequence[Example], renamed: Mapping[str, str]) -> list[Example]:
    return [replace(example, label=renamed.get(example.label, example.label)) for example in examples]


def model_of(name: str, data: Data, train: Path | None, *, cache: Path | None = None) -> Classifier:
    """A classifier by name; `tfidf` learns from the task's training set, or from `train`. `cache`: a SQLite file for
    what a model behind a server answers."""
    if name != TFIDF:
        counted = data.labels == tuple(map(str, range(len(data.labels))))
        choices = bool(data.task) and tasks.task(data.task).choices
        return load(name, data.labels, ordered=bool(data.task) or counted, choices=choices, cache=cache)
    if data.task:
        return trained_tfidf(
            tasks.task(data.task),
            _renamed(tasks.examples(data.task, "train"), data.renamed, tasks.task(data.task).labels),
        )
    if train is None:
        raise UsageError("tfidf learns from training data; give them with --train")
    learnt = _of_file(train, data.fields, data.label, data.renamed)
    if unknown := sorted(set(data.labels) - set(_labels(learnt))):
        raise InputError(
            f"{train}: has no example of {', '.join(unknown)}; train on data with the labels that are judged"
        )
    return tfidf([example.fields for example in learnt], [example.label for example in learnt])


def trained_tfidf(task: Task, examples: Sequence[Example], *, seed: int = 0) -> Classifier:
    """UsageError for multiple choice."""
    if task.choices:
        raise UsageError(f"tfidf reads one text, and {task.name} has candidates; give a model for multiple choice")
    texts = [example.fields for example in examples]
    if task.labels:
        return tfidf(texts, [example.label for example in examples], seed=seed)
    return tfidf(texts, [float(example.label) for example in examples], seed=seed)


@dataclass(frozen=True)
class Perturbs:
    """A perturber as a rewriter."""

    perturber: Perturber

    @classmethod
    def by(cls, options: PerturbOptions) -> Perturbs:
        return cls(perturber_of(options))

    @property
    def version(self) -> str:
        options = self.perturber.options
        return f"{self.perturber.version}:{'+'.join(options.axes)}:{options.sampling}:seed:{options.seed}"

    def __call__(self, texts: Sequence[Text], ids: Sequence[str]) -> list[Rewritten]:
        found = []
        for each in self.perturber(texts, ids):
            drawn = each.drawn
            what = (drawn.axis, drawn.source, drawn.target) if drawn else ("", "", "")
            found.append(Rewritten(each.fields, *what, refused=each.refused))
        return found


def weighed(
    options: PerturbOptions,
    examples: Sequence[Example],
    progress: Progress = lambda done, whole: None,
) -> PerturbOptions:
    """With `sampling` axes the options with what each axis weighs among the examples' candidate words, counted."""
    if options.sampling != "axes":
        return options
    texts, perturbing, counts = [example.fields for example in examples], Perturbing(options), Counter[str]()
    for first in range(0, len(texts), AT_ONCE):
        counts.update(perturbing.candidates(texts[first : first + AT_ONCE]))
        progress(min(first + AT_ONCE, len(texts)), len(texts))
    return replace(options, weights=axis_weights(counts))
