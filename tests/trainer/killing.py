"""A training that stops where a kill would stop it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from transformers import TrainerCallback

from gec_fair.trainer import loop


class Kill(TrainerCallback):
    def __init__(self, step: int) -> None:
        self.step = step

    def on_step_end(self, args, state, control, **_):
        if state.global_step == self.step:
            raise KeyboardInterrupt


@contextmanager
def killed_after(step: int) -> Iterator[None]:
    """What trains in here dies after that update."""
    run = loop.run

    def run_and_kill(trainer, *args):
        trainer.add_callback(Kill(step))
        return run(trainer, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "run", run_and_kill)
        with pytest.raises(KeyboardInterrupt):
            yield
