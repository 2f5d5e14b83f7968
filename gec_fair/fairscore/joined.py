"""What a name on the command line stands for: a task's examples, a classifier, the rule perturber as a rewriter."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair import __version__
from gec_fair.classifiers.protocol import Classifier, Text, load
from gec_fair.classifiers.scikit import tfidf
from gec_fair.errors import MissingResource, UsageError
from gec_fair.fairscore import tasks
from gec_fair.fairscore.run import Rewritten
from gec_fair.fairscore.tasks import Example, Task
from gec_fair.perturber.perturb import Perturbing, PerturbOptions
from gec_fair.perturber.sampling import axis_weights

HUB = "glue:"
"""Begins the name of a task whose examples come from the hub."""


@dataclass(frozen=True, slots=True)
class Data:
    """Examples to judge on, what they are measured by; `task` of a known one (`folder` None: the hub's), `fields` and
    `label` of a file."""

    examples: list[Example]
    metric: str
    task: Task | None = None
    folder: Path | None = None
    fields: tuple[str, ...] = ()
    label: str = ""


def examples_of(name: str, fields: tuple[str, ...], label: str, *, limit: int | None = None) -> Data:
    """Of a known task its development set, of a file all rows. UsageError for a regression, which has no fairscore."""
    path = Path(name)
    if path.suffix in (".csv", ".tsv", ".jsonl"):
        return Data(tasks.from_file(path, fields, label)[:limit], "accuracy", fields=fields, label=label)
    task = tasks.task(name.removeprefix(HUB))
    if not task.labels:
        raise UsageError(f"{name} is a regression: there is no prediction that flips, so it has no fairscore")
    if name.startswith(HUB):
        return Data(tasks.from_hub(task, "dev", limit=limit), task.metric, task)
    folder = folder_of(name)
    return Data(tasks.read(task, "dev", folder, limit=limit), task.metric, task, folder)


def folder_of(name: str) -> Path:
    """Where a task's files lie. MissingResource where GEC_FAIR_DATA names no folder."""
    given = os.environ.get("GEC_FAIR_DATA")
    if not given:
        raise MissingResource(f"set GEC_FAIR_DATA to a folder with glue/{name}, or give a CSV, TSV or JSONL file")
    return Path(given) / "glue" / name


def labels_of(data: Data) -> tuple[str, ...]:
    """In the task's order; of a file those that occur, sorted."""
    return data.task.labels if data.task else tuple(sorted({example.label for example in data.examples}))


def model_of(name: str, data: Data, train: Path | None) -> Classifier:
    """A classifier by name; `tfidf` learns from the task's training set, or from `train`."""
    if name != "tfidf":
        return load(name, labels_of(data))
    if data.task is not None:
        folder = data.folder
        learnt = tasks.read(data.task, "train", folder) if folder else tasks.from_hub(data.task, "train")
    elif train is not None:
        learnt = tasks.from_file(train, data.fields, data.label)
    else:
        raise UsageError("tfidf learns from training data; give them with --train")
    return tfidf([example.fields for example in learnt], [example.label for example in learnt])


@dataclass(frozen=True)
class RuleRewriter:
    """The rule perturber."""

    perturbing: Perturbing

    @property
    def version(self) -> str:
        options = self.perturbing.options
        return f"rules:{'+'.join(options.axes)}:{options.sampling}:seed:{options.seed}:{__version__}"

    def __call__(self, texts: Sequence[Text], ids: Sequence[str]) -> list[Rewritten]:
        found = []
        for each in self.perturbing(texts, ids):
            drawn = each.drawn
            what = (drawn.axis, drawn.source, drawn.target) if drawn else ("", "", "")
            found.append(Rewritten(each.fields, *what, misaligned=each.misaligned))
        return found


def rule_rewriter(axes: tuple[str, ...], examples: Sequence[Example], *, sampling: str, seed: int) -> RuleRewriter:
    """With `sampling` axes the candidate words of the examples are counted first."""
    options = PerturbOptions(axes=axes, sampling=sampling, seed=seed)  # type: ignore[arg-type]
    if sampling == "axes":
        counts = Counter(Perturbing(options).candidates([example.fields for example in examples]))
        options = PerturbOptions(axes=axes, sampling="axes", weights=axis_weights(counts), seed=seed)
    return RuleRewriter(Perturbing(options))
