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
    whole = loop.run

    def interrupted(trainer, *given):
        trainer.add_callback(Kill(step))
        return whole(trainer, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            yield
