"""`gec-fair babylm debias`: a trained model and what each method makes of it, judged by the same suites (figures 3, 4).

OUT/corpora/NAME/      texts for training on (`corpora`)
OUT/METHOD/SEED/       job.json: of which model and options   best/: what came of it   judged-….json
OUT/base/judged-….json the model as it is
OUT/shifts.json        what changed, for `gec-fair babylm agree`
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
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
from gec_fair.lmbias.judging import judge, judged, path_of
from gec_fair.pretrain.options import PretrainOptions, TrainingOptions
from gec_fair.pretrain.runs import BEST, CHECKPOINTS, differences, file_digest, model_read

PROJECTION = "projection"
"""The corpus that projections are found in."""
SHIFTS, JUDGED, MADE, CLAIMED, REMOVED = "shifts.json", "judged", "made.json", "job.json", "removed"
PROJECTIONS = ("sent-debias", "inlp-gender", "inlp-race")
FIGURES = ("performance", "bias")


@dataclass(frozen=True, slots=True)
class Shift:
    """What a method changes in points: composite performance, composite bias, seed by seed."""

    method: str
    performance: tuple[float, ...]
    bias: tuple[float, ...]


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
    suites' data, texts and options of every method; ResumeError where a method's folder is of other ones."""
    refuse_torchrun()
    asked = suites.Options(suites=experiment.suites, size=experiment.size, sample=experiment.sample)
    _check(experiment, asked)
    every = jobs(experiment, out)
    identities = {job.name: _identity(job, experiment) for job in every}
    for job in every:
        _refuse_other(job, identities[job.name])
    one = partial(_one, experiment=experiment, identities=identities, out=out, asked=asked, say=say)
    take(every[:1], partial(one, made={}, threads=workers), 1, say)  # a model that cannot be read ends it here
    made = make_corpora(experiment, out, workers=workers, say=say)
    at_once, threads = beside(workers, len(every) - 1)
    take(every[1:], partial(one, made=made, threads=threads), at_once, say)
    found = shifts(experiment, out, asked)
    told = {"model": experiment.model, "figures": FIGURES, "shifts": [asdict(each) for each in found],
            "base": _composites(path_of(out / BASE, JUDGED, asked), asked), "options": asdict(asked)}  # fmt: skip
    with in_turn(out, say):
        write_text(out / SHIFTS, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    return found


def _check(experiment: DebiasExperiment, asked: suites.Options) -> None:
    from gec_fair.lmbias.models import kind_of
    from gec_fair.pretrain.hub import config_of

    if not experiment.model:
        raise UsageError("model names no masked language model; set it, by folder or hub name")
    trained = [name for name in experiment.methods if name not in PROJECTIONS]
    if trained and kind_of(experiment.model, config_of(experiment.model)) != "masked":
        raise InputError(f"{experiment.model}: is a causal model, and {', '.join(trained)} are for masked ones; leave "
                         "them out of methods")  # fmt: skip
    biased = {"crows", "stereoset"} & set(asked.suites)
    if not biased or not set(asked.suites) - {*biased, "seat", "holisticbias"}:
        raise UsageError("suites: a shift is of performance and of bias; name some of both (blimp…, crows, stereoset)")
    suites.prepared(asked)
    for name in experiment.methods:
        if name in PROJECTIONS and not (experiment.projection or experiment.texts):
            raise UsageError(f"texts and projection name no file, and {name} is found in it; name some")
        if name not in (*PROJECTIONS, *WITHOUT_TEXTS) and not experiment.texts:
            raise UsageError(f"texts names no file, and {name} trains on with it; name some")
    if "cds" in experiment.methods:
        _ = experiment.cds.versions()
    if "debiasing-loss" in experiment.methods:
        from gec_fair.babylm.pronouns import read

        paths = Original(experiment.debiasing_loss.texts).paths()
        if not paths:
            raise UsageError("debiasing_loss.texts names no file; WinoBias' files are meant, or leave the method out")
        read(paths)


_OWN: Mapping[str, tuple[str, ...]] = {
    BASE: (), "cda-gender": ("cda_gender", "training", "block", "mask"),
    "cda-race": ("cda_race", "training", "block", "mask"), "dropout": ("dropout", "training", "block", "mask"),
    "cds": ("cds", "training", "mask"), "debiasing-loss": ("debiasing_loss", "training"),
    "sent-debias": ("sent_debias",), "inlp-gender": ("inlp",), "inlp-race": ("inlp",),
}  # fmt: skip
"""The options that decide a method's model."""


def _identity(job: Job, experiment: DebiasExperiment) -> dict[str, Any]:
    """All that decides a method's model; of the model as it is, the model."""
    told = as_dict(experiment)
    options = {name: {key: value for key, value in told[name].items() if key != "texts"}
               if isinstance(told[name], dict) else told[name] for name in _OWN[job.method]}  # fmt: skip
    given = {BASE: (), "cds": experiment.cds.texts, "debiasing-loss": experiment.debiasing_loss.texts}
    projected = dict.fromkeys(PROJECTIONS, experiment.projection or experiment.texts)
    texts = {**given, **projected}.get(job.method, experiment.texts)
    inputs = {"model": model_read(experiment.model), "texts": [file_digest(path) for path in Original(texts).paths()]}
    whole = {"job": f"debias {job.method}", "options": options, "seed": job.seed, "inputs": inputs}
    found: dict[str, Any] = json.loads(json.dumps(whole))
    return found


def _refuse_other(job: Job, identity: Mapping[str, Any]) -> None:
    path = job.folder / CLAIMED
    if not path.exists():
        return
    try:
        other = differences(json.loads(path.read_text(encoding="utf-8")), identity)
    except (ValueError, AttributeError) as fault:
        raise ResumeError(f"{path}: is no record of ours ({fault}); remove {job.folder}, or choose another --output"
                          ) from fault  # fmt: skip
    if other:
        raise ResumeError(f"{job.folder} holds a model with other {', '.join(other)}; choose another --output")


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
    job: Job, *, experiment: DebiasExperiment, identities: Mapping[str, Mapping[str, Any]], made: Mapping[str, Made],
    out: Path, asked: suites.Options, threads: int, say: Say,
) -> None:  # fmt: skip
    """Busy where another process is at it."""
    with alone(job.folder):
        _refuse_other(job, identities[job.name])
        write_text(job.folder / CLAIMED, json.dumps(identities[job.name], ensure_ascii=False, indent=1) + "\n")
        if judged(path_of(job.folder, JUDGED, asked), asked) is None:
            say(f"{job.name} …")
            apart(partial(debias_and_judge, job, experiment, made, out / PACKED, asked, threads))


def debias_and_judge(
    job: Job, experiment: DebiasExperiment, made: Mapping[str, Made], packed: Path, asked: suites.Options, threads: int
) -> None:  # fmt: skip
    """A whole job, in a process of its own."""
    import torch

    torch.set_num_threads(threads)
    if job.method == BASE:
        judge(experiment.model, path_of(job.folder, JUDGED, asked), asked)
        return
    if (job.folder / REMOVED).exists():
        raise InputError(f"{job.folder}: the model was removed (keep_models: false), and other suites are asked for; "
                         f"ask for those that it was judged by, or remove {job.folder} to make it anew")  # fmt: skip
    if job.method in PROJECTIONS:
        _projected(job, experiment, made[PROJECTION].corpus)
    elif job.method == "debiasing-loss":
        _by_loss(job, experiment)
    else:
        _trained_on(job, experiment, made, packed)
    shutil.rmtree(job.folder / CHECKPOINTS, ignore_errors=True)
    judge(str(job.folder / BEST), path_of(job.folder, JUDGED, asked), asked)
    if not experiment.keep_models:
        write_text(job.folder / REMOVED, "by keep_models: false\n")
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
        options = replace(options, block=experiment.cds.block)
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
    from gec_fair.babylm.projected import ProjectedForCausalLM, ProjectedForMaskedLM
    from gec_fair.lmbias.masked import Masked
    from gec_fair.lmbias.models import load
    from gec_fair.pretrain import loop

    if (job.folder / MADE).exists() and (job.folder / BEST).is_dir():
        return
    model: Any = load(experiment.model)
    more: dict[str, Any] = {}
    if job.method == "sent-debias":
        matrix = found.gender_direction(model, text, experiment.sent_debias, seed=job.seed)
    else:
        what = found.gender if job.method == "inlp-gender" else found.race
        space = found.nullspace(model, text, what, experiment.inlp, seed=job.seed)
        matrix, more = space.matrix, {"rank": space.rank, "accuracy": space.accuracy}
    kind = ProjectedForMaskedLM if isinstance(model, Masked) else ProjectedForCausalLM
    made = kind.around(model.model, matrix, job.method)

    def save(folder: Path) -> None:
        made.save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)

    loop.replace(job.folder / BEST, save)
    write_text(job.folder / MADE, json.dumps({"method": job.method, **more}, indent=1) + "\n")


def shifts(experiment: DebiasExperiment, out: Path, asked: suites.Options) -> list[Shift]:
    """Of the methods that are judged, in the paper's order."""
    base = _composites(path_of(out / BASE, JUDGED, asked), asked)
    found = []
    for method in METHODS:
        folders = [job.folder for job in jobs(experiment, out) if job.method == method]
        told = [one for folder in folders if (one := _composites(path_of(folder, JUDGED, asked), asked))]
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
