"""Train a ranker from pairs whose corrections are known: one seed, one folder, resumable.

OUT/checkpoints/  OUT/best/ (the EditScorer)  OUT/log.jsonl  OUT/manifest.json (written last: the run is finished)
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from transformers import Trainer, TrainingArguments

from gec_fair.errors import InputError, UsageError
from gec_fair.gec.editscorer import checkpoint, data
from gec_fair.gec.editscorer.candidates import Generator
from gec_fair.gec.editscorer.checkpoint import Scorer
from gec_fair.gec.editscorer.lists import Listed
from gec_fair.gec.editscorer.model import Ranker
from gec_fair.gec.editscorer.options import RankerTraining, Setup
from gec_fair.gec.editscorer.predict import gector
from gec_fair.models.load import load_config
from gec_fair.trainer import loop
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.once import Learner, origin, train_once
from gec_fair.trainer.options import TrainingOptions, updates_of
from gec_fair.trainer.records import Trained
from gec_fair.trainer.sampler import Order
from gec_fair.trainer.vocabulary import warn_if_uncased


class RankerTrainer(Guarded, Trainer):
    """The model computes its own loss."""


def train(options: RankerTraining, out: Path, *, seed: int, workers: int = 1, cache: Path | None = None) -> Trained:
    """Train one seed into `out`. The same command resumes after a kill; a finished run is not run again. `workers` are
    for the other trainers: here one model proposes all edits.

    InputError for data or a checkpoint that cannot be used, UsageError if nothing proposes edits, ResumeError where
    `out` holds another run.
    """

    def prepare(arguments: TrainingArguments) -> Learner:
        arguments.per_device_eval_batch_size = options.training.batch  # an item is a batch, full as it is
        proposing = generator(options)
        loop.seed_generators(seed)  # new weights do not depend on who proposes
        scorer = start(options)
        with arguments.main_process_first(local=False):  # one process makes the table, the others read it
            batches, held, counts = _batches(options, scorer, proposing, seed, cache)
        del proposing  # what it takes of the GPU is the trainer's now
        training = limit_updates(options, len(batches), arguments.world_size)
        trainer = _trainer(scorer, batches, held, training, arguments)
        save = partial(_save, scorer, origin(options.start, seed))
        return Learner(trainer, training, save, {"batches": len(batches), **counts})

    return train_once(options, out, seed, prepare, prediction_loss_only=True)


def generator(options: RankerTraining) -> Generator | None:
    """The GECToR that proposes edits; None where files do. It is there before anything of a hub's `start` is fetched
    but its editscorer.yaml. UsageError if nothing proposes, InputError or MissingResource for what cannot be read."""
    if options.lists:
        return None
    if options.generator:
        return gector(options.generator, options.candidates)
    if Path(options.start).is_dir():
        load_config(options.start)  # raises for a folder that is not a model
    named = checkpoint.setup_of(options.start).generator
    if not named:
        raise UsageError(
            f"{options.start} names no GECToR that proposes edits; give one with --generator (generator "
            "in the settings), or files of candidates as lists there"
        )
    return gector(named, options.candidates, scorer=Path(options.start))


def start(options: RankerTraining) -> Scorer:
    """The ranker that training starts from, with what will be kept beside it."""
    setup = Setup(options.generator, options.candidates, options.decoding)
    if not checkpoint.is_editscorer(options.start):
        scorer = checkpoint.new(
            options.start,
            setup,
            mlp_hidden=options.mlp_hidden,
            dropout=options.dropout,
            padding_attended=options.padding_attended,
        )
    else:
        scorer = checkpoint.load(options.start, use="training", dropout=options.dropout)
        setup = replace(setup, generator=options.generator or scorer.setup.generator_of(options.start))
        scorer = replace(scorer, setup=setup)
    warn_if_uncased(options.start, scorer.reader.tokenizer)
    scorer.model.config.alpha_pos = options.alpha_pos
    return scorer


def _batches(
    options: RankerTraining, scorer: Scorer, proposing: Generator | None, seed: int, cache: Path | None
) -> tuple[data.Batches, data.Batches, dict[str, Any]]:
    """Training and validation batches, and what became of their sentences. Without a dev file, held-out sentences of
    the training data validate."""
    most = min(options.max_pieces, scorer.model.config.positions)

    def table(path: Path, lists: tuple[str, ...]) -> data.Table:
        proposer = proposing or Listed([*map(Path, lists)], data.sentences(path), name=str(path))
        return data.prepare(path, proposer, scorer.reader, add_gold=options.add_gold, cache=cache)

    training_table = table(Path(options.train), options.lists)
    fits = training_table.sizes[:, 1] <= most
    counts: dict[str, Any] = {**training_table.counts, "too_long": int((~fits).sum())}
    if options.dev:
        dev_table, trains = table(Path(options.dev), options.dev_lists), fits
        short = dev_table.sizes[:, 1] <= most
        held = np.flatnonzero(short)
        counts["dev"] = {**dev_table.counts, "too_long": int((~short).sum())}
    else:
        dev_table, apart = training_table, training_table.sizes[:, 2] > 0
        held, trains = np.flatnonzero(fits & apart), fits & ~apart
    if not len(held) or not trains.any():
        raise InputError(
            f"{options.train}: {int(fits.sum()):,} sentences fit, too few to train and to hold some out; "
            "name a dev file, or raise max_pieces"
        )
    batches = data.Batches(training_table, np.flatnonzero(trains), options.tokens, seed)
    return batches, data.Batches(dev_table, held, options.tokens, None), counts


def limit_updates(options: RankerTraining, batches: int, processes: int) -> TrainingOptions:
    """The training with as many updates as the epochs have, at most training.steps."""
    training = options.training
    per_update = training.accumulation * processes
    return replace(training, steps=min(training.steps, updates_of(options.epochs, batches, per_update)))


def _trainer(
    scorer: Scorer,
    batches: data.Batches,
    held: data.Batches,
    training: TrainingOptions,
    arguments: TrainingArguments,
) -> RankerTrainer:
    trainer = RankerTrainer(
        model=scorer.model,
        args=arguments,
        train_dataset=batches,
        eval_dataset=held,
        data_collator=partial(data.collate, reader=scorer.reader),
    )
    total = training.steps * training.accumulation * arguments.world_size
    trainer.order = Order(len(batches), total, arguments.seed)
    return trainer


def _save(scorer: Scorer, card: str, model: Ranker, folder: Path) -> None:
    replace(scorer, model=model).save(folder, card=card)
