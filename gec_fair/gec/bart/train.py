"""Fine-tune a BART on pairs: one seed, one folder, resumable.

OUT/checkpoints/  OUT/best/ (the model)  OUT/log.jsonl  OUT/manifest.json (written last: the run is finished)
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from torch.utils.data import DataLoader
from transformers import (
    BartForConditionalGeneration,
    EvalPrediction,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    TrainingArguments,
)

from gec_fair.gec.bart import checkpoint, data
from gec_fair.gec.bart.checkpoint import Corrector
from gec_fair.gec.bart.loss import IGNORED, Smoothed
from gec_fair.gec.bart.options import BartTraining
from gec_fair.models.batching import by_length
from gec_fair.models.inference import has_gpu
from gec_fair.trainer.arrow_table import training_tables
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.once import Learner, origin, train_once
from gec_fair.trainer.records import Trained
from gec_fair.trainer.sampler import Order


class BartTrainer(Guarded, Seq2SeqTrainer):
    """Batches under a budget of sub-words; a loss that is the mean over target sub-words, of an update and of the whole
    validation data, not the mean of means of batches."""

    compute_loss_func: Smoothed
    batches: data.Batches
    held: list[list[int]]

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Batches of the training pairs, in this epoch's order."""
        return self._loader(self.train_dataset, self.batches)

    def get_eval_dataloader(self, eval_dataset: Any = None) -> DataLoader[Any]:
        """Batches of the validation pairs."""
        return self._loader(self.eval_dataset, self.held)

    def _loader(self, table: Dataset, batches: data.Batches | list[list[int]]) -> DataLoader[Any]:
        loader = DataLoader(table, batch_sampler=batches, collate_fn=self.data_collator, pin_memory=has_gpu())
        prepared: DataLoader[Any] = self.accelerator.prepare(loader)
        return prepared

    def prediction_step(
        self, model: Any, inputs: dict[str, torch.Tensor], prediction_loss_only: bool, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The mean loss of a batch, its sum, and its target sub-words: `per_piece` adds them up."""
        inputs = self._prepare_inputs(inputs)
        labels = inputs.pop("labels")
        with torch.no_grad(), self.compute_loss_context_manager():
            total = self.compute_loss_func.total(model(**inputs).logits, labels).reshape(1)
        pieces = (labels != IGNORED).sum().reshape(1)
        return (total / pieces)[0], total, pieces


def per_piece(prediction: EvalPrediction) -> dict[str, float]:
    """The validation loss: sums over all batches, divided once."""
    return {"loss": float(np.sum(prediction.predictions, dtype=np.float64) / np.sum(prediction.label_ids))}


def train(options: BartTraining, out: Path, *, seed: int, workers: int = 1, cache: Path | None = None) -> Trained:
    """Train one seed into `out`. The same command resumes after a kill; a finished run is not run again.

    InputError for data or a model that cannot be used, Diverged for a loss that is not a number; ResumeError if
    `out` holds another run.
    """

    def prepare(arguments: TrainingArguments) -> Learner:
        dropouts = {"dropout": options.dropout, "attention_dropout": options.attention_dropout}
        corrector = checkpoint.load(options.start, use="training", requested=options.input, **dropouts)
        with arguments.main_process_first(local=False):  # one process makes the table, the others read it
            read = partial(data.prepare, corrector=corrector, workers=workers, cache=cache)
            table, held, counts = training_tables(read, options.train, options.dev)
        trainer = _trainer(options, corrector, table, held, arguments)
        save = partial(_save, corrector, origin(options.start, seed))
        return Learner(trainer, options.training, save, {"rows": len(table), **counts})

    return train_once(options, out, seed, prepare, kind=Seq2SeqTrainingArguments, ddp_find_unused_parameters=False)


def _trainer(
    options: BartTraining, corrector: Corrector, table: Dataset, held: Dataset, arguments: TrainingArguments
) -> BartTrainer:
    training, frame, seed = options.training, corrector.frame, arguments.seed
    trainer = BartTrainer(
        model=corrector.model,
        args=arguments,
        train_dataset=table,
        eval_dataset=held,
        data_collator=partial(data.collate, frame=frame),
        compute_metrics=per_piece,
        compute_loss_func=Smoothed(options.label_smoothing, corrector.model.final_logits_bias),
    )
    count = training.steps * training.accumulation * trainer.args.world_size
    order = Order(len(table), sys.maxsize, seed)
    tokens, most = options.max_tokens, training.batch
    trainer.batches = data.Batches(order, data.sizes(table, frame), tokens=tokens, most=most, count=count, seed=seed)
    once = list(by_length(data.sizes(held, frame), tokens, most=most))
    trainer.held = data.split_evenly(once, trainer.args.world_size)
    return trainer


def _save(corrector: Corrector, card: str, model: BartForConditionalGeneration, folder: Path) -> None:
    replace(corrector, model=model).save(folder, card=card)
