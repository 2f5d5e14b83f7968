"""`gec-fair babylm debias`: a trained model and what each method makes of it, judged by the same suites (figures 3, 4).

OUT/corpora/NAME/      texts for training on (`corpora`)
OUT/METHOD/SEED/       job.json: of which model and options   best/: what came of it   judged-….json
OUT/base/judged-….json the model as it is
OUT/shifts.json        what changed, for `gec-fair babylm agree`
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from gec_fair.babylm.corpora import build
from gec_fair.babylm.corpora.build import CORPORA, ORIGINAL, BuiltCorpus, Original
from gec_fair.babylm.debiasing import debiased_model as debiased
from gec_fair.babylm.debiasing.debiased_model import PROJECTION
from gec_fair.babylm.debiasing.methods import (
    BASE,
    INTERVENTIONS,
    METHODS,
    PROJECTIONS,
    SELF_DEBIAS,
    WITHOUT_TEXTS,
    DebiasExperiment,
    intervention,
)
from gec_fair.babylm.experiment import PACKED, share_cores
from gec_fair.config.settings import as_dict
from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.composite import composite, performance_of
from gec_fair.lmbias.evaluations import Evaluations
from gec_fair.lmbias.options import Suites
from gec_fair.report.table import Record
from gec_fair.runs.atomic import write_json, write_text
from gec_fair.runs.digests import file_digest, model_digests
from gec_fair.runs.grid import Say, finish_cells, refuse_torchrun
from gec_fair.runs.identity import Identity
from gec_fair.runs.isolated import run_isolated
from gec_fair.runs.lock import lock, wait_for_lock
from gec_fair.runs.record import read_record, refuse_other
from gec_fair.stats.seeds import list_seeds
from gec_fair.trainer.records import BEST, CHECKPOINTS

SHIFTS, JUDGED, CLAIMED, REMOVED = "shifts.json", "judged", "job.json", "removed"
FIGURES = ("performance", "bias")
Judged = Mapping[str, Sequence[Sequence[Mapping[str, Any]]]]
"""The figures of each method, seed by seed."""


@dataclass(frozen=True, slots=True)
class Job:
    """One method with one seed, or the model as it is."""

    method: str
    seed: int
    folder: Path

    @property
    def name(self) -> str:
        """`METHOD/SEED`, or `base` for the model as it is."""
        return self.method if self.method == BASE else f"{self.method}/{self.seed}"


def jobs(experiment: DebiasExperiment, out: Path) -> list[Job]:
    """The model as it is first, then method by method."""
    cells = product(experiment.methods, list_seeds(experiment.seeds))
    return [Job(BASE, 0, out / BASE), *(Job(method, seed, out / method / str(seed)) for method, seed in cells)]


def run(experiment: DebiasExperiment, out: Path, *, workers: int = 1, say: Say = print) -> list[Record]:
    """Everything that is not done yet; the shifts. Errors for what would go wrong later come first: the model, the
    suites' data, texts and options of every method; ResumeError where a method's folder is of other ones."""
    refuse_torchrun()
    names = experiment.suites
    suites = Suites(suites=names, size=experiment.size, sample=experiment.sample) if names else None
    _check(experiment, suites)
    evaluations = Evaluations.prepare(suites) if suites else None
    every = jobs(experiment, out)
    identities = {job.name: _identity(job, experiment) for job in every}
    for job in every:
        _refuse_other(job, identities[job.name])
    run_job = partial(_run_job, experiment=experiment, identities=identities, out=out, evaluations=evaluations, say=say)
    if evaluations:  # a model that cannot be read ends it here
        finish_cells(every[:1], partial(run_job, corpora={}, threads=workers), say)
    corpora = make_corpora(experiment, out, workers=workers, say=say)
    at_once, threads = share_cores(workers, len(every) - 1)
    finish_cells(every[1:], partial(run_job, corpora=corpora, threads=threads), say, at_once=at_once)
    if suites is None or evaluations is None:
        return []
    judged: defaultdict[str, list[Sequence[Mapping[str, Any]]]] = defaultdict(list)
    for job in every:
        if evaluation := evaluations.read(job.folder, JUDGED):
            judged[job.method].append(evaluation["figures"])
    report = {
        "model": experiment.model,
        "figures": FIGURES,
        "shifts": shifts(judged),
        "changes": changes(judged),
        "base": _composites(*judged[BASE]),
        "options": asdict(suites),
    }
    with wait_for_lock(out, say):
        write_json(out / SHIFTS, report)
    return shifts(judged)


def _check(experiment: DebiasExperiment, suites: Suites | None) -> None:
    """Raises for what would go wrong later."""
    _check_model(experiment)
    if suites is not None:
        is_biased = not {"crows", "stereoset"}.isdisjoint(suites.suites)
        if is_biased != any(performance_of(Path(name).name) for name in suites.suites):
            raise UsageError(
                "suites: a shift is of performance and of bias; name some of both (blimp…, crows, stereoset), or SEAT"
            )
    elif without_model := [name for name in experiment.methods if name in SELF_DEBIAS]:
        raise UsageError(f"{without_model[0]} makes no model, it changes how one is scored; name suites")
    _check_texts(experiment)


def _check_model(experiment: DebiasExperiment) -> None:
    from gec_fair.lmbias.scoring.load import kind_of
    from gec_fair.models.load import load_config

    if not experiment.model:
        raise UsageError("model names no masked language model; set it, by folder or hub name")
    trained = [name for name in experiment.methods if name not in (*PROJECTIONS, *SELF_DEBIAS)]
    if trained and kind_of(experiment.model, load_config(experiment.model)) != "masked":
        raise InputError(
            f"{experiment.model}: is a causal model, and {', '.join(trained)} are for masked ones; leave "
            "them out of methods"
        )


def _check_texts(experiment: DebiasExperiment) -> None:
    for name in experiment.methods:
        if name in PROJECTIONS and not (experiment.projection or experiment.texts):
            raise UsageError(f"texts and projection name no file, and {name} is found in it; name some")
        if name not in (*PROJECTIONS, *WITHOUT_TEXTS) and not experiment.texts:
            raise UsageError(f"texts names no file, and {name} trains on with it; name some")
    if "cds" in experiment.methods:
        _ = experiment.cds.versions()
    if "debiasing-loss" in experiment.methods:
        from gec_fair.babylm.debiasing.pronouns import read

        paths = Original(experiment.debiasing_loss.texts).paths()
        if not paths:
            raise UsageError("debiasing_loss.texts names no file; give WinoBias' files, or leave the method out")
        read(paths)


_METHOD_SETTINGS: Mapping[str, tuple[str, ...]] = {
    BASE: (),
    "cda-gender": ("cda_gender", "training", "block", "mask"),
    "cda-race": ("cda_race", "training", "block", "mask"),
    "cda-religion": ("cda_religion", "training", "block", "mask"),
    "dropout": ("dropout", "training", "block", "mask"),
    "cds": ("cds", "training", "mask"),
    "debiasing-loss": ("debiasing_loss", "training"),
    **{name: ("sent_debias" if name.startswith("sent") else "inlp",) for name in PROJECTIONS},
    **dict.fromkeys(SELF_DEBIAS, ("self_debias",)),
}
"""The options that decide a method's model."""


def _identity(job: Job, experiment: DebiasExperiment) -> Identity:
    """All that decides a method's model; of the model as it is, the model."""
    settings = as_dict(experiment)
    options = {
        name: {key: value for key, value in settings[name].items() if key != "texts"}
        if isinstance(settings[name], dict)
        else settings[name]
        for name in _METHOD_SETTINGS[job.method]
    }
    texts_by_method = {BASE: (), "cds": experiment.cds.texts, "debiasing-loss": experiment.debiasing_loss.texts}
    projected = dict.fromkeys(PROJECTIONS, experiment.projection or experiment.texts)
    without = dict.fromkeys(SELF_DEBIAS, ())
    texts = {**texts_by_method, **projected, **without}.get(job.method, experiment.texts)
    inputs = {
        "model": model_digests(experiment.model),
        "texts": [file_digest(path) for path in Original(texts).paths()],
    }
    return Identity(f"debias {job.method}", options, inputs, sections={"seed": job.seed})


def _refuse_other(job: Job, identity: Identity) -> None:
    """ResumeError if the folder holds another method's or model's job."""
    if recorded := read_record(job.folder / CLAIMED):
        refuse_other(job.folder, recorded, identity.as_json())


def make_corpora(experiment: DebiasExperiment, out: Path, *, workers: int, say: Say = print) -> dict[str, BuiltCorpus]:
    """The texts, those of projections (`projection`), and what the methods that are asked for make of the texts."""
    folder = out / CORPORA
    wanted = [intervention(experiment, name) for name in INTERVENTIONS if name in experiment.methods]
    original = Original(experiment.texts) if experiment.texts else None
    corpora = build.make_all(original, wanted, folder, workers=workers, say=say)
    if original is not None:
        corpora[PROJECTION] = corpora[ORIGINAL]
    if experiment.projection:
        with wait_for_lock(folder, say):
            corpora[PROJECTION] = build.original(Original(experiment.projection), folder / PROJECTION)
    return corpora


def _run_job(
    job: Job,
    *,
    experiment: DebiasExperiment,
    identities: Mapping[str, Identity],
    corpora: Mapping[str, BuiltCorpus],
    out: Path,
    evaluations: Evaluations | None,
    threads: int,
    say: Say,
) -> None:
    """Busy where another process is at it."""
    with lock(job.folder):
        _refuse_other(job, identities[job.name])
        write_json(job.folder / CLAIMED, identities[job.name].as_json())
        if evaluations is None or evaluations.read(job.folder, JUDGED) is None:
            say(f"{job.name} …")
            run_isolated(partial(debias_and_judge, job, experiment, corpora, out / PACKED, evaluations, threads))


def debias_and_judge(
    job: Job,
    experiment: DebiasExperiment,
    corpora: Mapping[str, BuiltCorpus],
    packed: Path,
    evaluations: Evaluations | None,
    threads: int,
) -> None:
    """A whole job, in its own process. Without evaluations the model is made, and not judged."""
    import torch

    torch.set_num_threads(threads)
    if evaluations is not None and job.method in (BASE, *SELF_DEBIAS):
        axis = SELF_DEBIAS.get(job.method)
        self_debias = experiment.self_debias.for_axis(axis) if axis else None
        evaluations.judge(experiment.model, job.folder, JUDGED, self_debias=self_debias)
        return
    if (job.folder / REMOVED).exists():
        raise InputError(
            f"{job.folder}: the model was removed (keep_models: false), and other suites are asked for; "
            f"ask for those that it was judged by, or remove {job.folder} to make it anew"
        )
    debiased.make(job.method, job.seed, job.folder, experiment, corpora, packed)
    shutil.rmtree(job.folder / CHECKPOINTS, ignore_errors=True)
    if evaluations is None:
        return
    evaluations.judge(str(job.folder / BEST), job.folder, JUDGED)
    if not experiment.keep_models:
        write_text(job.folder / REMOVED, "by keep_models: false\n")
        shutil.rmtree(job.folder / BEST, ignore_errors=True)


def shifts(judged: Judged) -> list[Record]:
    """What each method changes in points of both composites, seed by seed, the paper's methods first and in its order;
    nothing where the suites make no composites."""
    base = _composites(*judged[BASE])
    return [
        {"method": method, **{name: [_composites(seed)[name] - base[name] for seed in judged[method]] for name in base}}
        for method in METHODS
        if base and method in judged
    ]


def changes(judged: Judged) -> list[Record]:
    """Every figure before, and after each method: the mean over its seeds."""
    rows = []
    for method in filter(judged.get, METHODS):
        for before, *after in zip(*judged[BASE], *judged[method], strict=True):
            if None not in (values := [figure["value"] for figure in (before, *after)]):
                names = {name: before[name] for name in ("suite", "part", "measure")}
                rows.append({"method": method, **names, "before": values[0], "after": fmean(values[1:])})
    return rows


def _composites(figures: Sequence[Mapping[str, Any]]) -> Record:
    scores = composite(figures)
    both = {"performance": scores.performance, "bias": scores.bias}
    return {} if None in both.values() else both
