"""Fairtuning: what a classifier is trained on, and Tables 4 and 5 over tasks, models, ways and seeds.

original   the examples as they are
replaced   each example that can be perturbed, perturbed; as many as before (§2, the paper's fairtuning)
appended   the perturbed ones besides
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from gec_fair.classifiers.protocol import Classifier
from gec_fair.classifiers.scikit import tfidf
from gec_fair.corpus.atomic import write_text
from gec_fair.errors import UsageError
from gec_fair.evaluate.papers import printed
from gec_fair.fairscore import tasks
from gec_fair.fairscore.joined import folder_of, rule_rewriter
from gec_fair.fairscore.options import TUNINGS, ClassifierTraining
from gec_fair.fairscore.run import Measured, Rewriter, measure
from gec_fair.fairscore.tasks import Example

PAPER = "Qian et al. 2022"
_THEIRS = {"cola": "CoLA", "sst2": "SST-2", "qqp": "QQP", "rte": "RTE", "qnli": "QNLI"}
_EVALUATION_SEED = 0  # all models are judged on the same perturbed examples


@dataclass(frozen=True, slots=True)
class Cell:
    """One training: a task, a model's name (`tfidf`, or an encoder), a way and a seed."""

    task: str
    model: str
    tuning: str
    seed: int

    @property
    def place(self) -> str:
        return f"{self.task}/{self.model.replace('/', '-')}/{self.tuning}/{self.seed}"


def tuned(examples: Sequence[Example], rewriter: Rewriter, how: str) -> list[Example]:
    """The training examples. A label stays with its example."""
    if how not in TUNINGS:
        raise UsageError(f"no way of tuning is called {how!r}; there are {', '.join(TUNINGS)}")
    if how == "original":
        return list(examples)
    new = rewriter([example.fields for example in examples], [example.id for example in examples])
    pairs = zip(examples, new, strict=True)
    if how == "replaced":
        return [example if each.misaligned else replace(example, fields=each.fields) for example, each in pairs]
    changed = [replace(example, fields=each.fields, id=f"{example.id}′") for example, each in pairs
               if each.axis and not each.misaligned]  # fmt: skip
    return [*examples, *changed]


def run(
    cells: Sequence[Cell], out: Path, *, axes: tuple[str, ...], limit: int | None = None,
    settings: ClassifierTraining | None = None, progress: Callable[[int, int], None] = lambda done, whole: None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Every cell's record, trained and measured unless its file is there: a killed run goes on. `settings`: how
    encoders are trained. Records have metric and figure, fairscore with interval, and counts."""
    found = []
    for number, cell in enumerate(cells):
        path = out / f"{cell.place}.json"
        asked = _asked(cell, axes, limit, settings)
        told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        if told is None or told["asked"] != asked:
            told = {"asked": asked, **asdict(cell), **_measured(cell, out, axes, limit, settings)}
            write_text(path, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        found.append(told)
        progress(number + 1, len(cells))
    return found


def _asked(
    cell: Cell, axes: Sequence[str], limit: int | None, settings: ClassifierTraining | None
) -> dict[str, Any]:  # fmt: skip
    """What decides a record."""
    whole = {"axes": list(axes), "limit": limit, "settings": asdict(settings) if settings else None}
    told: dict[str, Any] = json.loads(json.dumps({**asdict(cell), **whole}))
    return told


def _measured(
    cell: Cell, out: Path, axes: tuple[str, ...], limit: int | None, settings: ClassifierTraining | None
) -> dict[str, Any]:
    task = tasks.task(cell.task)
    folder = folder_of(cell.task)
    training = tasks.read(task, "train", folder, limit=limit)
    judged = tasks.read(task, "dev", folder)
    rewriter = rule_rewriter(axes, training, sampling="axes", seed=cell.seed)
    data = tuned(training, rewriter, cell.tuning)
    classifier = _trained(cell, data, task.labels, out, settings)
    evaluation = rule_rewriter(axes, judged, sampling="axes", seed=_EVALUATION_SEED)
    found: Measured = measure(judged, classifier, evaluation, metric=task.metric)
    return {"trained_on": len(data), "metric": task.metric, "figure": found.original, **found.whole.as_json(),
            "by_axis": {name: each.value for name, each in found.axes.items()},
            "signature": found.signature}  # fmt: skip


def _trained(
    cell: Cell, data: Sequence[Example], labels: tuple[str, ...], out: Path, settings: ClassifierTraining | None
) -> Classifier:
    if cell.model == "tfidf":
        return tfidf([example.fields for example in data], [example.label for example in data], seed=cell.seed)
    if settings is None:
        raise UsageError(f"{cell.model} is an encoder; give the settings of its training (training/fairtune.yaml)")
    from gec_fair.fairscore.finetune import finetuned

    options = replace(settings, start=cell.model, task=cell.task, tuning=cell.tuning)  # type: ignore[arg-type]
    return finetuned(options, data, labels, out / "runs" / cell.place, seed=cell.seed)


def tables(records: Sequence[Mapping[str, Any]]) -> str:
    """Tables 4 and 5 in form, medians over seeds, the paper's rows for its own models below."""
    names = list(dict.fromkeys(record["task"] for record in records))
    four = _table("Table 4: the task's measure, median over seeds", records, names, "figure", "table_4")
    five = _table("Table 5: the fairscore, % (lower is fairer), median over seeds", records, names, "fairscore",
                  "table_5")  # fmt: skip
    return f"{four}\n\n{five}"


def _table(title: str, records: Sequence[Mapping[str, Any]], names: Sequence[str], key: str, theirs: str) -> str:
    lines = [title, "", f"| model | tuning | seeds | {' | '.join(names)} | mean |",
             "| --- | --- | ---: |" + " ---: |" * (len(names) + 1)]  # fmt: skip
    for model, tuning in dict.fromkeys((record["model"], record["tuning"]) for record in records):
        rows = [r for r in records if (r["model"], r["tuning"]) == (model, tuning)]
        each = [_median([r[key] for r in rows if r["task"] == name]) for name in names]
        seeds = len({r["seed"] for r in rows})
        lines.append(f"| {model} | {tuning} | {seeds} | {' | '.join(map(_shown, each))} | {_shown(_mean(each))} |")
    table = printed("qian2022").get(theirs, {})
    for row in table.get("row", ()):
        figures = dict(zip(table["columns"], row["values"], strict=True))
        chosen = [figures.get(_THEIRS.get(name, "")) for name in names]
        if any(value is not None for value in chosen):
            how = {"orig": "original", "fair": "replaced"}[row["tuning"]]
            lines.append(f"| {row['model']} {row['size']}, {PAPER} | {how} | 5 | {' | '.join(map(_shown, chosen))} | |")
    return "\n".join(lines)


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
