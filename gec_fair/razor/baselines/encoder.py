"""An encoder as backbone: fine-tuned whole or by LoRA, as Yang et al. 2024 (§4) do it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import Classifier, Scores, Text
from gec_fair.config.options import check_range
from gec_fair.errors import UsageError
from gec_fair.razor.baselines.methods import StepScores
from gec_fair.trainer.options import TrainingOptions

if TYPE_CHECKING:
    from gec_fair.trainer.callbacks import Watch


def _training() -> TrainingOptions:
    return TrainingOptions(steps=10_000_000, batch=16, learning_rate=3e-5, schedule="linear")


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    """One fine-tuning of an encoder by a method of debiasing. Defaults are the paper's where it names any: LoRA, AdamW,
    batch 16, rate 3e-5, 512 sub-words. UsageError for values that cannot be meant."""

    job: ClassVar[str] = "razor"
    files: ClassVar[tuple[str, ...]] = ()
    models: ClassVar[tuple[str, ...]] = ("start",)

    start: str
    """An encoder of Hugging Face: a folder, or a hub's name. The command says it (--backbone)."""
    training: TrainingOptions = field(default_factory=_training)
    """`steps` is an upper limit (see epochs)."""
    epochs: float = 3.0
    """Passes over the data; the paper names none."""
    warmup: float = 0.06
    """Share of the updates over which the learning rate rises."""
    max_pieces: int = 512
    """Sub-words of an example; longer ones are cut."""
    lora: int = 8
    """Rank of the matrices that are trained; 0 trains all weights."""

    def __post_init__(self) -> None:
        check_range(self, "epochs", above=0)
        check_range(self, "warmup", least=0, below=1)
        check_range(self, "max_pieces", least=4)
        check_range(self, "lora", least=0)
        if self.training.eval_every or self.training.warmup:
            raise UsageError(
                "training.eval_every and training.warmup stay 0: there are no validation data here, and "
                "warmup is a share of all updates, beside epochs"
            )


@dataclass(frozen=True, slots=True)
class Learned:
    """A fine-tuned encoder; `logits` are the logarithms of its probabilities."""

    classifier: Classifier
    curve: Sequence[StepScores] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the scores' columns."""
        return self.classifier.labels

    @property
    def version(self) -> str:
        """The version of the fine-tuned classifier."""
        return self.classifier.version

    def logits(self, texts: Sequence[Text]) -> NDArray[np.float64]:
        """(texts, labels): the logarithms of the scores, which count as 1e-12 at least."""
        return np.log(np.clip(self.scores(texts), 1e-12, 1.0))

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels): probabilities."""
        return self.classifier.scores(texts)


@dataclass(frozen=True, slots=True)
class _Example:
    fields: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Encoder:
    """The backbone of an encoder (`methods.Backbone`): every training has a folder under `out`, named by its data, in
    which it continues after a kill. `watch` looks at test sets on the way (figure 4)."""

    draws: ClassVar[bool] = True

    options: EncoderTraining
    out: Path
    watch: Watch | None = None

    @property
    def version(self) -> str:
        """`hf:` and the name of the encoder."""
        return f"hf:{self.options.start}"

    def fit(
        self,
        texts: Sequence[Text],
        answers: Sequence[str],
        *,
        seed: int = 0,
        weights: NDArray[np.float64] | None = None,
        expert_scores: NDArray[np.float64] | None = None,
    ) -> Learned:
        """Fine-tune the encoder in the folder of its data and seed, where a killed training continues."""
        from gec_fair.trainer.callbacks import read_watched_figures
        from gec_fair.trainer.classifier import finetune

        digest = hashlib.sha256(repr((list(texts), list(answers))).encode("utf-8", "surrogatepass"))
        for numbers in (weights, expert_scores):
            digest.update(b"-" if numbers is None else np.asarray(numbers, dtype="<f8").tobytes())
        watch = self.watch if self.watch and self.watch.fits(texts) else None
        digest.update(watch.digest.encode() if watch else b"")
        examples = [_Example(tuple(text), answer) for text, answer in zip(texts, answers, strict=True)]
        place = self.out / digest.hexdigest()[:16] / str(seed)
        trained = finetune(
            self.options,
            examples,
            sorted(set(answers)),
            place,
            seed=seed,
            weights=weights,
            expert=expert_scores,
            watch=watch,
        )
        return Learned(trained, read_watched_figures(place))
