"""The one resumable loop: transformers' Trainer, with what a run needs that may be killed anywhere.

    OUT/checkpoints/checkpoint-N/   the state after N updates; `complete` in it is written last, so that a half-written
                                    one is never taken up again; older ones go when a newer is complete
    OUT/best/                       the weights with the lowest validation loss
    OUT/log.jsonl                   what was logged, a JSON object a line

A run that was killed and started again sees the same batches and draws the same dropout as one that was not: the order
of the data is a function of the seed alone (`Order`), and checkpoints keep the state of the random generators. Under
torchrun the first process writes, and the others wait for it where it matters.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm
from transformers import PrinterCallback, TrainerCallback, TrainerState, TrainingArguments, set_seed
from transformers.integrations import TensorBoardCallback
from transformers.trainer import TRAINER_STATE_NAME

from gec_fair.models.inference import has_gpu, require_gpu, trains_in_bf16
from gec_fair.runs.atomic import leave_nothing, open_own, sync, sync_tree, write_text
from gec_fair.trainer.nan_guard import drop_incomplete, report_full_disk
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.records import BEST, CHECKPOINTS, COMPLETE, Run, last_complete

LOG = "log.jsonl"
_DAY = 86_400  # seconds that processes wait for the one that prepares the data


def arguments(
    options: TrainingOptions, out: Path, seed: int, kind: type[TrainingArguments] = TrainingArguments, **more: Any
) -> TrainingArguments:
    """The options in transformers' words, as the `kind` that a trainer asks for.

    MissingResource where a GPU is demanded and none is here.
    """
    if options.device == "gpu":
        require_gpu("options", "set training.device to any")
    on_cpu = options.device == "cpu" or not has_gpu()
    train_arguments = kind(
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
        bf16=trains_in_bf16(options.precision, "cpu" if on_cpu else "cuda"),
        use_cpu=on_cpu,
        torch_compile=options.compile,
        seed=seed,
        data_seed=seed,
        remove_unused_columns=False,
        disable_tqdm=True,  # transformers prints to standard output; ours is `_Progress`
        dataloader_num_workers=0,
        ddp_timeout=_DAY,
        **more,
    )
    return _one_device(train_arguments)


def _one_device(arguments: TrainingArguments) -> TrainingArguments:
    """Several GPUs are for several processes. Trainer would split every batch over those that it sees, and take so many
    times larger ones: another training than the options say."""
    if arguments.device.type == "cuda" and arguments.n_gpu > 1:  # reading `device` is what sets `n_gpu`
        arguments._n_gpu = 1
        print(
            f"one of {torch.cuda.device_count()} GPUs is used; for all of them start with torchrun --nproc_per_node "
            f"{torch.cuda.device_count()}, or one run on each by CUDA_VISIBLE_DEVICES",
            file=sys.stderr,
        )
    return arguments


class _Keeper(TrainerCallback):
    """Marks checkpoints complete, drops older ones, keeps the best weights, and stops when patience is out."""

    def __init__(self, out: Path, patience: int, save: Callable[[Path], None]) -> None:
        self.out, self.patience, self.save = out, patience, save

    def on_save(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        fresh = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        _wait()  # every process has its random state in it
        if state.is_world_process_zero:
            sync_tree(fresh)
            write_text(fresh / COMPLETE, f"{state.global_step}\n")
            for older in Path(args.output_dir).glob("checkpoint-*"):
                if older != fresh:
                    shutil.rmtree(older, ignore_errors=True)

    def on_train_begin(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        if state.is_world_process_zero:  # what was logged after the checkpoint that is taken up will come again
            write_text(self.out / LOG, "".join(json.dumps(entry) + "\n" for entry in state.log_history))

    def on_log(self, args: TrainingArguments, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if state.is_world_process_zero:
            with open_own(self.out / LOG) as file:
                file.write(json.dumps(state.log_history[-1]).encode() + b"\n")

    def on_evaluate(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        losses = _validation(state)
        if min(range(len(losses)), key=losses.__getitem__) == len(losses) - 1 and state.is_world_process_zero:
            replace(self.out / BEST, self.save)
        if _out_of_patience(losses, self.patience):
            control.should_training_stop = True
        control.should_save = True


def _validation(state: Any) -> list[float]:
    return [entry["eval_loss"] for entry in state.log_history if "eval_loss" in entry]


def _out_of_patience(losses: Sequence[float], patience: int) -> bool:
    """Whether so many looks have come after the best one."""
    return bool(patience and losses) and len(losses) - 1 - losses.index(min(losses)) >= patience


def _wait() -> None:
    """Until all processes of torchrun are here."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.barrier()


class _Progress(TrainerCallback):
    """A bar on stderr, with the last loss; silent if stderr is not a terminal."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.bar: tqdm[Any] | None = None

    def on_train_begin(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        visible = state.is_world_process_zero and sys.stderr.isatty()
        self.bar = tqdm(
            desc=self.title, total=state.max_steps, initial=state.global_step, unit=" updates", disable=not visible
        )

    def on_step_end(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        if self.bar is not None:
            self.bar.update(state.global_step - self.bar.n)

    def on_log(self, args: TrainingArguments, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if self.bar is not None and logs and "loss" in logs:
            self.bar.set_postfix(loss=f"{logs['loss']:.3f}", refresh=False)

    def on_train_end(self, args: TrainingArguments, state: Any, control: Any, **_: Any) -> None:
        if self.bar is not None:
            self.bar.close()


def run(trainer: Any, run: Run, options: TrainingOptions, save: Callable[[Path], None]) -> dict[str, Any]:
    """Train to the end, from the last complete checkpoint if there is one. Answers the final state: `steps`
    and `losses` (validation, in order). `trainer` is Guarded.

    `save` writes the model into a folder. Diverged if the loss is not a number; GecFairError if the disk is full:
    the last complete checkpoint is kept in both. ResumeError where the run was begun on something else.
    """
    out, args = run.out, trainer.args
    trainer.remove_callback(PrinterCallback)
    for callback in trainer.callback_handler.callbacks:
        if isinstance(callback, TensorBoardCallback) and callback.logging_dir is None:
            callback.logging_dir = str(out / "tensorboard")  # checkpoints/, the default, may be dropped in the end
    trainer.add_callback(_Progress(f"{out.parent.name}/{out.name}"))
    trainer.add_callback(_Keeper(out, options.patience, partial(_save_unless_spoilt, trainer, save)))
    with report_full_disk(out):
        run.begin({"processes": args.world_size, "device": args.device.type, "bf16": args.bf16})
        last = last_complete(out / CHECKPOINTS)
        drop_incomplete(out / CHECKPOINTS)
        state = TrainerState.load_from_json(str(last / TRAINER_STATE_NAME)) if last else None
        # Trainer forgets when resuming that it had stopped early
        if last is None and trainer.is_world_process_zero():  # of a run that was killed before it owned the folder
            shutil.rmtree(out / BEST, ignore_errors=True)
        if state is None or not _out_of_patience(_validation(state), options.patience):
            trainer.train(resume_from_checkpoint=str(last) if last else None)
            if not options.eval_every and trainer.eval_dataset is not None:
                trainer.evaluate()
            state = trainer.state
            if trainer.is_world_process_zero() and not (out / BEST).exists():
                replace(out / BEST, partial(_save_unless_spoilt, trainer, save))
        _wait()
    return {"steps": state.global_step, "losses": _validation(state)}


def _save_unless_spoilt(trainer: Any, save: Callable[[Path], None], folder: Path) -> None:
    trainer.refuse_spoilt()
    save(folder)


def items_of_run(arguments: TrainingArguments, steps: int) -> int:
    """How many items all processes see in so many updates."""
    batch = arguments.per_device_train_batch_size * arguments.world_size
    return int(batch * arguments.gradient_accumulation_steps * steps)


def share_of_rate(options: TrainingOptions, step: int, steps: int) -> float:
    """The learning rate at an update, of `steps`, as a share of the highest: a rise over the warm-up, then the
    schedule."""
    if step < options.warmup:
        return step / options.warmup
    left = max(0.0, (steps - step) / max(1, steps - options.warmup))
    if options.schedule == "linear":
        return left
    return (1 - math.cos(math.pi * left)) / 2 if options.schedule == "cosine" else 1.0


def seed_generators(seed: int) -> None:
    """Seed Python, NumPy and torch before a model's new weights are drawn."""
    set_seed(seed)


def replace(folder: Path, save: Callable[[Path], object]) -> None:
    """A folder with new content or the old one, never half of it."""
    fresh = folder.with_name(folder.name + ".partial")
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(fresh, ignore_errors=True)
    with report_full_disk(folder), leave_nothing(fresh):
        fresh.mkdir(parents=True)
        save(fresh)
        sync_tree(fresh)
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        os.replace(folder, old)
    os.replace(fresh, folder)
    sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def perplexity(loss: float) -> float:
    """e to the loss a guessed sub-word."""
    return math.exp(min(loss, 700.0))
