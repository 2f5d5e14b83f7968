"""Train one model, with one seed, in one folder: what every training of the package shares. Resumable.

    Run ─ finished? ─▶ arguments ─▶ seed ─▶ prepare ─▶ Learner ─▶ loop.run ─▶ the best weights ─▶ manifest

OUT/checkpoints/  OUT/best/ (the model)  OUT/log.jsonl  OUT/manifest.json (written last: the run is finished)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers import TrainingArguments

from gec_fair.trainer import loop
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.records import Run, Trained

State = dict[str, Any]
"""What `loop.run` returns: `steps`, and the validation `losses` in order."""


@dataclass(frozen=True, slots=True)
class Learner:
    """What is special about one training: a model with its data and its loss."""

    trainer: Any
    """A Trainer of transformers that is Guarded, with its model, its data and their order."""
    training: TrainingOptions
    """As they were asked for, or with fewer updates where the data have fewer."""
    save: Callable[[Any, Path], None]
    """Writes a trained model into a folder, with all that it needs to predict."""
    result: Callable[[State], Mapping[str, Any]] = dict
    """What the manifest says of the finished training."""


def train_once(
    run: Run,
    training: TrainingOptions,
    seed: int,
    prepare: Callable[[Any], Learner],
    *,
    kind: type[TrainingArguments] = TrainingArguments,
    **arguments: Any,
) -> Trained:
    """Train what `prepare` makes of the training arguments, of this `kind` and with these further `arguments`; every
    random generator is seeded before. The same call after a kill resumes, and a finished run is only read.

    Raises Diverged for a loss that is not a number, ResumeError where the folder holds another run, and what `prepare`
    raises.
    """
    trained = run.finished()
    if trained is not None:
        return trained
    train_arguments = loop.arguments(training, run.out, seed, kind, **arguments)
    loop.seeded(seed)
    learner = prepare(train_arguments)
    train_arguments.max_steps, train_arguments.warmup_steps = learner.training.steps, learner.training.warmup
    state = loop.run(
        learner.trainer,
        run,
        learner.training,
        lambda folder: learner.save(bare_model(learner.trainer), folder),
    )
    return run.finish(learner.result(state))


def bare_model(trainer: Any) -> Any:
    """A trainer's model without what torch wraps around it."""
    return trainer.accelerator.unwrap_model(trainer.model, keep_torch_compile=False)


def origin(start: str, seed: int) -> str:
    """Where a trained model's weights come from, for its card."""
    return f"Trained by gec_fair from `{start}`, seed {seed}."
