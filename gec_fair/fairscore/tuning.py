"""Fairtuning: what a classifier is trained on, and Tables 4 and 5 over tasks, models, ways and seeds.

original   the examples as they are
replaced   each example that can be perturbed, perturbed; as many as before (§2, the paper's fairtuning)
appended   the perturbed ones besides
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from os.path import isdir
from pathlib import Path
from statistics import median
from typing import Any, Literal

from gec_fair.classifiers.protocol import Classifier
from gec_fair.classifiers.registry import EMBEDDED, PICKLES, SKOPS, TFIDF
from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.fairscore.classifiers import train_tfidf
from gec_fair.fairscore.examples import Lessons, load_lessons
from gec_fair.fairscore.options import TUNINGS, ClassifierTraining
from gec_fair.fairscore.rewriting import PerturberRewriter, weigh_axes
from gec_fair.fairscore.run import Once, Rewriter, digest, measure, rewrite_examples
from gec_fair.fairscore.tasks import Example, Task
from gec_fair.models.digest import folder_digest
from gec_fair.perturber.registry import load_perturber
from gec_fair.perturber.rewriting.options import NEURAL, RULES, PerturbOptions
from gec_fair.progress import Progress
from gec_fair.runs.grid import Say, run_cells
from gec_fair.runs.identity import as_plain
from gec_fair.runs.lock import lock
from gec_fair.runs.results import read_result, write_result
from gec_fair.version import __version__

TRIALS = 3
"""Runs of each point of a grid; chosen by hand."""
_EVALUATION_SEED = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One training: a task, a model's name (`tfidf`, or an encoder), a way, a seed, and of a grid which point."""

    task: str
    model: str
    tuning: str
    seed: int
    point: str = ""

    @property
    def name(self) -> str:
        """The path of the record below the output folder, without `.json`; messages name the cell by it."""
        task = self.task.replace(":", "-").replace(".", "-")  # the file of that name may lie in the output folder
        parts = (task, self.model.replace("/", "-"), self.tuning, self.point, str(self.seed))
        return "/".join(filter(None, parts))


_IDENTITY = "asked"  # of a record: all that decides it


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """What is the same for all cells: what is perturbed and by what, training examples of each task (None: all), and
    whether examples whose label may have changed are left out."""

    axes: tuple[str, ...] = ("gender", "race", "age")
    perturber: str = "rules"
    limit: int | None = None
    check_labels: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What all cells share: the folder, examples by task, and models' content by name. What is perturbed for one cell
    is not perturbed again for the next."""

    out: Path
    options: TuningOptions
    data: Mapping[str, Lessons]
    content: Mapping[str, str]
    _options: dict[tuple[str, str], PerturbOptions] = field(default_factory=dict)
    _dev: dict[str, Rewriter] = field(default_factory=dict)
    _train: dict[tuple[str, int], Rewriter] = field(default_factory=dict)

    def dev(self, task: str) -> Rewriter:
        """All models are judged on the same perturbed examples."""
        if task not in self._dev:
            self._dev[task] = self._rewriter(task, "dev", _EVALUATION_SEED)
        return self._dev[task]

    def train(self, task: str, seed: int) -> Rewriter:
        """The rewriter of a task's training examples for a seed; the `TRIALS` newest are kept."""
        if (task, seed) not in self._train:
            if len(self._train) == TRIALS:  # a grid's points ask for as many in turn; more would only fill memory
                del self._train[next(iter(self._train))]
            self._train[task, seed] = self._rewriter(task, "train", seed)
        return self._train[task, seed]

    def _rewriter(self, task: str, part: Literal["train", "dev"], seed: int) -> Rewriter:
        if (task, part) not in self._options:
            options = PerturbOptions(axes=self.options.axes, sampling="axes", perturber=self.options.perturber)
            self._options[task, part] = weigh_axes(options, getattr(self.data[task], part))
        return Once(PerturberRewriter(load_perturber(replace(self._options[task, part], seed=seed))))


def check_tuning(tuning: str) -> None:
    """UsageError for a way that is none."""
    if tuning not in TUNINGS:
        raise UsageError(
            f"no way of tuning is called {tuning!r}{closest(tuning, TUNINGS)}; there are {', '.join(TUNINGS)} "
            "(the paper's fairtuning is replaced)"
        )


def make_examples(examples: Sequence[Example], rewrite: Rewriter, tuning: str) -> list[Example]:
    """The training examples. A label stays with its example."""
    check_tuning(tuning)
    if tuning == "original":
        return list(examples)
    pairs = zip(examples, rewrite_examples(rewrite, examples), strict=True)
    if tuning == "replaced":
        return [
            example if rewriting.refused else replace(example, fields=rewriting.fields) for example, rewriting in pairs
        ]
    changed = [
        replace(example, fields=rewriting.fields, id=f"{example.id}′")
        for example, rewriting in pairs
        if rewriting.fields != example.fields and not rewriting.refused
    ]
    return [*examples, *changed]


def run(
    cells: Sequence[Cell],
    out: Path,
    options: TuningOptions | None = None,
    *,
    points: Mapping[str, ClassifierTraining] | None = None,
    lessons: Mapping[str, Lessons] | None = None,
    progress: Progress = lambda done, total: None,
    say: Say = lambda line: None,
) -> list[dict[str, Any]]:
    """Every cell's record, trained and measured unless its file is there: a killed run resumes, and several processes
    share the cells (`runs.grid`); `say` hears of cells that fail. `points`: how encoders
    are trained, by name; of several, the one with the highest median of `TRIALS` runs is taken for each task, model and
    way (Table 12). `lessons`: examples by name; another name is a known task's. Records have metric and figure,
    fairscore with interval, and counts. Nothing is trained where a name is none; ResumeError for a record of another
    training."""
    points, lessons, options = points or {}, lessons or {}, options or TuningOptions()
    _check(cells, options, points)
    data = {
        name: lessons.get(name) or load_lessons(name, limit=options.limit)
        for name in dict.fromkeys(c.task for c in cells)
    }
    context = Context(out, options, data, {cell.model: _content(cell.model) for cell in cells})
    searched = [cell for cell in cells if cell.model != TFIDF] if len(points) > 1 else []
    firsts = dict.fromkeys(replace(cell, seed=0) for cell in searched)
    trials = [replace(cell, seed=seed, point=point) for cell in firsts for point in points for seed in range(TRIALS)]
    total = len(trials) + len(cells)
    figures: dict[Cell, float] = {}
    for cell in (*trials, *(cell for cell in cells if cell not in searched)):
        _read(cell, context, _settings(cell, points))
    for cell, record in run_cells(trials, lambda cell: _record(cell, context, _settings(cell, points)), say):
        figures[cell] = float(record["figure"])
        progress(len(figures), total)
    chosen = [replace(cell, point=_best(cell, points, figures) if cell in searched else "") for cell in cells]
    records: dict[Cell, dict[str, Any]] = {}
    for cell, record in run_cells(chosen, lambda cell: _record(cell, context, _settings(cell, points)), say):
        records[cell] = record
        progress(len(trials) + len(records), total)
    return [records[cell] for cell in chosen]


def _settings(cell: Cell, points: Mapping[str, ClassifierTraining]) -> ClassifierTraining | None:
    return None if cell.model == TFIDF else points.get(cell.point, next(iter(points.values()), None))


def _check(cells: Sequence[Cell], options: TuningOptions, points: Mapping[str, ClassifierTraining]) -> None:
    """UsageError for a way that is none or an encoder without settings, MissingResource or InputError for a model that
    is none, a perturber's too."""
    for way in dict.fromkeys(cell.tuning for cell in cells):
        check_tuning(way)
    encoders = [model for model in dict.fromkeys(cell.model for cell in cells) if model != TFIDF]
    if unsupported := next(filter(_learns_nothing, encoders), None):
        kind, colon, _ = unsupported.partition(":")  # behind it may be a program with a key
        raise UsageError(
            f"{kind}{colon and ':…'}: fairtuning trains {TFIDF} or an encoder, a folder or a hub's name "
            "(without hf:); other classifiers are measured with gec-fair fairscore"
        )
    if encoders and not points:
        raise UsageError(
            f"{encoders[0]} is an encoder; say how it is trained with --settings training/fairtune.yaml"
            f"{closest(encoders[0], [TFIDF])}"
        )
    neural = options.perturber.removeprefix(f"{NEURAL}:") if options.perturber != RULES else ""
    if encoders or neural:
        require("fairtuning with a neural model", "train", "torch", "transformers", "datasets")
        from gec_fair.models.load import load_config, load_encoder_config

        for model in encoders:
            load_encoder_config(model)
        if neural:
            load_config(neural)


def _learns_nothing(name: str) -> bool:
    """Whether it is the name of a classifier that is only asked."""
    return not isdir(name) and (":" in name or name in EMBEDDED or Path(name).suffix in (SKOPS, *PICKLES))


def _best(cell: Cell, points: Iterable[str], figures: Mapping[Cell, float]) -> str:
    """The best one; the first of equals."""
    return max(
        points, key=lambda point: median(figures[replace(cell, seed=seed, point=point)] for seed in range(TRIALS))
    )


def _record(cell: Cell, context: Context, settings: ClassifierTraining | None) -> dict[str, Any]:
    path = _path(cell, context)
    with lock(path.parent, f".{path.stem}.lock"):
        if record := _read(cell, context, settings):
            return record
        identity = as_plain(_identity(cell, context, settings))
        record = {_IDENTITY: identity, **asdict(cell), **_measure(cell, context, settings)}
        write_result(path, record)
    return record


def _read(cell: Cell, context: Context, settings: ClassifierTraining | None) -> dict[str, Any] | None:
    """Raises as `read_result` does."""
    return read_result(_path(cell, context), _IDENTITY, _identity(cell, context, settings))


def _path(cell: Cell, context: Context) -> Path:
    return context.out / f"{cell.name}.json"


def _identity(cell: Cell, context: Context, settings: ClassifierTraining | None) -> dict[str, Any]:
    data = context.data[cell.task]
    return {
        **asdict(cell),
        **asdict(context.options),
        "settings": asdict(settings) if settings else None,
        "data": [digest(data.train), digest(data.dev)],
        "start": context.content[cell.model],
        "version": __version__,
    }


def _content(model: str) -> str:
    """A digest of what a folder predicts with: another configuration, tokenizer or training is another model. A hub's
    name stands for itself."""
    return folder_digest(model) if Path(model).is_dir() else ""


def _measure(cell: Cell, context: Context, settings: ClassifierTraining | None) -> dict[str, Any]:
    task_data, data = context.data[cell.task], context.data[cell.task].train
    if cell.tuning != "original":
        data = make_examples(data, context.train(cell.task, cell.seed), cell.tuning)
    classifier = _train(cell, data, task_data.task, context.out, settings)
    measured = measure(
        task_data.dev,
        classifier,
        context.dev(cell.task),
        metric=task_data.task.metric,
        check_labels=context.options.check_labels,
    )
    return {
        "trained_on": len(data),
        "metric": task_data.task.metric,
        "figure": measured.original,
        **measured.overall.as_json(),
        "by_axis": {name: score.value for name, score in measured.axes.items()},
        "signature": measured.signature,
    }


def _train(
    cell: Cell, data: Sequence[Example], task: Task, out: Path, settings: ClassifierTraining | None
) -> Classifier:
    if cell.model == TFIDF:
        return train_tfidf(task, data, seed=cell.seed)
    assert settings is not None  # `_check`
    from gec_fair.trainer.classifier import finetune

    options = replace(settings, start=cell.model, task=task.name, tuning=cell.tuning)  # type: ignore[arg-type]
    return finetune(options, data, task.labels, out / "runs" / cell.name, seed=cell.seed, choices=task.choices)
