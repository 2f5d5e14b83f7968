"""Fine-tune a GECToR, or train a new one, from pairs: one seed, one folder, resumable.

OUT/checkpoints/  OUT/best/ (the model)  OUT/log.jsonl  OUT/manifest.json (written last: the run is finished)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from torch.optim.lr_scheduler import LambdaLR
from transformers import Trainer, TrainerCallback, TrainingArguments

from gec_fair.errors import InputError
from gec_fair.gec.gector import checkpoint, data
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.labels import read_labels
from gec_fair.gec.gector.model import Gector
from gec_fair.gec.gector.options import Decoding, GectorTraining, InputOptions
from gec_fair.gec.gector.tune import find_decoding, save
from gec_fair.gec.gector.verbs import verb_forms
from gec_fair.trainer import loop
from gec_fair.trainer.arrow_table import column, training_tables
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.once import Learner, origin, train_once
from gec_fair.trainer.records import Trained
from gec_fair.trainer.sampler import Order
from gec_fair.trainer.vocabulary import warn_if_uncased


class GectorTrainer(Guarded, Trainer):
    """The model computes its own loss."""


def train(options: GectorTraining, out: Path, *, seed: int, workers: int = 1, cache: Path | None = None) -> Trained:
    """Train one seed into `out`. The same command resumes after a kill; a finished run is not run again.

    InputError for data, labels or a checkpoint that cannot be used; ResumeError where `out` holds another run.
    """

    def prepare(arguments: TrainingArguments) -> Learner:
        tagger = start(options)
        decoding = options.decoding or find_decoding(options.start)
        with arguments.main_process_first(local=False):  # one process makes the table, the others read it
            read = partial(data.prepare, tagger=tagger, workers=workers, cache=cache)
            every, held, counts = training_tables(read, options.train, options.dev)
            table = every.select(data.draw_rows(every, seed, options.tp_prob, options.tn_prob))
        trainer = _trainer(options, tagger, table, held, arguments)
        save = partial(_save, tagger, decoding, origin(options.start, seed))
        return Learner(trainer, options.training, save, {"rows": len(table), **counts})

    frozen = options.cold_steps > 0 or None  # a frozen encoder has no gradients
    return train_once(options, out, seed, prepare, ddp_find_unused_parameters=frozen)


def start(options: GectorTraining) -> Tagger:
    """The model that training starts from. InputError where it is not to be had as the options say."""
    dropout = None if options.dropout < 0 else options.dropout
    tagger = _resume(options, dropout) if checkpoint.is_gector(options.start) else _anew(options, dropout)
    warn_if_uncased(options.start, tagger.pieces.tokenizer)
    tagger.model.config.label_smoothing = options.label_smoothing
    tagger.model.config.loss_average = options.loss_average
    return tagger


def _anew(options: GectorTraining, dropout: float | None) -> Tagger:
    if not options.labels:
        raise InputError(f"{options.start} is an encoder without tags; name a labels.txt (gec-fair gector vocab)")
    labels = read_labels(Path(options.labels))
    verbs = verb_forms(Path(options.verbs) if options.verbs else None)
    return checkpoint.new(options.start, labels, options.input or InputOptions(), verbs, dropout=dropout)


def _resume(options: GectorTraining, dropout: float | None) -> Tagger:
    """A GECToR brings its tags, verb forms and `$START`: what the options say of them must be the same."""
    tagger = checkpoint.load(options.start, use="training", dropout=dropout)
    trained_options, begun_from = tagger.pieces.options, f"{options.start} was trained with"
    if options.labels and read_labels(Path(options.labels)) != tagger.labels:
        raise InputError(
            f"{options.labels}: {begun_from} other tags ({len(tagger.labels):,}); leave labels out, or "
            "start from an encoder"
        )
    if options.verbs and set(verb_forms(Path(options.verbs)).lines()) != set(tagger.verbs.lines()):
        raise InputError(
            f"{options.verbs}: {begun_from} other verb forms ({tagger.verbs.source}); leave verbs out, or "
            "start from an encoder"
        )
    if options.input is None:
        return tagger
    if options.input.start_token != trained_options.start_token:
        said = str(trained_options.start_token).lower()
        raise InputError(f"input.start_token: {begun_from} {said}; set it to that (--set input.start_token={said})")
    return checkpoint.reading(tagger, options.input)


def _trainer(
    options: GectorTraining, tagger: Tagger, table: Dataset, held: Dataset, arguments: TrainingArguments
) -> GectorTrainer:
    optimizer = _optimizer(options, tagger)
    trainer = GectorTrainer(
        model=tagger.model,
        args=arguments,
        train_dataset=table,
        eval_dataset=held,
        data_collator=partial(data.collate, padding=tagger.pieces.padding),
        optimizers=(optimizer, LambdaLR(optimizer, rate(options))),
        callbacks=[Cold(tagger.model.encoder, options.cold_steps)] if options.cold_steps else None,
    )
    batch = arguments.per_device_train_batch_size * arguments.world_size
    items = loop.items_of_run(arguments, options.training.steps)
    trainer.order = Order(len(table), items, arguments.seed, batch=batch, lengths=column(table, "size"))
    return trainer


def _optimizer(options: GectorTraining, tagger: Tagger) -> torch.optim.Optimizer:
    training = options.training
    weights = list(tagger.model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [values for values in weights if values.ndim > 1]},
        {"params": [values for values in weights if values.ndim <= 1], "weight_decay": 0.0},  # biases, norms
    ]
    return torch.optim.AdamW(
        groups,
        lr=training.learning_rate,
        betas=(training.adam_beta1, training.adam_beta2),
        eps=training.adam_epsilon,
        weight_decay=training.weight_decay,
        fused=True,  # one pass over all parameters: a fifth of a small model's step on a CPU
    )


def rate(options: GectorTraining) -> Callable[[int], float]:
    """The learning rate at an update, as a share of training.learning_rate: cold_lr while the encoder is frozen, then
    what the schedule says of the updates that are left."""
    training, cold = options.training, options.cold_steps

    def share(step: int) -> float:
        if step < cold:
            return options.cold_lr / training.learning_rate if training.learning_rate else 0.0
        return loop.share_of_rate(training, step - cold, training.steps - cold)

    return share


class Cold(TrainerCallback):
    """Freezes the encoder for the first updates; a resumed run knows by the update's number whether it still is."""

    def __init__(self, encoder: torch.nn.Module, steps: int) -> None:
        self.encoder, self.steps = encoder, steps
        self.frozen: bool | None = None

    def on_step_begin(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        """Freeze the encoder during the first `steps` updates."""
        frozen = state.global_step < self.steps
        if frozen != self.frozen:
            self.encoder.requires_grad_(not frozen)
            self.frozen = frozen


def _save(tagger: Tagger, decoding: Decoding | None, card: str, model: Gector, folder: Path) -> None:
    """The model, with the thresholds that were chosen for it."""
    replace(tagger, model=model).save(folder, card=card)
    if decoding is not None:
        save(decoding, folder, origin="from the settings of gec-fair gector train, or the model that it began with")
