"""Faults while training, kept from overwriting a good model: losses and weights that are not numbers, a full disk."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import Sampler
from transformers import TrainingArguments

from gec_fair.errors import DiskFull, GecFairError
from gec_fair.runs.atomic import is_for_want_of_room
from gec_fair.trainer.records import CHECKPOINTS, COMPLETE, last_complete
from gec_fair.trainer.sampler import Order


class Diverged(GecFairError):
    """The loss is not a number any more; the message names the last good checkpoint."""

    exit_code = 1


class Guarded:
    """For a Trainer: stops at a loss or a weight that is not a number, before anything good is overwritten by it, and
    takes its batches in the given `order`."""

    order: Order | None = None
    _spoilt: torch.Tensor | bool = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # each batch's loss is a mean: an update's is the mean of these, where transformers might add them up
        self.model_accepts_loss_kwargs = False

    def _get_train_sampler(self, train_dataset: Any = None) -> Sampler[int] | None:
        if self.order is not None:
            return self.order
        sampler: Sampler[int] | None = super()._get_train_sampler(train_dataset)  # type: ignore[misc]
        return sampler

    def training_step(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        """One step; a loss that is not finite is noted, without waiting for the device."""
        loss: torch.Tensor = super().training_step(*args, **kwargs)  # type: ignore[misc]
        # kept on the device: reading it at every step would make a GPU wait
        self._spoilt = ~torch.isfinite(loss) | self._spoilt
        return loss

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        self.refuse_spoilt()
        super()._save_checkpoint(model, trial)  # type: ignore[misc]

    def log(self, logs: dict[str, float], *args: Any, **kwargs: Any) -> None:
        """Log as usual. An error if a loss was not finite, with the remedy."""
        if not math.isfinite(logs.get("eval_loss", 0.0)):
            raise self._explain("the validation loss is not a number")
        if self._spoilt:
            raise self._explain("the loss is not a number")
        super().log(logs, *args, **kwargs)  # type: ignore[misc]

    def refuse_spoilt(self) -> None:
        """Diverged where a loss since the last look, or a weight, is not finite: an update may spoil the weights after
        a loss that was a number."""
        if self._spoilt:
            raise self._explain("the loss is not a number")
        weights = self.model.parameters()  # type: ignore[attr-defined]
        if not bool(torch.stack([torch.isfinite(weight).all() for weight in weights]).all()):
            raise self._explain("weights are not numbers")

    def _explain(self, subject: str) -> Diverged:
        args: TrainingArguments = self.args  # type: ignore[attr-defined]
        step = self.state.global_step  # type: ignore[attr-defined]
        last = last_complete(Path(args.output_dir))
        remaining = f"the last good checkpoint is {last}" if last else "no checkpoint was written yet"
        return Diverged(
            f"{subject} (NaN or infinite) at update {step}; {remaining}. Start anew in another folder with a "
            "lower training.learning_rate, with training.clip 1, or with training.precision fp32"
        )


@contextmanager
def report_full_disk(out: Path) -> Iterator[None]:
    """DiskFull in place of what is raised in here for want of room; drops checkpoints that were written halfway."""
    try:
        yield
    except Exception as fault:
        if not is_for_want_of_room(fault):
            raise
        drop_incomplete(out / CHECKPOINTS)
        last = last_complete(out / CHECKPOINTS)
        remaining = f"; the last good checkpoint, {last.name}, is kept" if last else ""
        raise DiskFull(f"{out}: the disk is full{remaining}. Make room and run the same command again") from fault


def drop_incomplete(checkpoints: Path) -> None:
    """Remove checkpoints that were written halfway."""
    for path in checkpoints.glob("checkpoint-*"):
        if not (path / COMPLETE).exists():
            shutil.rmtree(path, ignore_errors=True)
