"""Every choice of a seq2seq perturber's training; imports no torch. Defaults are Qian et al. 2022's (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from gec_fair.config.options import Option, check_range
from gec_fair.trainer.options import TrainingOptions


def _training() -> TrainingOptions:
    return TrainingOptions(
        steps=50_000,
        batch=64,
        learning_rate=1e-5,
        schedule="linear",
        warmup=1200,
        weight_decay=0.01,
        clip=0.1,
        eval_every=1484,
        patience=10,
    )


@dataclass(frozen=True, slots=True)
class PerturberTraining:
    """One fine-tuning of a seq2seq model on PANDA: it reads `WORD, ATTRIBUTE <PERT_SEP> TEXT` and writes the rewriting.

    The seed decides the order of the data, dropout, and the rows of the two tokens that are added.
    """

    job: ClassVar[str] = "perturber train"
    files: ClassVar[tuple[str, ...]] = ("train", "dev")
    models: ClassVar[tuple[str, ...]] = ("start",)

    start: Annotated[str, Option("MODEL")] = "facebook/bart-large"
    """A seq2seq model (folder or hub name), or a perturber to go on from."""
    training: TrainingOptions = field(default_factory=_training)
    """`eval_every` 1484 is a pass over PANDA's 94,966 training rows; `patience` 10 are the paper's epochs."""
    train: Annotated[str, Option("PANDA.csv")] = ""
    """PANDA's training rows, in either of its forms: CSV, TSV or JSONL."""
    dev: Annotated[str, Option("PANDA.csv")] = ""
    """Its validation rows; "" holds out every 20th row, by the hash of its text."""
    max_pieces: int = 512
    """Sub-words of the longer side; longer rows do not train, and are counted."""
    label_smoothing: float = 0.0
    """The paper names none."""
    bleu_rows: int = 500
    """Validation rows that the trained model rewrites, for its BLEU beside the unchanged texts'; 0 is none."""
    beams: int = 1
    """The width of the beam search; 1 is greedy, as in the paper."""

    def __post_init__(self) -> None:
        check_range(self, "max_pieces", least=8)
        check_range(self, "label_smoothing", least=0, below=1)
        check_range(self, "bleu_rows", least=0)
        check_range(self, "beams", least=1)
