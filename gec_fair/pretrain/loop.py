"""The one resumable loop: transformers' Trainer, with what a run needs that may be killed anywhere.

    OUT/checkpoints/checkpoint-N/   the state after N updates; `complete` in it is written last, so that a half-written
                                    one is never taken up again; older ones go when a newer is complete
    OUT/best/                       the weights with the lowest validation loss
    OUT/log.jsonl                   what was logged, a JSON object a line

A run that was killed and started again sees the same batches and draws the same dropout as one that was not: the order
of the data is a function of the seed alone (`Order`), and checkpoints keep the state of the random generators.
"""

from __future__ import annotations

import errno
import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.utils.data import Sampler
from tqdm import tqdm
from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments, set_seed
from transformers.integrations import TensorBoardCallback

from gec_fair.corpus.atomic import sync, write_text
from gec_fair.errors import GecFairError, InputError, MissingResource
from gec_fair.pretrain.options import TrainingOptions
from gec_fair.pretrain.runs import BEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHECKPOINTS = "checkpoints"
LOG = "log.jsonl"
_COMPLETE = "complete"
_POOL = 50  # batches that are sorted by length together


class Diverged(GecFairError):
    """The loss is no number any more; the message names the last good checkpoint."""

    exit_code = 1


class Order(Sampler[int]):
    """The order of a whole run: pass after pass over the data, each shuffled, `total` items in all.

    With `lengths`, batches of `batch` items hold items of like length: of every 50 batches' worth of shuffled items,
    sorted by length, cut into batches, and the batches shuffled. A function of the seed alone, so that a resumed run
    goes on in it; cost O(items) a pass.
    """

    def __init__(
        self, items: int, total: int, seed: int, *, batch: int = 1, lengths: NDArray[np.int64] | None = None
    ) -> None:
        if not items:
            raise InputError("no sequences to train on")
        self.items, self.total, self.seed, self.batch, self.lengths = items, total, seed, batch, lengths

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[int]:
        left = self.total
        number = 0
        while left > 0:
            one = self._one_pass(number)[:left]
            yield from one.tolist()
            left -= len(one)
            number += 1

    def _one_pass(self, number: int) -> NDArray[np.int64]:
        chance = np.random.Generator(np.random.PCG64([self.seed, number]))
        order = chance.permutation(self.items)
        if self.lengths is None:
            return order
        pool = self.batch * _POOL
        # the items left over by whole batches come last, so that every batch but the last is of one pool
        pools = [part[np.argsort(self.lengths[part], kind="stable")[::-1]] for part in _cut(order, pool)]
        batches = [batch for part in pools for batch in _cut(part, self.batch)]
        whole = [batch for batch in batches if len(batch) == self.batch]
        rest = [batch for batch in batches if len(batch) < self.batch]
        mixed = [whole[place] for place in chance.permutation(len(whole))]
        return np.concatenate([*mixed, *rest])


def _cut(items: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def arguments(
    options: TrainingOptions, out: Path, seed: int, kind: type[TrainingArguments] = TrainingArguments, **more: Any
) -> TrainingArguments:
    """The options in transformers' words, as the `kind` that a trainer asks for.

    MissingResource where a GPU is demanded and none is here.
    """
    gpu = torch.cuda.is_available()
    if options.device == "gpu" and not gpu:
        raise MissingResource(
            "the options demand a GPU and torch sees none; install a torch build for your GPU and driver, or set "
            "training.device to any"
        )
    if "wandb" in options.report_to and find_spec("wandb") is None:
        raise MissingResource("report_to names wandb, which is not installed; pip install wandb, or leave it out")
    on_cpu = options.device == "cpu" or not gpu
    bf16 = options.precision == "bf16" or (options.precision == "auto" and _has_bf16(on_cpu))
    return kind(
        output_dir=str(out / CHECKPOINTS),
        max_steps=options.steps,
        per_device_train_batch_size=options.batch,
        per_device_eval_batch_size=options.batch * 2,
        gradient_accumulation_steps=options.accumulation,
        learning_rate=options.learning_rate,
        lr_scheduler_type="constant_with_warmup" if options.schedule == "constant" else options.schedule,
        warmup_steps=options.warmup,
        weight_decay=options.weight_decay,
        adam_beta1=options.adam_beta1,
        adam_beta2=options.adam_beta2,
        adam_epsilon=options.adam_epsilon,
        max_grad_norm=options.clip,
        eval_strategy="steps" if options.eval_every else "no",
        eval_steps=options.eval_every or None,
        save_strategy="steps",
        save_steps=options.save_every,
        logging_strategy="steps",
        logging_steps=options.log_every,
        logging_nan_inf_filter=False,
        report_to=list(options.report_to),
        run_name=f"{out.parent.name}/{out.name}",
        bf16=bf16,
        use_cpu=on_cpu,
        torch_compile=options.compile,
        seed=seed,
        data_seed=seed,
        remove_unused_columns=False,
        disable_tqdm=True,  # transformers prints to standard output; ours is `_Progress`
        dataloader_num_workers=0,
        **more,
    )


def _has_bf16(on_cpu: bool) -> bool:
    if not on_cpu:
        return bool(torch.cuda.is_bf16_supported())
    try:  # AMX multiplies bf16 an order of magnitude faster than fp32; without it, bf16 on a CPU is slower
        return bool(torch.cpu._is_amx_tile_supported())
    except AttributeError:
        return False


class Guarded:
    """For a Trainer: stops at a loss that is no number, before a checkpoint of it is written, and takes its batches
    in the given `order`."""

    order: Order | None = None

    def _get_train_sampler(self, train_dataset: Any = None) -> Sampler[int] | None:
        if self.order is not None:
            return self.order
        found: Sampler[int] | None = super()._get_train_sampler(train_dataset)  # type: ignore[misc]
        return found

    def training_step(self, *given: Any, **named: Any) -> torch.Tensor:
        loss: torch.Tensor = super().training_step(*given, **named)  # type: ignore[misc]
        # kept on the device: reading it at every step would make a GPU wait
        self._spoilt = ~torch.isfinite(loss) | getattr(self, "_spoilt", torch.zeros_like(loss, dtype=torch.bool))
        return loss

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        self.refuse_spoilt()
        super()._save_checkpoint(model, trial)  # type: ignore[misc]

    def log(self, logs: dict[str, float], *given: Any, **named: Any) -> None:
        self.refuse_spoilt()
        super().log(logs, *given, **named)  # type: ignore[misc]

    def refuse_spoilt(self) -> None:
        """Diverged where a loss since the last look was not finite."""
        spoilt = getattr(self, "_spoilt", None)
        if spoilt is not None and bool(spoilt):
            args: TrainingArguments = self.args  # type: ignore[attr-defined]
            step = self.state.global_step  # type: ignore[attr-defined]
            last = _last(Path(args.output_dir))
            kept = f"the last good checkpoint is {last}" if last else "no checkpoint was written yet"
            raise Diverged(
                f"the loss is no number (NaN or infinite) at update {step}; {kept}. Lower training.learning_rate, set "
                "training.clip to 1, or use training.precision fp32"
            )


class _Keeper(TrainerCallback):
    """Marks checkpoints complete, drops older ones, keeps the best weights, and stops when patience is out."""

    def __init__(self, out: Path, patience: int, save: Callable[[Path], None]) -> None:
        self.out, self.patience, self.save = out, patience, save

    def on_save(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        if not state.is_world_process_zero:
            return
        fresh = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        write_text(fresh / _COMPLETE, f"{state.global_step}\n")
        for other in Path(args.output_dir).glob("checkpoint-*"):
            if other != fresh:
                shutil.rmtree(other, ignore_errors=True)

    def on_log(self, args: TrainingArguments, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if state.is_world_process_zero:
            lines = "".join(json.dumps(entry) + "\n" for entry in state.log_history)
            write_text(self.out / LOG, lines)

    def on_evaluate(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        losses = [entry["eval_loss"] for entry in state.log_history if "eval_loss" in entry]
        best = min(range(len(losses)), key=losses.__getitem__)
        if best == len(losses) - 1 and state.is_world_process_zero:
            replace(self.out / BEST, self.save)
        if self.patience and len(losses) - 1 - best >= self.patience:
            control.should_training_stop = True
        control.should_save = True


class _Progress(TrainerCallback):
    """A bar on stderr, with the last loss; silent where stderr is no terminal."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.bar: tqdm[Any] | None = None

    def on_train_begin(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        shown = state.is_world_process_zero and sys.stderr.isatty()
        self.bar = tqdm(desc=self.title, total=state.max_steps, initial=state.global_step, unit=" updates",
                        disable=not shown)  # fmt: skip

    def on_step_end(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        if self.bar is not None:
            self.bar.update(state.global_step - self.bar.n)

    def on_log(self, args: TrainingArguments, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if self.bar is not None and logs and "loss" in logs:
            self.bar.set_postfix(loss=f"{logs['loss']:.3f}", refresh=False)

    def on_train_end(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        if self.bar is not None:
            self.bar.close()


def run(trainer: Trainer, out: Path, options: TrainingOptions, save: Callable[[Path], None]) -> dict[str, Any]:
    """Train to the end, from the last complete checkpoint if there is one. Answers the final state: `steps`
    and `losses` (validation, in order).

    `save` writes the model into a folder. Diverged where the loss is no number; GecFairError where the disk is full:
    the last complete checkpoint is kept in both.
    """
    trainer.remove_callback(PrinterCallback)
    for callback in trainer.callback_handler.callbacks:
        if isinstance(callback, TensorBoardCallback) and callback.logging_dir is None:
            callback.logging_dir = str(out / "tensorboard")  # checkpoints/, the default, is emptied in the end
    trainer.add_callback(_Progress(f"{out.parent.name}/{out.name}"))
    trainer.add_callback(_Keeper(out, options.patience, save))
    last = _last(out / CHECKPOINTS)
    _drop_incomplete(out / CHECKPOINTS)
    try:
        trainer.train(resume_from_checkpoint=str(last) if last else None)
        if not options.eval_every and trainer.eval_dataset is not None:
            trainer.evaluate()
        losses = [entry["eval_loss"] for entry in trainer.state.log_history if "eval_loss" in entry]
        if trainer.is_world_process_zero() and not (out / BEST).exists():
            replace(out / BEST, save)
    except OSError as fault:
        if fault.errno != errno.ENOSPC:
            raise
        raise disk_full(out) from fault
    except RuntimeError as fault:  # torch's file writer reports a full disk so
        if "No space left" not in str(fault) and "file write failed" not in str(fault):
            raise
        raise disk_full(out) from fault
    return {"steps": trainer.state.global_step, "losses": losses}


def disk_full(out: Path) -> GecFairError:
    """What to say when nothing more can be written; drops what was written halfway."""
    _drop_incomplete(out / CHECKPOINTS)
    last = _last(out / CHECKPOINTS)
    kept = f"the last good checkpoint, {last.name}, is kept" if last else "no checkpoint was complete yet"
    return GecFairError(f"{out}: the disk is full; {kept}. Make room and run the same command again: it goes on there")


def share_of_rate(options: TrainingOptions, step: int, steps: int) -> float:
    """The learning rate at an update, of `steps`, as a share of the highest: a rise over the warm-up, then the
    schedule."""
    if step < options.warmup:
        return step / options.warmup
    left = max(0.0, (steps - step) / max(1, steps - options.warmup))
    if options.schedule == "linear":
        return left
    return (1 - math.cos(math.pi * left)) / 2 if options.schedule == "cosine" else 1.0


def quiet() -> None:
    """No progress bars for loading and saving weights, no report of the heads that an encoder does not bring."""
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()


def seeded(seed: int) -> None:
    """Seed Python, NumPy and torch before a model's new weights are drawn."""
    set_seed(seed)


def _last(checkpoints: Path) -> Path | None:
    """The complete checkpoint with the most updates."""
    found = [path.parent for path in checkpoints.glob(f"checkpoint-*/{_COMPLETE}")]
    return max(found, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def _drop_incomplete(checkpoints: Path) -> None:
    for path in checkpoints.glob("checkpoint-*"):
        if not (path / _COMPLETE).exists():
            shutil.rmtree(path, ignore_errors=True)


def replace(folder: Path, save: Callable[[Path], None]) -> None:
    """A folder with new content or the old one, never half of it."""
    fresh = folder.with_name(folder.name + ".partial")
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    save(fresh)
    sync(fresh)
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        os.replace(folder, old)
    os.replace(fresh, folder)
    sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def perplexity(loss: float) -> float:
    """e to the loss a guessed sub-word."""
    return math.exp(min(loss, 700.0))


def groups(parts: Sequence[tuple[Sequence[torch.nn.Parameter], float]], weight_decay: float) -> list[dict[str, Any]]:
    """Parameters with a learning rate each, as an optimizer takes them; no decay on vectors (biases, norms)."""
    made: list[dict[str, Any]] = []
    for parameters, rate in parts:
        for decayed in (True, False):
            some = [p for p in parameters if (p.ndim > 1) == decayed]
            if some:
                made.append({"params": some, "lr": rate, "weight_decay": weight_decay if decayed else 0.0})
    return made
