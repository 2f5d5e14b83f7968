"""Fairtuning: what a classifier is trained on, and Tables 4 and 5 over tasks, models, ways and seeds.

original   the examples as they are
replaced   each example that can be perturbed, perturbed; as many as before (§2, the paper's fairtuning)
appended   the perturbed ones besides
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

from gec_fair import __version__
from gec_fair.classifiers.protocol import Classifier
from gec_fair.corpus.atomic import write_text
from gec_fair.errors import ResumeError, UsageError
from gec_fair.evaluate.papers import printed
from gec_fair.extras import require
from gec_fair.fairscore import tasks
from gec_fair.fairscore.joined import rewriter, trained_tfidf
from gec_fair.fairscore.options import TUNINGS, ClassifierTraining
from gec_fair.fairscore.run import Measured, Rewriter, digest, measure
from gec_fair.fairscore.tasks import Example

PAPER = "Qian et al. 2022"
_THEIRS = {"cola": "CoLA", "sst2": "SST-2", "stsb": "STS-B", "qqp": "QQP", "rte": "RTE", "qnli": "QNLI"}
TRIALS = 3
"""Runs of each point of a grid."""
_EVALUATION_SEED = 0  # all models are judged on the same perturbed examples


@dataclass(frozen=True, slots=True)
class Cell:
    """One training: a task, a model's name (`tfidf`, or an encoder), a way, a seed, and of a grid which point."""

    task: str
    model: str
    tuning: str
    seed: int
    point: str = ""

    @property
    def place(self) -> str:
        parts = (self.task.replace(":", "-"), self.model.replace("/", "-"), self.tuning, self.point, str(self.seed))
        return "/".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class How:
    """What is the same for all cells: what is perturbed and by what, training examples of each task (None: all), and
    whether examples whose contrast vanished are left out."""

    axes: tuple[str, ...] = ("gender", "race", "age")
    perturber: str = "rules"
    limit: int | None = None
    check_labels: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """What all cells share: the folder, examples by task (training, development), and models' weights by name."""

    out: Path
    how: How
    data: Mapping[str, tuple[list[Example], list[Example]]]
    weights: Mapping[str, str]


def tuned(examples: Sequence[Example], rewrite: Rewriter, how: str) -> list[Example]:
    """The training examples. A label stays with its example."""
    if how not in TUNINGS:
        raise UsageError(f"no way of tuning is called {how!r}; there are {', '.join(TUNINGS)}")
    if how == "original":
        return list(examples)
    new = rewrite([example.fields for example in examples], [example.id for example in examples])
    pairs = zip(examples, new, strict=True)
    if how == "replaced":
        return [example if each.refused else replace(example, fields=each.fields) for example, each in pairs]
    changed = [replace(example, fields=each.fields, id=f"{example.id}′") for example, each in pairs
               if each.fields != example.fields and not each.refused]  # fmt: skip
    return [*examples, *changed]


def run(
    cells: Sequence[Cell], out: Path, how: How | None = None, *,
    points: Mapping[str, ClassifierTraining] | None = None,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Every cell's record, trained and measured unless its file is there: a killed run goes on. `points`: how encoders
    are trained, by name; of several, the one with the highest median of `TRIALS` runs is taken for each task, model and
    way (Table 12). Records have metric and figure, fairscore with interval, and counts. ResumeError for a record of
    another training."""
    points = points or {}
    data = {name: (tasks.examples(name, "train", limit=(how or How()).limit), tasks.examples(name, "dev"))
            for name in dict.fromkeys(cell.task for cell in cells)}  # fmt: skip
    given = Given(out, how or How(), data, {cell.model: _weights(cell.model) for cell in cells})
    searched = [cell for cell in cells if cell.model != "tfidf"] if len(points) > 1 else []
    firsts = dict.fromkeys(replace(cell, seed=0) for cell in searched)
    trials = [replace(cell, seed=seed, point=point) for cell in firsts for point in points for seed in range(TRIALS)]
    only = next(iter(points.values()), None)
    whole = len(trials) + len(cells)
    figures: dict[Cell, float] = {}
    for cell in trials:
        figures[cell] = float(_record(cell, given, points[cell.point])["figure"])
        progress(len(figures), whole)
    found: list[dict[str, Any]] = []
    for cell in cells:
        point = _best(cell, points, figures) if cell in searched else ""
        settings = None if cell.model == "tfidf" else points.get(point, only)
        found.append(_record(replace(cell, point=point), given, settings))
        progress(len(trials) + len(found), whole)
    return found


def _best(cell: Cell, points: Iterable[str], figures: Mapping[Cell, float]) -> str:
    """Of equals the first."""
    return max(points, key=lambda point: median(figures[replace(cell, seed=seed, point=point)]
                                                for seed in range(TRIALS)))  # fmt: skip


def _record(cell: Cell, given: Given, settings: ClassifierTraining | None) -> dict[str, Any]:
    path = given.out / f"{cell.place}.json"
    training, judged = given.data[cell.task]
    decides = {**asdict(cell), **asdict(given.how), "settings": asdict(settings) if settings else None,
               "data": [digest(training), digest(judged)], "start": given.weights[cell.model],
               "version": __version__}  # fmt: skip
    asked = json.loads(json.dumps(decides))
    if path.exists():
        there: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if other := [name for name in asked if there["asked"].get(name) != asked[name]]:
            raise ResumeError(f"{path}: holds a record of another training ({', '.join(other)}); give another "
                              "--output, or remove it")  # fmt: skip
        return there
    told = {"asked": asked, **asdict(cell), **_measured(cell, given, settings)}
    write_text(path, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    return told


def _weights(model: str) -> str:
    """Of a folder what lies in it: another training under its name is another model."""
    found = sha256()
    for path in sorted(Path(model).glob("*.safetensors")) if Path(model).is_dir() else ():
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _measured(cell: Cell, given: Given, settings: ClassifierTraining | None) -> dict[str, Any]:
    task, how = tasks.task(cell.task), given.how
    data, judged = given.data[cell.task]
    by = partial(rewriter, how.axes, sampling="axes", perturber=how.perturber)
    if cell.tuning != "original":
        data = tuned(data, by(data, seed=cell.seed), cell.tuning)
    classifier = _trained(cell, data, task, given.out, settings)
    found: Measured = measure(judged, classifier, by(judged, seed=_EVALUATION_SEED), metric=task.metric,
                              check_labels=how.check_labels)  # fmt: skip
    return {"trained_on": len(data), "metric": task.metric, "figure": found.original, **found.whole.as_json(),
            "by_axis": {name: each.value for name, each in found.axes.items()},
            "signature": found.signature}  # fmt: skip


def _trained(
    cell: Cell, data: Sequence[Example], task: tasks.Task, out: Path, settings: ClassifierTraining | None
) -> Classifier:
    if cell.model == "tfidf":
        return trained_tfidf(task, data, seed=cell.seed)
    if settings is None:
        raise UsageError(f"{cell.model} is an encoder; give the settings of its training (training/fairtune.yaml)")
    require("fine-tuning an encoder", "train", "torch", "transformers", "datasets")
    from gec_fair.fairscore.finetune import finetuned

    options = replace(settings, start=cell.model, task=task.name, tuning=cell.tuning)  # type: ignore[arg-type]
    return finetuned(options, data, task.labels, out / "runs" / cell.place, seed=cell.seed, choices=task.choices)


def tables(records: Sequence[Mapping[str, Any]]) -> str:
    """Tables 4 and 5 in form, medians over seeds, the paper's rows for its own models below."""
    names = list(dict.fromkeys(record["task"] for record in records))
    labelled = [name for name in names if tasks.task(name).labels]  # a regression has no fairscore
    four = _table("Table 4: the task's measure, median over seeds", records, names, "figure", "table_4")
    five = _table("Table 5: the fairscore, % (lower is fairer), median over seeds", records, labelled, "fairscore",
                  "table_5")  # fmt: skip
    chosen = [f"{record['task']}, {record['model']}, {record['tuning']}: best at {record['point']}"
              for record in records if record["point"]]  # fmt: skip
    return "\n\n".join([four, *([five] if labelled else []), *(["\n".join(dict.fromkeys(chosen))] if chosen else [])])


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
        chosen = [figures.get(_THEIRS.get(tasks.task(name).name, "")) for name in names]
        if any(value is not None for value in chosen):
            how = {"orig": "original", "fair": "replaced"}[row["tuning"]]
            lines.append(f"| {row['model']} {row['size']}, {PAPER} | {how} | 5 | {' | '.join(map(_shown, chosen))} | |")
    return "\n".join(lines)


def beside(name: str) -> list[str]:
    """What the paper prints of a task, for a line each: Tables 5 (its 16 GB models, fine-tuned) and 13."""
    paper, theirs = printed("qian2022"), _THEIRS.get(name.removeprefix(tasks.HUB), "")
    five, thirteen = paper.get("table_5", {}), paper.get("table_13", {})
    rows = [row for row in five.get("row", ()) if (row["tuning"], row["size"]) == ("orig", "16GB")]
    scores = [f"{row['model']} {row['values'][five['columns'].index(theirs)]:.2f}" for row in rows
              if theirs in five["columns"]]  # fmt: skip
    told = [f"{PAPER}, Table 5, fairscore, %: {', '.join(scores)}"] if scores else []
    if theirs in thirteen.get("columns", ()):
        at = thirteen["columns"].index(theirs)
        shares = ", ".join(f"{axis} {thirteen[axis][at]}" for axis in ("gender", "race", "age", "total"))
        told.append(f"{PAPER}, Table 13, perturbed, %: {shares}")
    return told


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
