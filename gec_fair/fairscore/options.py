"""Every choice of a fairtuning (Qian et al. 2022, §5.2); imports no torch. Defaults are those of its Table 12."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from gec_fair.config.options import Option, check_range
from gec_fair.config.work import Caching
from gec_fair.data.columns import Missing
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
    """An encoder of Hugging Face: a folder, or a hub's name. The command says it, the task and the tuning."""
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
            raise UsageError(f"tuning is {self.tuning!r}; expected one of {', '.join(TUNINGS)}")
        check_range(self, "epochs", above=0)
        check_range(self, "warmup", least=0, below=1)
        check_range(self, "max_pieces", least=4)
        if self.training.eval_every:
            raise UsageError("training.eval_every is set, and there are no validation data here; leave it at 0")
        if self.training.warmup:
            raise UsageError("training.warmup is set; here warmup is a share of all updates, beside epochs")


@dataclass(frozen=True, kw_only=True)
class OwnFile:
    """How a file of your own is read."""

    fields: Annotated[Sequence[str], Option("A,B", separator=",")] = ("text",)
    """Your own file: the columns of the text, one or two."""
    label: Annotated[str, Option("NAME")] = "label"
    """Your own file: the column of the right answer."""
    rename: Annotated[Mapping[str, str], Option("A=B")] = field(default_factory=dict)
    """A label of the data as the model calls it; again for more."""


@dataclass(frozen=True, kw_only=True)
class FairscoreOptions(Caching, OwnFile):
    """What `gec-fair fairscore` does (Qian et al. 2022, §5.3)."""

    perturber: Annotated[str, Option("NAME")] = "rules"
    """rules, or neural:MODEL, a seq2seq model."""
    axes: Annotated[Sequence[str], Option("A,B", separator=",")] = ("gender", "race", "age")
    """What is perturbed."""
    lexicon: Annotated[str, Option("DIR")] = ""
    """Your own tables, laid over ours; they may add axes."""
    sampling: Literal["uniform", "axes"] = "uniform"
    """uniform: any word with any target (Algorithm 1); axes: an axis first, rare ones as often (footnote 2)."""
    check_labels: bool = False
    """Leave out examples whose label may have changed (aunt and uncle are a contrast)."""
    limit: Annotated[int | None, Option("N", least=1)] = None
    """Examples that are read."""
    train: Annotated[str | Path | None, Option("FILE")] = None
    """Your own file: what tfidf learns from."""
    seed: int = 0
    """The seed of what is perturbed, and of the bootstrap."""
    missing: Annotated[Missing, Option(is_keyword=True)] = "refuse"
    """`drop` leaves examples out that have no text or label (None, NaN, an empty text), and counts them. Rows of a file
    that cannot be read or have no text are always left out, with a note."""


@dataclass(frozen=True, kw_only=True)
class FairtuneOptions(OwnFile):
    """What `gec-fair fairtune` does (§5.2)."""

    dev: Annotated[Path | None, Option("FILE")] = None
    """Your own file: what is judged on."""
    models: Annotated[tuple[str, ...], Option("NAME", flags="--model")] = ("tfidf",)
    """tfidf, or an encoder (folder or hub name); again for more."""
    tuning: Annotated[Sequence[str], Option("A,B", separator=",")] = ("original", "replaced")
    """original, replaced (as many examples), appended (perturbed ones besides)."""
    seeds: Annotated[int, Option(least=1)] = 5
    """How many seeds of each; the table has medians."""
    axes: Annotated[Sequence[str], Option("A,B", separator=",")] = ("gender", "race", "age")
    """What is perturbed."""
    perturber: Annotated[str, Option("NAME")] = "rules"
    """rules, or neural:MODEL."""
    check_labels: bool = False
    """Judge without examples whose label may have changed (aunt/uncle)."""
    limit: Annotated[int | None, Option("N", least=1)] = None
    """Training examples of each task."""
    settings: Annotated[Path | None, Option("SETTINGS")] = None
    """How encoders are trained."""
    grid: Annotated[tuple[str, ...], Option("KEY=A,B")] = ()
    """Try each value (of several keys, each with each) in three runs and take the best by the median, for example
    --grid training.batch=16,32."""
