"""`gec-fair babylm experiment`: from a corpus and interventions to curves of bias and performance over training.

    OUT/corpora/NAME/          each corpus (`corpora`)
    OUT/tokenizer/             the vocabulary of the original corpus, which all models have
    OUT/packed/                the corpora, cut by it
    OUT/runs/NAME/SEED/        a training (`trainer.encoder`), its models in steps/N
    OUT/runs/NAME/SEED/judged/N-….json   what the suites found after N updates
    OUT/report.html  tables/  figures/

What is finished is not done again. Several processes may run one experiment: each takes what nobody is at.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gec_fair.babylm.corpora import build
from gec_fair.babylm.corpora.build import ORIGINAL, BuiltCorpus
from gec_fair.babylm.options import BabyExperiment
from gec_fair.errors import InputError, ResumeError
from gec_fair.lmbias.scores import judge, judged, path_of
from gec_fair.lmbias.suites import catalogue
from gec_fair.runs.grid import Say, finish_cells, refuse_torchrun
from gec_fair.runs.isolated import run_isolated
from gec_fair.runs.lock import lock, wait_for_lock
from gec_fair.trainer.options import PretrainOptions
from gec_fair.trainer.records import CHECKPOINTS

RUNS, CORPORA, PACKED, TOKENIZER, JUDGED = "runs", "corpora", "packed", "tokenizer", "judged"


@dataclass(frozen=True, slots=True)
class Cell:
    """One training."""

    corpus: str
    seed: int
    folder: Path

    @property
    def name(self) -> str:
        """`CORPUS/SEED`."""
        return f"{self.corpus}/{self.seed}"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a training was worth after so many updates."""

    corpus: str
    seed: int
    step: int
    figures: tuple[Mapping[str, Any], ...]


def cells(experiment: BabyExperiment, out: Path) -> list[Cell]:
    """Seed by seed, so that an experiment that is stopped has compared something."""
    return [
        Cell(name, seed, out / RUNS / name / str(seed)) for seed in experiment.every_seed for name in experiment.corpora
    ]


def run(experiment: BabyExperiment, out: Path, *, workers: int = 1, say: Say = print) -> list[Snapshot]:
    """Everything that is not done yet; all looks. Errors for what would go wrong after hours come first: data of the
    suites that are not here, texts that cannot be read."""
    refuse_torchrun()
    suite_options = options_of(experiment)
    catalogue.prepared(suite_options)
    for intervention in experiment.interventions():
        intervention.versions()  # a model that is not named, a classifier that is not here
    corpora = make_corpora(experiment, out, workers=workers, say=say)
    trainings = {name: of_corpus(experiment, corpora[name], out) for name in experiment.corpora}
    _prepare(trainings, corpora, out, say)
    every = cells(experiment, out)
    for cell in every:  # one that holds another training is refused before any is begun
        _finished(cell, replace(trainings[cell.corpus], seed=cell.seed), suite_options)
    at_once, threads = share_cores(workers, len(every))
    one = partial(
        _cell,
        experiment=experiment,
        trainings=trainings,
        out=out,
        suite_options=suite_options,
        threads=threads,
        say=say,
    )
    finish_cells(every, one, say, at_once=at_once)
    return snapshots(experiment, out)


def snapshots(experiment: BabyExperiment, out: Path) -> list[Snapshot]:
    """Those that are there, of any of the experiment's trainings."""
    return [snapshot for cell in cells(experiment, out) for snapshot in _snapshots(cell, options_of(experiment))]


def options_of(experiment: BabyExperiment) -> catalogue.Options:
    """The suites that an experiment judges its models with."""
    return catalogue.Options(suites=experiment.suites, size=experiment.size, sample=experiment.sample)


def make_corpora(experiment: BabyExperiment, out: Path, *, workers: int, say: Say = print) -> dict[str, BuiltCorpus]:
    """The original and all that is made of it, one after the other."""
    folder = out / CORPORA
    with wait_for_lock(folder, say):
        corpora = {ORIGINAL: build.original(experiment.original, folder)}
        for intervention in experiment.interventions():
            corpora[intervention.name] = build.make(intervention, folder, corpora, workers=workers)
    return corpora


def of_corpus(experiment: BabyExperiment, corpus: BuiltCorpus, out: Path) -> PretrainOptions:
    """How a model is trained on a corpus, without the seed. A model that training starts from has its own
    vocabulary."""
    pretrain = experiment.pretrain
    return replace(
        pretrain,
        texts=(str(corpus.corpus),),
        tokenizer="" if pretrain.start else str(out / TOKENIZER),
        keep_at=tuple(sorted({*pretrain.keep_at, pretrain.training.steps})),
    )


def _prepare(trainings: Mapping[str, PretrainOptions], corpora: Mapping[str, BuiltCorpus], out: Path, say: Say) -> None:
    """The vocabulary of the original corpus, and every corpus cut by it, before several processes want them.
    ResumeError where another vocabulary is there."""
    from gec_fair.models.weights import load_tokenizer
    from gec_fair.trainer import encoder, loop

    with wait_for_lock(out / PACKED, say):
        first_training = next(iter(trainings.values()))
        if not first_training.start:
            first = replace(first_training, texts=(str(corpora[ORIGINAL].corpus),), tokenizer="")
            tokenizer, _ = encoder.prepare_texts(first, out / PACKED)
            if not (out / TOKENIZER).exists():
                loop.replace(out / TOKENIZER, tokenizer.save_pretrained)
            elif encoder.tokenizer_digest(load_tokenizer(str(out / TOKENIZER))) != encoder.tokenizer_digest(tokenizer):
                raise ResumeError(
                    f"{out / TOKENIZER} holds a vocabulary of other texts or options; choose another --output"
                )
        for options in trainings.values():
            encoder.prepare_texts(options, out / PACKED)


def share_cores(workers: int, cells_left: int) -> tuple[int, int]:
    """How many trainings at once, and threads each: small models gain little from a second core, and on a GPU they
    would only wait for each other."""
    from gec_fair.models.inference import has_gpu

    at_once = 1 if has_gpu() else max(1, min(workers, cells_left))
    return at_once, max(1, workers // at_once)


def _cell(
    cell: Cell,
    *,
    experiment: BabyExperiment,
    trainings: Mapping[str, PretrainOptions],
    out: Path,
    suite_options: catalogue.Options,
    threads: int,
    say: Say,
) -> None:
    """Busy where another process is at it."""
    with lock(cell.folder):
        options = replace(trainings[cell.corpus], seed=cell.seed)
        if not _finished(cell, options, suite_options):
            start = time.monotonic()
            say(f"{cell.name} …")
            run_isolated(
                partial(
                    train_and_judge, options, cell.folder, out / PACKED, suite_options, threads, experiment.keep_models
                )
            )
            say(f"{cell.name}: {time.monotonic() - start:.0f} s")


def train_and_judge(
    options: PretrainOptions,
    folder: Path,
    packed: Path,
    suite_options: catalogue.Options,
    threads: int,
    keep_models: bool,
) -> None:
    """A whole cell, in its own process."""
    import torch

    from gec_fair.trainer import encoder

    torch.set_num_threads(threads)
    encoder.pretrain(options, folder, packed=packed)
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
    for step in steps_of(options):
        path = path_of(folder / JUDGED, str(step), suite_options)
        if judged(path, suite_options) is not None:
            continue
        model = folder / encoder.STEPS / str(step)
        if not model.is_dir():
            raise InputError(
                f"{model}: the model was removed (keep_models: false), and other suites are asked for; "
                f"ask for those that it was judged by, or remove {folder} to train it anew"
            )
        judge(str(model), path, suite_options, step=step)
    if not keep_models:
        shutil.rmtree(folder / encoder.STEPS, ignore_errors=True)


def steps_of(options: PretrainOptions) -> list[int]:
    """After which updates a training is looked at."""
    steps = options.training.steps
    every = range(options.keep_every, steps + 1, options.keep_every) if options.keep_every else ()
    return sorted({step for step in (*options.keep_at, *every) if step <= steps})


def _finished(cell: Cell, options: PretrainOptions, suite_options: catalogue.Options) -> bool:
    from gec_fair.trainer.encoder import run_of

    return run_of(options, cell.folder).finished() is not None and all(
        judged(path_of(cell.folder / JUDGED, str(step), suite_options), suite_options) is not None
        for step in steps_of(options)
    )


def _snapshots(cell: Cell, suite_options: catalogue.Options) -> Iterator[Snapshot]:
    evaluations = [judged(path, suite_options) for path in (cell.folder / JUDGED).glob("*.json")]
    for evaluation in sorted((one for one in evaluations if one), key=lambda one: int(one["step"])):
        yield Snapshot(cell.corpus, cell.seed, evaluation["step"], tuple(evaluation["figures"]))
