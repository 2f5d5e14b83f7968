"""Every choice of a BART that corrects, its training and its predictions; imports no torch.

Defaults are those of Lund et al. 2023, appendix D, where it has one. What the paper leaves open is from the public
recipe of Katsumata and Komachi 2020, unless said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from gec_fair.config.options import Option, check_range
from gec_fair.trainer.options import TrainingOptions

Text = Literal["raw", "tokenised"]


@dataclass(frozen=True, slots=True)
class InputOptions:
    """What the model reads and writes; kept in its configuration, since a model trained one way fails the other."""

    text: Text = "raw"
    """`raw`: the words put back together as prose, as in BART's own training; `tokenised`: the words with spaces
    between them, as in the public recipe."""
    bos: bool = True
    """Source `<s> X </s>` and target `<s> Y </s>`, as in BART's own training, Hugging Face and fairseq's `bart.sample`;
    without it `X </s>` and `Y </s>`, as in fairseq's task `translation`, and so in the public recipe."""
    max_source: int = 80
    """Sub-words of a source, the rows around it among them. Longer pairs do not train; longer texts pass through."""
    max_target: int = 85
    """Sub-words of a target. A longer answer has no end, so its text passes through."""

    def __post_init__(self) -> None:
        check_range(self, "max_source", "max_target", least=4)


@dataclass(frozen=True, slots=True)
class BartTraining:
    """One fine-tuning of a BART on pairs.

    An update is one batch, times training.accumulation, times processes: as many pairs of like length as come under
    max_tokens, and at most training.batch of them. The seed decides the order of the data and dropout; nothing else is
    drawn.
    """

    job: ClassVar[str] = "bart train"
    files: ClassVar[tuple[str, ...]] = ("train", "dev")
    models: ClassVar[tuple[str, ...]] = ("start",)

    start: Annotated[str, Option("MODEL")]
    """A BART (folder or hub name): a plain one, or a corrector of ours to go on from."""
    training: TrainingOptions
    train: Annotated[str, Option("PAIRS.tsv")] = ""
    """source<TAB>target pairs, tokenised by spaces; plain, .gz, .xz or .zst."""
    dev: Annotated[str, Option("PAIRS.tsv")] = ""
    """Pairs for the validation loss; "" holds out every 50th sentence of the training data, by its hash: an
    augmented twin has another hash than its original, so with such data a file is the better measure."""
    input: InputOptions | None = None
    """null: what `start` was trained with, or the defaults for a plain BART."""
    max_tokens: int = 4000
    """The most sub-words of a batch, padding among them, on the longer side of its pairs: fairseq's --max-tokens."""
    label_smoothing: float = 0.1
    """Probability that is spread over the sub-words that are not the right one."""
    dropout: float | None = 0.3
    """null leaves what the configuration of `start` says."""
    attention_dropout: float | None = 0.3
    """null leaves what the configuration of `start` says."""

    def __post_init__(self) -> None:
        check_range(self, "label_smoothing", "dropout", "attention_dropout", least=0, below=1)
        check_range(self, "max_tokens", least=1)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a sentence is searched for."""

    beam: int = 2
    """Answers that are followed at once."""
    length_penalty: float = 1.0
    """The sum of log-probabilities is divided by the length to this power; 1 is fairseq's default."""

    def __post_init__(self) -> None:
        check_range(self, "beam", least=1)
        check_range(self, "length_penalty")
