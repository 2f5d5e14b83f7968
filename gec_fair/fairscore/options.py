"""Every choice of a fairtuning (Qian et al. 2022, §5.2); imports no torch. Defaults are those of its Table 12."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from gec_fair.errors import UsageError
from gec_fair.trainer.options import TrainingOptions

TUNINGS = ("original", "replaced", "appended")
Tuning = Literal["original", "replaced", "appended"]


def _training() -> TrainingOptions:
    return TrainingOptions(
        steps=10_000_000,
        batch=16,
        learning_rate=2e-5,
        schedule="linear",
        weight_decay=0.1,
        adam_beta2=0.98,
        adam_epsilon=1e-6,
    )


@dataclass(frozen=True, slots=True)
class ClassifierTraining:
    """One fine-tuning of an encoder on a task: on its examples as they are, with perturbed ones in the place of
    those that can be (the paper's fairtuning: as many), or with perturbed ones besides.

    The seed decides which word of an example is perturbed and to what, the order of the data, dropout, and the head.
    """

    job: ClassVar[str] = "fairtune"
    files: ClassVar[tuple[str, ...]] = ()
    models: ClassVar[tuple[str, ...]] = ("start",)

    start: str
    """An encoder of Hugging Face: a folder, or a hub's name."""
    task: str
    """A task by name; see `gec-fair fairscore --help`."""
    tuning: Tuning = "original"
    """`original`, `replaced` (fairtuning) or `appended`."""
    training: TrainingOptions = field(default_factory=_training)
    """`steps` is an upper limit (see epochs). The paper's grid: learning_rate 1e-5, 2e-5, 3e-5; batch 16, 32."""
    epochs: float = 10.0
    """Passes over the data."""
    warmup: float = 0.06
    """Share of the updates over which the learning rate rises."""
    max_pieces: int = 512
    """Sub-words of an example; longer ones are cut."""

    def __post_init__(self) -> None:
        if self.tuning not in TUNINGS:
            raise UsageError(f"tuning is {self.tuning!r}; one of {', '.join(TUNINGS)} is meant")
        if self.epochs <= 0 or not 0 <= self.warmup < 1 or self.max_pieces < 4:
            raise UsageError("epochs is more than 0, warmup a share, max_pieces 4 or more")
        if self.training.eval_every:
            raise UsageError("training.eval_every is set, and there are no validation data here; leave it at 0")
        if self.training.warmup:
            raise UsageError("training.warmup is set; here warmup is a share of all updates, beside epochs")
