"""A cell: one system, one seed, one folder.

    OUT/cells/SYSTEM/SEED/   the training run (begun.json, checkpoints/, best/, manifest.json), outputs.json (of which
                             model, for which sets), SET/{orig,aug}.txt and full.txt, scores.json (written last: the
                             cell is finished)

OUT/cells is what `gec-fair compare` reads as RUNS.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from gec_fair.corpus.atomic import write_text
from gec_fair.errors import MissingResource, UsageError
from gec_fair.evaluate import evalsets
from gec_fair.evaluate.errant import Annotator
from gec_fair.evaluate.gap import measure, short
from gec_fair.evaluate.judge import ScoreOptions, judge
from gec_fair.evaluate.texts import digest, read_sources
from gec_fair.gec.experiment.options import BASELINE, MODELS, Experiment
from gec_fair.gec.systems import System, load

CELLS = "cells"
SCORES = "scores.json"
OUTPUTS = "outputs.json"
FULL = "full.txt"
_SIDES = ("orig", "aug")


@dataclass(frozen=True, slots=True)
class Cell:
    """`pairs` is "" for the baseline, which is not trained."""

    system: str
    seed: int
    pairs: str
    folder: Path

    @property
    def name(self) -> str:
        return f"{self.system}/{self.seed}"

    @property
    def finished(self) -> bool:
        return (self.folder / SCORES).exists()

    def state(self, steps: int) -> str:
        """How far it has come, for people."""
        if self.finished:
            return "finished"
        if (self.folder / "manifest.json").exists():
            return "trained"
        found = [int(path.parent.name.rpartition("-")[2]) for path in self.folder.glob("checkpoints/*/complete")]
        if found:
            return f"{max(found):,} of {steps:,} updates"
        return "begun" if (self.folder / "begun.json").exists() else ""


def cells(experiment: Experiment, out: Path) -> list[Cell]:
    """All cells, in the order in which they are run: seed after seed, so that an early look shows every system."""
    found = [Cell(BASELINE, 0, "", out / CELLS / BASELINE / "0")] if experiment.baseline else []
    for seed in experiment.seed_list:
        found += [Cell(name, seed, pairs, out / CELLS / name / str(seed)) for name, pairs in experiment.names.items()]
    return found


def chosen(every: Sequence[Cell], names: Sequence[str]) -> list[Cell]:
    """The cells of the given names, SYSTEM/SEED or SYSTEM. UsageError for one that is none."""
    found: list[Cell] = []
    for name in names:
        some = [cell for cell in every if name in (cell.name, cell.system)]
        if not some:
            raise UsageError(f"no cell {name}; cells are {every[0].name} … {every[-1].name}")
        found += some
    return list(dict.fromkeys(found)) if names else list(every)


def run_cell(
    cell: Cell, experiment: Experiment, settings: Any, annotator: Annotator, *, workers: int = 1
) -> Mapping[str, Any]:
    """Train, predict, score; whatever is done already is not done again. Answers the scores.

    ResumeError where the cell holds a run with other data or settings; UsageError where another process is at it.
    """
    with _alone(cell.folder):
        model = experiment.baseline
        identity: dict[str, Any] = {"model": _weights(model)}
        if cell.pairs:
            train = import_module(MODELS[experiment.model][2]).train
            done = train(replace(settings, train=cell.pairs), cell.folder, seed=cell.seed, workers=workers)
            model = str(done.directory)
            identity = {"trained": digest(cell.folder / "manifest.json")}
        where = [evalsets.find(name) for name in experiment.sets or evalsets.present()]
        references = {each.name: [digest(side.m2) for side in (each.orig, each.aug)] for each in where}
        identity |= {"sets": references, "full": digest(Path(experiment.full)) if experiment.full else ""}
        path = cell.folder / SCORES
        scores = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if scores.get("identity") != identity:
            _forget_others(cell.folder, identity)
            _predict(cell.folder, f"{experiment.model}:{model}", where, experiment.full)
            scores = {"identity": identity, **_scores(cell.folder, where, experiment.full, annotator)}
            write_text(path, json.dumps(scores, indent=1, ensure_ascii=False) + "\n")
        _tidy(cell, keep_model=experiment.keep_models)
        found: dict[str, Any] = scores
        return found


def _weights(model: str) -> str:
    """What a model is, by its weights where it is a folder."""
    path = Path(model) / "model.safetensors"
    return digest(path) if path.is_file() else model


def _tidy(cell: Cell, *, keep_model: bool) -> None:
    """Only an unfinished training needs its checkpoints."""
    shutil.rmtree(cell.folder / "checkpoints", ignore_errors=True)
    if cell.pairs and not keep_model:
        shutil.rmtree(cell.folder / "best", ignore_errors=True)


def _forget_others(folder: Path, identity: Mapping[str, Any]) -> None:
    """Outputs belong to a model and to the sets as they were; those of others are removed before new ones are made."""
    record = folder / OUTPUTS
    if record.exists() and json.loads(record.read_text(encoding="utf-8")) == identity:
        return
    (folder / SCORES).unlink(missing_ok=True)
    for path in (folder / FULL, *(found for side in _SIDES for found in folder.glob(f"*/{side}.txt"))):
        path.unlink(missing_ok=True)
    write_text(record, json.dumps(identity, indent=1) + "\n")


def _predict(folder: Path, name: str, where: Sequence[evalsets.EvalSet], full: str) -> None:
    """Write every output that is not there yet."""
    jobs = {folder / each.name / f"{side}.txt": getattr(each, side).source for each in where for side in _SIDES}
    if full:
        jobs[folder / FULL] = Path(full)
    waiting = {path: source for path, source in jobs.items() if not path.exists()}
    if not waiting:
        return
    system: System = load(name)
    for path, source in waiting.items():
        write_text(path, "".join(answer + "\n" for answer in system(read_sources(source))))


def _scores(folder: Path, where: Sequence[evalsets.EvalSet], full: str, annotator: Annotator) -> dict[str, Any]:
    options = ScoreOptions()
    found: dict[str, Any] = {"sets": {}}
    for each in where:
        outputs = [(folder / each.name / "orig.txt", folder / each.name / "aug.txt")]
        told = measure(each, outputs, options, annotator).as_json()
        found["sets"][each.name] = {
            key: told[key] for key in ("orig", "aug", "delta", "ci95", "p", "bias", "signature")
        }
    if full:
        score = judge(folder / FULL, Path(full), options, annotator)
        found["full"] = {**short(score), "signature": score.signature}
    return found


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No second process at one cell; a lock that its owner's death frees."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        yield
        return
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise UsageError(f"{folder}: another process is at this cell; wait for it, or name other cells") from fault
        yield


def require_sets(experiment: Experiment) -> None:
    """MissingResource before anything is trained where nothing could be evaluated."""
    if experiment.sets:
        for name in experiment.sets:
            evalsets.find(name)
    elif not evalsets.present():
        raise MissingResource("no evaluation set is here; `gec-fair evalset list` names them, `fetch` gets them")
