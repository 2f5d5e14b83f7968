"""Every choice of a GECToR, its training and its predictions; imports no torch.

Defaults are those of Lund et al. 2023, appendix C, unless said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from gec_fair.config.options import Option, check_range
from gec_fair.errors import UsageError
from gec_fair.trainer.options import TrainingOptions


@dataclass(frozen=True, slots=True)
class InputOptions:
    """How words become the rows that the encoder reads."""

    max_words: int = 50
    """The longest sentence, in words, `$START` among them when training, as in the original. Training cuts longer ones
    there; prediction passes them through, or corrects their beginning. (Appendix C prints 5, which would leave four
    words: 50 is the original code's default and what its documentation says.)"""
    max_pieces: int = 5
    """Sub-words of a word that are read; the rest of a longer word is not."""
    start_token: bool = True
    """`$START` has its own row (the original's special_tokens_fix = 1); else it is cut into sub-words."""

    def __post_init__(self) -> None:
        check_range(self, "max_words", least=2)
        check_range(self, "max_pieces", least=1)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How tags are chosen and applied (Omelianchuk et al. 2020, §5)."""

    iterations: int = 5
    """Rounds at most."""
    min_error_probability: float = 0.5
    """A sentence without a word that is so likely wrong is left alone; so is an edit that is less likely."""
    confidence: float = 0.2
    """Added to the probability of `$KEEP`."""
    delete_confidence: float = 0.0
    """Added to the probability of `$DELETE`."""
    min_words: int = 3
    """Shorter texts are left alone."""
    long: Literal["unchanged", "beginning"] = "unchanged"
    """A text of more than max_words: passed through, or corrected in its first max_words as the original does."""

    def __post_init__(self) -> None:
        check_range(self, "iterations", least=1)
        check_range(self, "confidence", "delete_confidence")
        check_range(self, "min_error_probability", least=0, most=1)


@dataclass(frozen=True, slots=True)
class GectorTraining:
    """One fine-tuning of a GECToR, or the training of a new one.

    The seed decides the order of the data, dropout, which sentences tp_prob and tn_prob keep, and, for a new model,
    the initial heads; nothing else is drawn.
    """

    job: ClassVar[str] = "gector train"
    files: ClassVar[tuple[str, ...]] = ("train", "dev", "labels", "verbs")
    models: ClassVar[tuple[str, ...]] = ("start",)

    start: Annotated[str, Option("MODEL")]
    """A GECToR of ours (folder or hub name) to go on from, or any encoder of Hugging Face, which gets new heads."""
    training: TrainingOptions
    labels: str = ""
    """A `labels.txt` for a new model; a GECToR brings its own."""
    train: Annotated[str, Option("PAIRS.tsv")] = ""
    """source<TAB>target pairs, tokenised by spaces; plain, .gz, .xz or .zst."""
    dev: Annotated[str, Option("PAIRS.tsv")] = ""
    """Pairs for the validation loss; "" holds out every 50th sentence of the training data, by its hash. An augmented
    twin hashes apart from its original, so that one may train while the other validates: name a file where the loss
    must not profit from that."""
    verbs: str = ""
    """A `verb-form-vocab.txt` for a new model; "" takes lemminflect's forms. A GECToR brings its own."""
    input: InputOptions | None = None
    """null: what `start` was trained with, or the defaults for an encoder. A GECToR can be given another max_words and
    max_pieces, and no other start_token."""
    decoding: Decoding | None = None
    """Kept beside the trained model, where prediction finds it (decoding.yaml); null: what was chosen for `start`
    (gec-fair gector predict --tune --save), or the defaults."""
    cold_steps: int = 0
    """Updates at the beginning in which the encoder is frozen and the heads learn at cold_lr."""
    cold_lr: float = 1e-3
    """The heads' learning rate meanwhile."""
    tp_prob: float = 1.0
    """Share of the sentences with errors that are kept: drawn once for the run, by the seed and the pair's text, where
    the original draws anew each time that it comes by a sentence. A sentence counts by what is left of it after
    max_words."""
    tn_prob: float = 1.0
    """Share of the sentences without errors that are kept, drawn likewise."""
    label_smoothing: float = 0.0
    """Probability that is spread over all tags; the detection head is never smoothed."""
    loss_average: Literal["sentence", "word"] = "sentence"
    """`sentence`: the mean of sentences' means, as the original's; `word`: every word of a batch counts alike."""
    dropout: float = -1.0
    """Dropout inside the encoder; −1 leaves what its configuration says."""

    def __post_init__(self) -> None:
        check_range(self, "tp_prob", "tn_prob", least=0, most=1)
        check_range(self, "label_smoothing", least=0, below=1)
        check_range(self, "cold_steps", "cold_lr", least=0)
        if not self.tp_prob and not self.tn_prob:
            raise UsageError("tp_prob and tn_prob are 0, so no sentence is left; set one of them")
        if self.dropout != -1:
            check_range(self, "dropout", least=0, below=1)
