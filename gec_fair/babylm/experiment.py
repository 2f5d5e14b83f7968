"""`gec-fair babylm experiment`: from a corpus and interventions to curves of bias and performance over training.

    OUT/corpora/NAME/          each corpus (`corpora`)
    OUT/tokenizer/             the vocabulary of the original corpus, which all models have
    OUT/packed/                the corpora, cut by it
    OUT/runs/NAME/SEED/        a training (`trainer.pretraining.encoder`), its models in steps/N
    OUT/runs/NAME/SEED/judged/N-….json   what the suites found after N updates
    OUT/report.html  tables/  figures/

What is finished is not done again. Several processes may run one experiment: each takes what nobody is at.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gec_fair.babylm.corpora import build
from gec_fair.babylm.corpora.build import CORPORA, ORIGINAL, BuiltCorpus
from gec_fair.babylm.options import BabyExperiment
from gec_fair.errors import InputError, ResumeError
from gec_fair.lmbias.evaluations import Evaluations
from gec_fair.lmbias.options import Suites
from gec_fair.runs.grid import Say, finish_cells, refuse_torchrun
from gec_fair.runs.isolated import run_isolated
from gec_fair.runs.lock import lock, wait_for_lock
from gec_fair.stats.seeds import list_seeds
from gec_fair.trainer.options import PretrainOptions
from gec_fair.trainer.records import CHECKPOINTS

RUNS, PACKED, TOKENIZER, JUDGED = "runs", "packed", "tokenizer", "judged"


@dataclass(frozen=True, slots=True)
class Cell:
    """One training on a corpus."""

    corpus: str
    options: PretrainOptions
    folder: Path

    @property
    def seed(self) -> int:
        """The seed of the training."""
        return self.options.seed

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


def run(experiment: BabyExperiment, out: Path, *, workers: int = 1, say: Say = print) -> list[Snapshot]:
    """Everything that is not done yet; all looks. Errors for what would go wrong after hours come first: data of the
    suites that are not here, texts that cannot be read."""
    refuse_torchrun()
    suites = Suites(suites=experiment.suites, size=experiment.size, sample=experiment.sample)
    evaluations = Evaluations.prepare(suites)
    interventions = experiment.interventions()
    for intervention in interventions:
        intervention.versions()  # a model that is not named, a classifier that is not here
    corpora = build.make_all(experiment.original, interventions, out / CORPORA, workers=workers, say=say)
    cells = [
        Cell(name, of_corpus(experiment.pretrain, corpora[name], seed, out), out / RUNS / name / str(seed))
        for seed in list_seeds(experiment.seeds)  # seed by seed: an experiment that is stopped has compared something
        for name in experiment.corpora
    ]
    _prepare(experiment.pretrain, corpora[ORIGINAL], cells[: len(experiment.corpora)], out, say)
    for cell in cells:  # one that holds another training is refused before any is begun
        _is_finished(cell, evaluations)
    at_once, threads = share_cores(workers, len(cells))
    run_cell = partial(
        _run_cell,
        packed=out / PACKED,
        evaluations=evaluations,
        threads=threads,
        keep_models=experiment.keep_models,
        say=say,
    )
    finish_cells(cells, run_cell, say, at_once=at_once)
    return [snapshot for cell in cells for snapshot in _snapshots(cell, evaluations)]


def of_corpus(pretrain: PretrainOptions, corpus: BuiltCorpus, seed: int, out: Path) -> PretrainOptions:
    """How a model is trained on a corpus. A model that training starts from has its own vocabulary."""
    return replace(
        pretrain,
        texts=(str(corpus.corpus),),
        tokenizer="" if pretrain.start else str(out / TOKENIZER),
        keep_at=tuple(sorted({*pretrain.keep_at, pretrain.training.steps})),
        seed=seed,
    )


def _prepare(pretrain: PretrainOptions, original: BuiltCorpus, cells: Sequence[Cell], out: Path, say: Say) -> None:
    """The vocabulary of the original corpus, and the cells' corpora cut by it, before several processes want them.
    ResumeError where another vocabulary is there."""
    from gec_fair.models.weights import load_tokenizer
    from gec_fair.trainer import loop
    from gec_fair.trainer.pretraining import encoder

    with wait_for_lock(out / PACKED, say):
        if not pretrain.start:
            first = replace(pretrain, texts=(str(original.corpus),), tokenizer="")
            tokenizer, _ = encoder.prepare_texts(first, out / PACKED)
            if not (out / TOKENIZER).exists():
                loop.replace(out / TOKENIZER, tokenizer.save_pretrained)
            elif encoder.tokenizer_digest(load_tokenizer(str(out / TOKENIZER))) != encoder.tokenizer_digest(tokenizer):
                raise ResumeError(
                    f"{out / TOKENIZER} holds a vocabulary of other texts or options; choose another --output"
                )
        for cell in cells:
            encoder.prepare_texts(cell.options, out / PACKED)


def share_cores(workers: int, cells_left: int) -> tuple[int, int]:
    """How many trainings at once, and threads each: small models gain little from a second core, and on a GPU they
    would only wait for each other."""
    from gec_fair.models.inference import has_gpu

    at_once = 1 if has_gpu() else max(1, min(workers, cells_left))
    return at_once, max(1, workers // at_once)


def _run_cell(cell: Cell, *, packed: Path, evaluations: Evaluations, threads: int, keep_models: bool, say: Say) -> None:
    """Busy where another process is at it."""
    with lock(cell.folder):
        if not _is_finished(cell, evaluations):
            start = time.monotonic()
            say(f"{cell.name} …")
            run_isolated(partial(train_and_judge, cell, packed, evaluations, threads, keep_models))
            say(f"{cell.name}: {time.monotonic() - start:.0f} s")


def train_and_judge(cell: Cell, packed: Path, evaluations: Evaluations, threads: int, keep_models: bool) -> None:
    """A whole cell, in its own process."""
    import torch

    from gec_fair.trainer.pretraining import encoder

    torch.set_num_threads(threads)
    folder = cell.folder
    encoder.pretrain(cell.options, folder, packed=packed)
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
    for step in steps_of(cell.options):
        if evaluations.read(folder / JUDGED, str(step)) is not None:
            continue
        model = folder / encoder.STEPS / str(step)
        if not model.is_dir():
            raise InputError(
                f"{model}: the model was removed (keep_models: false), and other suites are asked for; "
                f"ask for those that it was judged by, or remove {folder} to train it anew"
            )
        evaluations.judge(str(model), folder / JUDGED, str(step), step=step)
    if not keep_models:
        shutil.rmtree(folder / encoder.STEPS, ignore_errors=True)


def steps_of(options: PretrainOptions) -> list[int]:
    """After which updates a training is looked at."""
    steps = options.training.steps
    every = range(options.keep_every, steps + 1, options.keep_every) if options.keep_every else ()
    return sorted({step for step in (*options.keep_at, *every) if step <= steps})


def _is_finished(cell: Cell, evaluations: Evaluations) -> bool:
    from gec_fair.trainer.pretraining.encoder import run_of

    return run_of(cell.options, cell.folder).find_result() is not None and all(
        evaluations.read(cell.folder / JUDGED, str(step)) is not None for step in steps_of(cell.options)
    )


def _snapshots(cell: Cell, evaluations: Evaluations) -> Iterator[Snapshot]:
    for evaluation in sorted(evaluations.read_all(cell.folder / JUDGED), key=lambda result: int(result["step"])):
        yield Snapshot(cell.corpus, cell.seed, evaluation["step"], tuple(evaluation["figures"]))
