"""Fine-tune an encoder on a task's examples: one seed, one folder, resumable; the weights of the last update stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoConfig, AutoModelForSequenceClassification, DataCollatorWithPadding, Trainer

from gec_fair.classifiers.hugging_face import HuggingFace
from gec_fair.fairscore.options import ClassifierTraining
from gec_fair.fairscore.tasks import Example
from gec_fair.pretrain import loop
from gec_fair.pretrain.guard import Guarded
from gec_fair.pretrain.hub import attention, check_rows, encoder_config, located, tokenizer_of
from gec_fair.pretrain.order import Order
from gec_fair.pretrain.runs import Run, identity_of


class ClassifierTrainer(Guarded, Trainer):
    """The model computes its own loss."""


def finetuned(
    options: ClassifierTraining, examples: Sequence[Example], labels: Sequence[str], out: Path, *, seed: int
) -> HuggingFace:
    """The classifier that training on these examples gives. The same call after a kill goes on; a finished run is read.

    InputError for a model that no head can be built on, Diverged for a loss that is no number, ResumeError where `out`
    holds another run.
    """
    content = sha256("\n".join(f"{example.label}\t{chr(31).join(example.fields)}" for example in examples).encode())
    run = Run(out, {**identity_of(options, seed), "examples": content.hexdigest()})
    done = run.finished()
    if done is None:
        done = _trained(options, examples, labels, run, seed)
    return HuggingFace(str(done.directory), labels)


def _trained(
    options: ClassifierTraining, examples: Sequence[Example], labels: Sequence[str], run: Run, seed: int
) -> Any:  # fmt: skip
    loop.seeded(seed)
    tokenizer = tokenizer_of(options.start)
    config = encoder_config(options.start)
    names = dict(enumerate(labels))
    where, how = located(options.start)
    config = AutoConfig.from_pretrained(where, id2label=names, label2id={v: k for k, v in names.items()}, **how)
    model = AutoModelForSequenceClassification.from_pretrained(
        where, config=config, attn_implementation=attention("training", config), **how
    )
    check_rows(options.start, model.base_model, tokenizer)
    numbers = {label: n for n, label in enumerate(labels)}
    first = [example.fields[0] for example in examples]
    second = [" ".join(example.fields[1:]) for example in examples] if len(examples[0].fields) > 1 else None
    longest = min(options.max_pieces, tokenizer.model_max_length)
    cut = tokenizer(first, second, truncation=True, max_length=longest)
    rows = [{**{name: cut[name][n] for name in cut}, "labels": numbers[example.label]}
            for n, example in enumerate(examples)]  # fmt: skip
    each = options.training.batch * options.training.accumulation
    steps = min(options.training.steps, math.ceil(options.epochs * len(rows) / each))
    training = replace(options.training, steps=steps, warmup=round(options.warmup * steps))
    arguments = loop.arguments(training, run.out, seed)
    trainer = ClassifierTrainer(model=model, args=arguments, train_dataset=rows, eval_dataset=None,
                                data_collator=DataCollatorWithPadding(tokenizer))  # fmt: skip
    lengths = np.array([len(row["input_ids"]) for row in rows])
    trainer.order = Order(len(rows), steps * each * arguments.world_size, seed, batch=training.batch, lengths=lengths)

    def save(folder: Path) -> None:
        trainer.accelerator.unwrap_model(trainer.model, keep_torch_compile=False).save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    state = loop.run(trainer, run, training, save)
    return run.finish({**state, "examples": len(rows)})
