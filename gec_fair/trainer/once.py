"""Train one model, with one seed, in one folder: what every training of the package shares. Resumable.

    Run ─ finished? ─▶ arguments ─▶ seed ─▶ prepare ─▶ Learner ─▶ loop.run ─▶ the best weights ─▶ manifest

OUT/checkpoints/  OUT/best/ (the model)  OUT/log.jsonl  OUT/manifest.json (written last: the run is finished)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from transformers import TrainingArguments

from gec_fair.trainer import loop
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.records import Run, Trained, identity_of

Save = Callable[[Any, Path], None]
"""Writes a trained model into a folder, with all that it needs to predict."""


@dataclass(frozen=True, slots=True)
class Learner:
    """What is special about one training: a model with its data and its loss."""

    trainer: Any
    """A Trainer of transformers that is Guarded, with its model, its data and their order."""
    training: TrainingOptions
    """As they were asked for, or with fewer updates where the data have fewer."""
    save: Save
    counts: Mapping[str, Any] = field(default_factory=dict)
    """What became of the data, for the run's result."""
    measure: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Figures for the run's result, from its `steps` and validation `losses`, once the training is at its end."""


def train_once(
    options: Any,
    out: Path,
    seed: int,
    prepare: Callable[[Any], Learner],
    *,
    kind: type[TrainingArguments] = TrainingArguments,
    **arguments: Any,
) -> Trained:
    """Train with `options`, which have `training` and name their `files` and `models` (`records.identity_of`).

    `prepare` gets the training arguments, of this `kind` and with these further `arguments`. Every random generator is
    seeded before. The same call after a kill resumes, and a finished run is only read. Raises Diverged for a loss that
    is not a number, ResumeError where `out` holds another run, and what `prepare` raises.
    """
    run = Run(out, identity_of(options, seed))
    return train_run(run, options.training, seed, prepare, kind=kind, **arguments)


def train_run(
    run: Run,
    training: TrainingOptions,
    seed: int,
    prepare: Callable[[Any], Learner],
    *,
    kind: type[TrainingArguments] = TrainingArguments,
    **arguments: Any,
) -> Trained:
    """The same for a run with an identity of another form."""
    trained = run.find_result()
    if trained is not None:
        return trained
    train_arguments = loop.arguments(training, run.out, seed, kind, **arguments)
    loop.seed_generators(seed)
    learner = prepare(train_arguments)
    train_arguments.max_steps, train_arguments.warmup_steps = learner.training.steps, learner.training.warmup
    state = loop.run(learner.trainer, run, learner.training, partial(save_model, learner.trainer, learner.save))
    figures = learner.measure(state) if learner.measure else {}
    return run.finish({**state, **learner.counts, **figures})


def save_model(trainer: Any, save: Save, folder: Path) -> None:
    """Save a trainer's model, without what torch wraps around it."""
    save(trainer.accelerator.unwrap_model(trainer.model, keep_torch_compile=False), folder)


def save_with(tokenizer: Any, model: Any, folder: Path) -> None:
    """Save a model of transformers and its tokenizer."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def origin(start: str, seed: int) -> str:
    """Where a trained model's weights come from, for its card."""
    return f"Trained by gec_fair from `{start}`, seed {seed}."
