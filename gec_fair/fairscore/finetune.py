"""Fine-tune an encoder on a task's examples: one seed, one folder, resumable; the weights of the last update stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from transformers import (
    AutoModelForMultipleChoice,
    AutoModelForSequenceClassification,
    DataCollatorForMultipleChoice,
    DataCollatorWithPadding,
    Trainer,
)

from gec_fair.classifiers.hugging_face import HuggingFace, candidates, paired
from gec_fair.fairscore.options import ClassifierTraining
from gec_fair.fairscore.tasks import Example
from gec_fair.pretrain import loop
from gec_fair.pretrain.guard import Guarded
from gec_fair.pretrain.hub import check_rows, encoder_config, headed, positions_of, tokenizer_of
from gec_fair.pretrain.options import TrainingOptions
from gec_fair.pretrain.order import Order
from gec_fair.pretrain.runs import Run, identity_of
from gec_fair.pretrain.vocabulary import has_borders, set_borders

loop.quiet()


class ClassifierTrainer(Guarded, Trainer):
    """The model computes its own loss."""


def finetuned(
    options: ClassifierTraining, examples: Sequence[Example], labels: Sequence[str], out: Path, *, seed: int,
    choices: bool = False,
) -> HuggingFace:  # fmt: skip
    """The classifier that training on these examples gives; a regression without `labels`; with `choices` the last
    fields, one a label, are candidates. The same call after a kill goes on; a finished run is read.

    InputError for a model that no head can be built on, Diverged for a loss that is no number, ResumeError where `out`
    holds another run.
    """
    content = sha256("\n".join(f"{example.label}\t{chr(31).join(example.fields)}" for example in examples).encode())
    run = Run(out, {**identity_of(options, seed), "examples": content.hexdigest()})
    done = run.finished()
    if done is None:
        done = _trained(options, examples, labels, run, seed, choices)
    return HuggingFace(str(done.directory), labels)


def limited(options: ClassifierTraining, examples: int, processes: int) -> tuple[TrainingOptions, int]:
    """The training with as many updates as the epochs have, at most training.steps, and the examples that these see; an
    update sees a batch of each process."""
    training = options.training
    each = training.batch * training.accumulation * processes
    steps = min(training.steps, math.ceil(options.epochs * examples / each))
    return replace(training, steps=steps, warmup=round(options.warmup * steps)), steps * each


def _bordered(start: str) -> Any:
    """The encoder's tokenizer. One that puts nothing between two texts, as that of an encoder that learned from running
    text, gets its borders now: else premise and hypothesis would be one text, and a head would read a first word."""
    tokenizer = tokenizer_of(start)
    if not has_borders(tokenizer):
        set_borders(tokenizer, start)
    return tokenizer


def _headed(start: str, labels: Sequence[str], choices: bool) -> Any:
    """The encoder with a new head."""
    config = encoder_config(start)
    if choices:
        return headed(AutoModelForMultipleChoice, start, config)
    config.num_labels = len(labels) or 1
    if labels:
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: n for n, label in enumerate(labels)}
    else:
        config.problem_type = "regression"
    return headed(AutoModelForSequenceClassification, start, config)


def _rows(
    options: ClassifierTraining, examples: Sequence[Example], labels: Sequence[str], tokenizer: Any, config: Any,
    choices: bool,
) -> list[dict[str, Any]]:  # fmt: skip
    """Sub-words and answers; of candidates a list for each."""
    longest = min(options.max_pieces, tokenizer.model_max_length, positions_of(config))
    numbers = {label: n for n, label in enumerate(labels)}
    answers = [numbers[example.label] if labels else float(example.label) for example in examples]
    if choices:
        every = [list(candidates(example.fields, len(labels))) for example in examples]
        read = [tokenizer([a for a, _ in some], [b for _, b in some], truncation=True, max_length=longest)
                for some in every]  # fmt: skip
        return [{**row, "labels": answer} for row, answer in zip(read, answers, strict=True)]
    cut = tokenizer(*paired([example.fields for example in examples]), truncation=True, max_length=longest)
    return [{**{name: cut[name][n] for name in cut}, "labels": answer} for n, answer in enumerate(answers)]


def _length(row: dict[str, Any]) -> int:
    ids = row["input_ids"]
    return max(map(len, ids)) if isinstance(ids[0], list) else len(ids)


def _trained(
    options: ClassifierTraining, examples: Sequence[Example], labels: Sequence[str], run: Run, seed: int, choices: bool
) -> Any:
    loop.seeded(seed)
    tokenizer = _bordered(options.start)
    model = _headed(options.start, labels, choices)
    check_rows(options.start, model.base_model, tokenizer)
    rows = _rows(options, examples, labels, tokenizer, model.config, choices)
    arguments = loop.arguments(options.training, run.out, seed)
    training, total = limited(options, len(rows), arguments.world_size)
    arguments.max_steps, arguments.warmup_steps = training.steps, training.warmup
    collate = DataCollatorForMultipleChoice if choices else DataCollatorWithPadding
    trainer = ClassifierTrainer(model=model, args=arguments, train_dataset=rows, eval_dataset=None,
                                data_collator=collate(tokenizer))  # fmt: skip
    lengths = np.array([_length(row) for row in rows])
    trainer.order = Order(len(rows), total, seed, batch=training.batch, lengths=lengths)

    def save(folder: Path) -> None:
        trainer.accelerator.unwrap_model(trainer.model, keep_torch_compile=False).save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    state = loop.run(trainer, run, training, save)
    return run.finish({**state, "examples": len(rows)})
