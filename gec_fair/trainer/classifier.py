"""Fine-tune an encoder as a classifier: one seed, one folder, resumable; the weights of the last update stay.

Examples may weigh more or less, and another model's logarithms may stand beside this one's in the loss (a product of
experts); by LoRA (Hu et al. 2022) few weights are trained, and the model that is kept has them inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import (
    AutoModelForMultipleChoice,
    AutoModelForSequenceClassification,
    DataCollatorForMultipleChoice,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)

from gec_fair.classifiers.hugging_face import HuggingFace, candidates, pair_fields
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.models.configuration import positions_of
from gec_fair.models.load import load_encoder_config
from gec_fair.models.weights import check_rows, load_tokenizer, load_with_head
from gec_fair.trainer.callbacks import Watch, Watching, collect_watched_figures
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.once import Learner, save_with, train_run
from gec_fair.trainer.options import TrainingOptions, updates_of
from gec_fair.trainer.records import Run, identity_of
from gec_fair.trainer.sampler import Order
from gec_fair.trainer.vocabulary import ensure_borders

_WEIGHT, _EXPERT = "weight", "beside"


Numbers: TypeAlias = NDArray[np.float64]


class Example(Protocol):
    """`fields`: the texts of an example; `label`: its right answer, a number as text for a regression."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The text's fields: one, or the two of a pair."""
        ...

    @property
    def label(self) -> str:
        """The right label."""
        ...


class Options(Protocol):
    """What one fine-tuning does. `epochs` and `warmup` (a share) set the updates, at most training.steps; `max_pieces`:
    sub-words of an example. `runs.identity_of` names it. One with a `lora` trains matrices of so low a rank."""

    @property
    def start(self) -> str:
        """The model that training starts from, by folder or name."""
        ...

    @property
    def training(self) -> TrainingOptions:
        """The options of the training loop."""
        ...

    @property
    def epochs(self) -> float:
        """How often the data are seen."""
        ...

    @property
    def warmup(self) -> float:
        """The share of the updates in which the learning rate rises."""
        ...

    @property
    def max_pieces(self) -> int:
        """Sub-words that a text has at most; what is beyond them is cut off."""
        ...


class ClassifierTrainer(Guarded, Trainer):
    """The model computes its own loss, where examples have no weights and nothing beside them."""

    def compute_loss(self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, **more: Any) -> Any:
        """The loss of the batch; with an expert, the product-of-experts loss."""
        if _EXPERT not in inputs:
            return super().compute_loss(model, inputs, return_outputs, **more)
        expert, weights, right = (inputs.pop(name) for name in (_EXPERT, _WEIGHT, "labels"))
        output = model(**inputs)
        losses = torch.nn.functional.cross_entropy(output.logits.float() + expert, right, reduction="none")
        loss = (losses * weights).mean()
        return (loss, output) if return_outputs else loss


def finetune(
    options: Options,
    examples: Sequence[Example],
    labels: Sequence[str],
    out: Path,
    *,
    seed: int,
    choices: bool = False,
    weights: Numbers | None = None,
    expert: Numbers | None = None,
    watch: Watch | None = None,
) -> HuggingFace:
    """The classifier that training on these examples gives; a regression without `labels`; with `choices` the last
    fields, one a label, are candidates. `weights`: (examples), how much each counts. `expert`: (examples, labels)
    logarithms that are added to the model's own in training. `watch` sees what it is worth while it learns
    (`callbacks.read_watched_figures`). The same call resumes after a kill; a finished run is read.

    InputError for a model that no head can be built on, Diverged for a loss that is not a number, ResumeError if
    `out` holds another run, UsageError for weights in anything but plain classification.
    """
    if (weights is not None or expert is not None) and (choices or not labels):
        raise UsageError("weights and experts are for classification")
    content = sha256("\n".join(f"{example.label}\t{chr(31).join(example.fields)}" for example in examples).encode())
    for numbers in (weights, expert):
        if numbers is not None:
            content.update(np.asarray(numbers, dtype="<f8").tobytes())
    identity = identity_of(options, seed)
    sections = {**identity.sections, "examples": content.hexdigest(), **({"watched": watch.digest} if watch else {})}
    run = Run(out, replace(identity, sections=sections))
    prepare = partial(_learner, options, _Rows(examples, labels, choices, weights, expert), watch)
    trained = train_run(run, options.training, seed, prepare)
    return HuggingFace(str(trained.directory), labels)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What is learned from."""

    examples: Sequence[Example]
    labels: Sequence[str]
    choices: bool
    weights: Numbers | None
    expert: Numbers | None

    def extra_columns(self) -> list[dict[str, Any]]:
        """What stands in each row beside sub-words and answer."""
        if self.weights is None and self.expert is None:
            return [{} for _ in self.examples]
        weights = np.ones(len(self.examples)) if self.weights is None else self.weights / self.weights.mean()
        expert = np.zeros((len(self.examples), len(self.labels))) if self.expert is None else self.expert
        return [{_WEIGHT: float(weight), _EXPERT: row.tolist()} for weight, row in zip(weights, expert, strict=True)]


def limit_updates(options: Options, examples: int, processes: int) -> tuple[TrainingOptions, int]:
    """The training with as many updates as the epochs have, at most training.steps, and the examples that these see; an
    update sees a batch of each process."""
    training = options.training
    per_update = training.batch * training.accumulation * processes
    steps = min(training.steps, updates_of(options.epochs, examples, per_update))
    return replace(training, steps=steps, warmup=round(options.warmup * steps)), steps * per_update


def _add_head(start: str, labels: Sequence[str], choices: bool) -> Any:
    """The encoder with a new head."""
    config = load_encoder_config(start)
    if choices:
        return load_with_head(AutoModelForMultipleChoice, start, config)
    config.num_labels = len(labels) or 1
    # transformers would write it at the first loss, and so not in a run that resumes after the last update
    config.problem_type = "single_label_classification" if labels else "regression"
    if labels:
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: n for n, label in enumerate(labels)}
    return load_with_head(AutoModelForSequenceClassification, start, config)


def _rows(options: Options, training_set: _Rows, tokenizer: Any, config: Any) -> list[dict[str, Any]]:
    """Sub-words and answers; of candidates a list for each."""
    examples, labels, choices = training_set.examples, training_set.labels, training_set.choices
    longest = min(options.max_pieces, tokenizer.model_max_length, positions_of(config))
    numbers = {label: n for n, label in enumerate(labels)}
    answers = [numbers[example.label] if labels else float(example.label) for example in examples]
    if choices:
        questions = [list(candidates(example.fields, len(labels))) for example in examples]
        read = [
            tokenizer([a for a, _ in pairs], [b for _, b in pairs], truncation=True, max_length=longest)
            for pairs in questions
        ]
        return [{**row, "labels": answer} for row, answer in zip(read, answers, strict=True)]
    cut = tokenizer(*pair_fields([example.fields for example in examples]), truncation=True, max_length=longest)
    return [
        {**{name: cut[name][n] for name in cut}, "labels": answer, **more}
        for n, (answer, more) in enumerate(zip(answers, training_set.extra_columns(), strict=True))
    ]


def _length(row: dict[str, Any]) -> int:
    ids = row["input_ids"]
    return max(map(len, ids)) if isinstance(ids[0], list) else len(ids)


def _learner(options: Options, training_set: _Rows, watch: Watch | None, arguments: TrainingArguments) -> Learner:
    tokenizer: Any = load_tokenizer(options.start)
    # of an encoder that learned from running text; else premise and hypothesis would be one text, and a head would read
    # a first word
    ensure_borders(tokenizer, options.start)
    model = _add_head(options.start, training_set.labels, training_set.choices)
    check_rows(options.start, model, tokenizer)
    rows = _rows(options, training_set, tokenizer, model.config)
    rank = int(getattr(options, "lora", 0))
    if rank:
        model = _low_rank(model, rank)
    training, total = limit_updates(options, len(rows), arguments.world_size)
    collate = (DataCollatorForMultipleChoice if training_set.choices else DataCollatorWithPadding)(tokenizer)
    trainer = ClassifierTrainer(
        model=model,
        args=arguments,
        train_dataset=rows,
        data_collator=lambda batch: collate([dict(row) for row in batch]),  # transformers < 5.21 takes labels out
    )
    if watch:
        trainer.add_callback(Watching(trainer, watch, tokenizer, training_set.labels))
    lengths = np.array([_length(row) for row in rows])
    trainer.order = Order(len(rows), total, arguments.seed, batch=training.batch, lengths=lengths)

    def save(trained: Any, folder: Path) -> None:
        save_with(tokenizer, deepcopy(trained).merge_and_unload() if rank else trained, folder)

    return Learner(
        trainer, training, save, {"examples": len(rows)}, lambda _: collect_watched_figures(trainer.state.log_history)
    )


def _low_rank(model: Any, rank: int) -> Any:
    """Only matrices of this rank beside every linear layer, and the head, are trained; needs peft."""
    require("LoRA", "lora", "peft")
    from peft import LoraConfig, TaskType, get_peft_model

    return get_peft_model(
        model, LoraConfig(task_type=TaskType.SEQ_CLS, r=rank, lora_alpha=2 * rank, target_modules="all-linear")
    )
