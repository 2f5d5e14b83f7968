"""Every choice of a training run, each with its meaning; imports no torch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from gec_fair.config.options import check_range
from gec_fair.errors import UsageError
from gec_fair.models.options import EncoderOptions, Precision

Schedule = Literal["constant", "linear", "cosine"]
Device = Literal["any", "gpu", "cpu"]
Unit = Literal["words", "pieces", "spans"]
_SMALLEST = 256 + 5
"""Rows of a byte-level vocabulary: bytes, and the five special ones."""


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What one training run does, whatever it trains. An update is `batch` × `accumulation` × processes sequences.

    UsageError for values that cannot be meant.
    """

    steps: int
    """Updates of the weights in all."""
    batch: int = 32
    """Sequences a forward pass on each device."""
    accumulation: int = 1
    """Forward passes an update."""
    learning_rate: float = 1e-5
    """The highest, which it has after the warm-up."""
    schedule: Schedule = "constant"
    """What the learning rate does after the warm-up; `linear` and `cosine` end at 0."""
    warmup: int = 0
    """Updates over which the learning rate rises from 0."""
    weight_decay: float = 0.0
    """AdamW's; not on biases and norms."""
    adam_beta1: float = 0.9
    """AdamW's, of the mean."""
    adam_beta2: float = 0.999
    """AdamW's, of the square."""
    adam_epsilon: float = 1e-8
    """AdamW's."""
    clip: float = 0.0
    """Largest norm of the gradient; 0 leaves it as it is."""
    eval_every: int = 0
    """Updates between two looks at the validation data; 0 looks at the end only."""
    patience: int = 0
    """Stop after so many looks without a lower validation loss; 0 never stops early."""
    save_every: int = 500
    """Updates between two checkpoints: what a kill costs at most."""
    precision: Precision = "auto"
    """`bf16` computes in half precision by autocast; `auto` does where the device has it in hardware. What it came to
    stands in the run's manifest."""
    device: Device = "any"
    """`gpu` refuses to start without one."""
    compile: bool = False
    """torch.compile: a minute or two at the start, faster steps after it. A run that was killed then ends with other
    last digits than one that was not: what is compiled for the steps after it is other code."""
    log_every: int = 50
    """Updates between two lines of the log."""
    report_to: tuple[Literal["tensorboard"], ...] = ()
    """Where losses go besides the run's log.jsonl: files for TensorBoard in the run's folder."""

    def __post_init__(self) -> None:
        check_range(self, "steps", "batch", "accumulation", "save_every", "log_every", least=1)
        check_range(self, "learning_rate", "weight_decay", "clip", "adam_epsilon", least=0)
        check_range(self, "warmup", "eval_every", "patience", least=0)
        check_range(self, "adam_beta1", "adam_beta2", least=0, below=1)
        if self.patience and not self.eval_every:
            raise UsageError("patience counts looks at the validation data; set eval_every too")


@dataclass(frozen=True, slots=True)
class PretrainOptions:
    """`gec-fair pretrain mlm`: an encoder from text alone, by masked words (Devlin et al. 2019; Liu et al. 2019)."""

    training: TrainingOptions
    texts: tuple[str, ...] = ()
    """Text files, plain, .gz, .xz or .zst; paths relative to the working directory. `$GEC_FAIR_DATA` is filled in."""
    words: Literal["tokenised", "raw"] = "tokenised"
    """What the encoder will read. `tokenised`: words with spaces between, as learners' corpora have them; paragraphs
    stand apart by empty lines and are cut into sentences. `raw`: each line as it is."""
    vocabulary: int = 12_000
    """Rows of the byte-level vocabulary that is learned from the texts."""
    subwords: Literal["bpe", "wordpiece"] = "bpe"
    """How it is learned: BPE (Sennrich et al. 2016), or WordPiece as LTG-BERT's."""
    tokenizer: str = ""
    """A model whose vocabulary is taken instead: models that are compared want one."""
    start: str = ""
    """A masked model to go on from, with its vocabulary; "" begins with new weights, of the shape `encoder`."""
    dropout: float | None = None
    """In a model that training continues from, attention excepted; null is as its configuration says."""
    attention_dropout: float | None = None
    """The dropout of its attention probabilities."""
    block: int = 128
    """Sub-words in a training sequence."""
    mask: float = 0.15
    """Share of sub-words to be guessed."""
    unit: Unit = "words"
    """What is hidden together: all sub-words of a word (in raw text the first word of a line goes with the one before
    it), single `pieces`, or `spans` of some (SpanBERT; LTG-BERT)."""
    causal: float = 0.0
    """Share of the blocks that are read from left to right, every next sub-word guessed (GPT-BERT's hybrid objective;
    theirs is 1/16); for ltg-bert. All guesses are then made one place before what is guessed."""
    validation: float = 0.005
    """Share of the blocks that is held out."""
    encoder: EncoderOptions = field(default_factory=EncoderOptions)
    suites: tuple[str, ...] = ()
    """Bias suites (`gec-fair lmbias`, quick) that score the encoder at every look at the validation blocks."""
    keep_at: tuple[int, ...] = ()
    """Updates after which the model is kept, in steps/N: bias is learned early. 0 keeps the new weights."""
    keep_every: int = 0
    """And every so many updates; 0 keeps none besides."""
    seed: int = 0
    """Decides the initial weights, which blocks are held out, their order and what is masked."""

    def __post_init__(self) -> None:
        check_range(self, "mask", above=0, below=1)
        check_range(self, "causal", "validation", least=0, below=1)
        if not self.start and not self.tokenizer:
            check_range(self, "vocabulary", least=_SMALLEST)
        check_range(self, "block", least=4)
        if not self.start and self.block > self.encoder.positions:
            raise UsageError(
                f"block is {self.block}, and the encoder reads encoder.positions "
                f"({self.encoder.positions}) sub-words at most"
            )
        if not self.start and (self.dropout, self.attention_dropout) != (None, None):
            raise UsageError("dropout is for a model that is gone on from (start); a new one has encoder.dropout")
        if self.tokenizer and self.start:
            raise UsageError("a model that is gone on from (start) has its own vocabulary; leave tokenizer out")
        if self.causal and not self.start and self.encoder.architecture != "ltg-bert":
            raise UsageError("causal is for ltg-bert; set encoder.architecture")
        if self.keep_every < 0 or any(step < 0 for step in self.keep_at):
            raise UsageError("keep_at and keep_every count updates; give 0 or more")


def updates_of(epochs: float, items: int, per_update: int) -> int:
    """How many updates so many passes over the items have."""
    return max(1, math.ceil(epochs * items / per_update))
