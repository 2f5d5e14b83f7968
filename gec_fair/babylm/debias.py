"""`gec-fair babylm debias`: a trained model and what each method makes of it, judged by the same suites (figures 3, 4).

OUT/corpora/NAME/      texts for training on (`corpora`)
OUT/METHOD/SEED/best/  the debiased model       OUT/METHOD/SEED/judged.json
OUT/base/judged.json   the model as it is       OUT/shifts.json  what changed, for `gec-fair babylm agree`
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from gec_fair.babylm import corpora
from gec_fair.babylm.corpora import ORIGINAL, Intervention, Made, Original
from gec_fair.babylm.experiment import CORPORA, PACKED, beside, in_turn, take
from gec_fair.babylm.methods import BASE, METHODS, WITHOUT_TEXTS, DebiasExperiment
from gec_fair.corpus.atomic import write_text
from gec_fair.corpus.settings import as_dict
from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.gec.experiment.apart import apart
from gec_fair.gec.experiment.running import Say, alone, refuse_torchrun
from gec_fair.lmbias import suites
from gec_fair.lmbias.composite import composite
from gec_fair.lmbias.judging import judge, judged
from gec_fair.pretrain.options import PretrainOptions, TrainingOptions
from gec_fair.pretrain.runs import BEST, CHECKPOINTS, differences, file_digest, model_read

PROJECTION = "projection"
"""The corpus that projections are found in."""
SHIFTS, JUDGED, MADE = "shifts.json", "judged.json", "made.json"
CLAIMED = "experiment.json"
FIGURES = ("performance", "bias")
_FREE = ("methods", "seeds", "suites", "size", "sample", "keep_models")
"""Options that may be others when an experiment goes on."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What a method changes in points: composite performance, composite bias, seed by seed."""

    method: str
    performance: tuple[float, ...]
    bias: tuple[float, ...]

    @property
    def mean(self) -> tuple[float, float]:
        return fmean(self.performance), fmean(self.bias)


@dataclass(frozen=True, slots=True)
class Job:
    """One method with one seed, or the model as it is."""

    method: str
    seed: int
    folder: Path

    @property
    def name(self) -> str:
        return self.method if self.method == BASE else f"{self.method}/{self.seed}"


def jobs(experiment: DebiasExperiment, out: Path) -> list[Job]:
    """The model as it is first, then method by method."""
    debiased = [Job(method, seed, out / method / str(seed))
                for method in experiment.methods for seed in experiment.every_seed]  # fmt: skip
    return [Job(BASE, 0, out / BASE), *debiased]


def run(experiment: DebiasExperiment, out: Path, *, workers: int = 1, say: Say = print) -> list[Shift]:
    """Everything that is not done yet; the shifts. Errors for what would go wrong later come first: the model, the
    suites' data, texts and options of every method."""
    refuse_torchrun()
    _check(experiment)
    _claim(experiment, out)
    asked = suites.Options(suites=experiment.suites, size=experiment.size, sample=experiment.sample)
    suites.prepared(asked)
    made = make_corpora(experiment, out, workers=workers, say=say)
    every = jobs(experiment, out)
    at_once, threads = beside(workers, len(every))
    one = partial(_one, experiment=experiment, made=made, out=out, asked=asked, threads=threads, say=say)
    take(every, one, at_once, say)
    found = shifts(experiment, out, asked)
    told = {"model": experiment.model, "figures": FIGURES, "shifts": [asdict(each) for each in found],
            "base": _composites(out / BASE / JUDGED, asked), "options": asdict(asked)}  # fmt: skip
    write_text(out / SHIFTS, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    return found


def _check(experiment: DebiasExperiment) -> None:
    from gec_fair.lmbias.models import kind_of
    from gec_fair.pretrain.hub import config_of

    if not experiment.model:
        raise UsageError("model names no masked language model; set it, by folder or hub name")
    if kind_of(experiment.model, config_of(experiment.model)) != "masked":
        raise InputError(f"{experiment.model}: is a causal model, and these methods are for masked ones")
    projected = {"sent-debias", "inlp-gender", "inlp-race"} & set(experiment.methods)
    if not experiment.texts and (set(experiment.methods) - WITHOUT_TEXTS - projected):
        raise UsageError("texts names no file, and there are methods that train on with it; name some")
    if not experiment.texts and not experiment.projection and projected:
        raise UsageError("texts and projection name no file, and projections are found in it; name some")
    if "debiasing-loss" in experiment.methods:
        from gec_fair.babylm.pronouns import read

        paths = Original(experiment.debiasing_loss.texts).paths()
        if not paths:
            raise UsageError("debiasing_loss.texts names no file; WinoBias' files are meant, or leave the method out")
        read(paths)


def _claim(experiment: DebiasExperiment, out: Path) -> None:
    """What is judged in a folder is of one model, of the same texts and options: more methods, seeds and suites may
    come. ResumeError for another."""
    texts = {"texts": experiment.texts, "projection": experiment.projection, "cds": experiment.cds.texts,
             "debiasing_loss": experiment.debiasing_loss.texts}  # fmt: skip
    inputs = {name: [file_digest(path) for path in Original(some).paths()] for name, some in texts.items()}
    told = {name: value for name, value in as_dict(experiment).items() if name not in (*_FREE, *texts, "model")}
    for name in ("cds", "debiasing_loss"):
        told[name] = {key: value for key, value in as_dict(experiment)[name].items() if key != "texts"}
    identity = {"job": "babylm debias", "options": told, "inputs": {"model": model_read(experiment.model), **inputs}}
    path = out / CLAIMED
    if path.exists():
        there = json.loads(path.read_text(encoding="utf-8"))
        if other := differences(there, json.loads(json.dumps(identity))):
            raise ResumeError(f"{out} holds an experiment with other {', '.join(other)}; choose another --output")
    write_text(path, json.dumps(identity, ensure_ascii=False, indent=1) + "\n")


def make_corpora(
    experiment: DebiasExperiment, out: Path, *, workers: int, say: Say = print
) -> dict[str, Made]:  # fmt: skip
    """The texts, those of projections (`projection`), and what the methods that are asked for make of the texts."""
    folder = out / CORPORA
    wanted: list[Intervention] = [one for name, one in (("cda-gender", experiment.cda_gender),
                                                        ("cda-race", experiment.cda_race), ("cds", experiment.cds))
                                  if name in experiment.methods]  # fmt: skip
    with in_turn(folder, say):
        made: dict[str, Made] = {}
        if experiment.texts:
            made[PROJECTION] = made[ORIGINAL] = corpora.original(Original(experiment.texts), folder)
        for one in wanted:
            made[one.name] = corpora.make(one, folder, made, workers=workers)
        if experiment.projection:
            made[PROJECTION] = corpora.original(Original(experiment.projection), folder / PROJECTION)
    return made


def _one(
    job: Job, *, experiment: DebiasExperiment, made: Mapping[str, Made], out: Path, asked: suites.Options, threads: int,
    say: Say,
) -> None:  # fmt: skip
    """Busy where another process is at it."""
    with alone(job.folder):
        if judged(job.folder / JUDGED, asked) is None:
            say(f"{job.name} …")
            apart(partial(debias_and_judge, job, experiment, made, out / PACKED, asked, threads))


def debias_and_judge(
    job: Job, experiment: DebiasExperiment, made: Mapping[str, Made], packed: Path, asked: suites.Options, threads: int
) -> None:  # fmt: skip
    """A whole job, in a process of its own."""
    import torch

    torch.set_num_threads(threads)
    if job.method == BASE:
        judge(experiment.model, job.folder / JUDGED, asked)
        return
    if job.method in ("sent-debias", "inlp-gender", "inlp-race"):
        _projected(job, experiment, made[PROJECTION].corpus)
    elif job.method == "debiasing-loss":
        _by_loss(job, experiment)
    else:
        _trained_on(job, experiment, made, packed)
    shutil.rmtree(job.folder / CHECKPOINTS, ignore_errors=True)
    judge(str(job.folder / BEST), job.folder / JUDGED, asked)
    if not experiment.keep_models:
        shutil.rmtree(job.folder / BEST, ignore_errors=True)


def _trained_on(job: Job, experiment: DebiasExperiment, made: Mapping[str, Made], packed: Path) -> None:
    from gec_fair.pretrain import encoder

    names = {"cda-gender": experiment.cda_gender.name, "cda-race": experiment.cda_race.name, "cds": experiment.cds.name,
             "dropout": ORIGINAL}  # fmt: skip
    options = PretrainOptions(
        training=experiment.training, texts=(str(made[names[job.method]].corpus),), words="raw", start=experiment.model,
        block=experiment.block, mask=experiment.mask, unit="pieces", seed=job.seed,
        causal=_causal(experiment.model),
    )  # fmt: skip
    if job.method == "dropout":
        options = replace(options, dropout=experiment.dropout.hidden, attention_dropout=experiment.dropout.attention)
    if job.method == "cds":
        options = replace(options, training=_passes(options, experiment, packed))
    encoder.pretrain(options, job.folder, packed=packed)


def _causal(model: str) -> float:
    """A hybrid model is trained on with a share of causal blocks, GPT-BERT's."""
    from gec_fair.pretrain.hub import config_of

    return 1 / 16 if getattr(config_of(model), "predicts_next", False) else 0.0


def _passes(options: PretrainOptions, experiment: DebiasExperiment, packed: Path) -> TrainingOptions:
    """CDS is counted in passes over its texts."""
    from gec_fair.pretrain import encoder
    from gec_fair.pretrain.packed import Packed

    _, cut = encoder.prepared(options, packed)
    blocks = max(1, len(Packed(cut)) // options.block)
    cds = experiment.cds
    return replace(options.training, batch=cds.batch, accumulation=1, learning_rate=cds.learning_rate,
                   steps=max(1, math.ceil(cds.epochs * blocks / cds.batch)))  # fmt: skip


def _by_loss(job: Job, experiment: DebiasExperiment) -> None:
    from gec_fair.babylm import debiasing_loss
    from gec_fair.babylm.pronouns import read

    options = experiment.debiasing_loss
    paths = Original(options.texts).paths()
    some = read(paths)
    training = replace(experiment.training, batch=options.batch, accumulation=1, learning_rate=options.learning_rate,
                       steps=max(1, math.ceil(options.epochs * len(some) / options.batch)), eval_every=0,
                       patience=0)  # fmt: skip
    told = {**asdict(options), "texts": ""}
    inputs = {"texts": [file_digest(path) for path in paths], "start": model_read(experiment.model)}
    identity = {"options": {**told, "training": asdict(training)}, "inputs": inputs}
    debiasing_loss.train(experiment.model, some, options, training, job.folder, seed=job.seed,
                         identity=json.loads(json.dumps(identity)))  # fmt: skip


def _projected(job: Job, experiment: DebiasExperiment, text: Path) -> None:
    """Found anew after a kill; whole or not there."""
    from gec_fair.babylm import found
    from gec_fair.babylm.projected import ProjectedForMaskedLM
    from gec_fair.lmbias.models import load
    from gec_fair.pretrain import loop

    options = experiment.sent_debias if job.method == "sent-debias" else experiment.inlp
    identity = json.loads(json.dumps({"method": job.method, "options": asdict(options), "seed": job.seed,
                                      "start": model_read(experiment.model)}))  # fmt: skip
    path = job.folder / MADE
    if path.exists() and (job.folder / BEST).is_dir():
        told = json.loads(path.read_text(encoding="utf-8"))
        if {name: told.get(name) for name in identity} != identity:
            raise ResumeError(f"{job.folder} holds a projection of another model or with other options; choose another "
                              "--output")  # fmt: skip
        return
    model: Any = load(experiment.model)
    more: dict[str, Any] = {}
    if job.method == "sent-debias":
        matrix = found.gender_direction(model, text, experiment.sent_debias, seed=job.seed)
    else:
        kind = found.gender if job.method == "inlp-gender" else found.race
        space = found.nullspace(model, text, kind, experiment.inlp, seed=job.seed)
        matrix, more = space.matrix, {"rank": space.rank, "accuracy": space.accuracy}
    made = ProjectedForMaskedLM.around(model.model, matrix, job.method)

    def save(folder: Path) -> None:
        made.save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)

    loop.replace(job.folder / BEST, save)
    write_text(path, json.dumps({**identity, **more}, indent=1) + "\n")


def shifts(experiment: DebiasExperiment, out: Path, asked: suites.Options) -> list[Shift]:
    """Of the methods that are judged, in the paper's order."""
    base = _composites(out / BASE / JUDGED, asked)
    found = []
    for method in METHODS:
        folders = [job.folder for job in jobs(experiment, out) if job.method == method]
        told = [one for folder in folders if (one := _composites(folder / JUDGED, asked))]
        if base and told:
            found.append(Shift(method, *(tuple(one[name] - base[name] for one in told) for name in FIGURES)))
    return found


def _composites(path: Path, asked: suites.Options) -> dict[str, float]:
    told = judged(path, asked)
    if told is None:
        return {}
    found = composite(told["figures"])
    if found.performance is None or found.bias is None:
        raise UsageError("a shift is of performance and of bias; ask for suites of both (blimp…, crows, stereoset)")
    return {"performance": found.performance, "bias": found.bias}
