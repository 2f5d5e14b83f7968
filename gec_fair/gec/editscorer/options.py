"""Every choice of an EditScorer: its candidates, its training, its decoding; imports no torch.

Defaults are those of Sorokin 2022 and the code beside it, unless said; what is not said of training is where it starts
from (RankerTraining.start). Logarithms are natural.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from gec_fair.config.options import Option, check_range
from gec_fair.config.settings import read_settings
from gec_fair.errors import UsageError
from gec_fair.trainer.options import TrainingOptions

SETUP = "editscorer.yaml"


@dataclass(frozen=True, slots=True)
class CandidateOptions:
    """Which edits a GECToR proposes for a sentence: its likeliest tags one by one, and its own corrections."""

    threshold: float = -3.0
    """Lowest log p(tag) − log p($KEEP) of a proposed tag …"""
    least: int = 3
    """… but so many tags are looked at in any case,"""
    most: int = 20
    """and never more than these."""
    per_span: int = 3
    """Edits of one span."""
    iterations: int = 3
    """Rounds in which GECToR corrects the sentence; what it has become is candidates too, joined where they touch."""
    min_error_probability: float = 0.5
    """The decoding of these corrections, as in `gec-fair gector predict`."""
    confidence: float = 0.0
    """The same."""

    def __post_init__(self) -> None:
        if not 0 <= self.least <= self.most or self.per_span < 1 or self.iterations < 0:
            raise UsageError("least, most and per_span want 0 <= least <= most and 1 <= per_span; iterations 0 or more")


@dataclass(frozen=True, slots=True)
class Decoding:
    """How scored candidates become a correction. An edit's score is log p + alpha × ratio."""

    mode: Annotated[Literal["stagewise", "simultaneous"], Option(flags="--stages")] = "stagewise"
    """`stagewise`: the best edit, then all others scored anew on the new text; `simultaneous`: scored once."""
    rounds: int = 8
    """stagewise: how often; one edit is applied a round."""
    threshold: float = 0.8
    """T: an edit needs a score of log T + alpha, and a higher one than doing nothing has."""
    alpha: float = 0.1
    """Weight of the generator's log ratio. Candidates without one are judged by log p and log T alone."""
    edits: int = 8
    """simultaneous: most edits of a sentence."""
    ratio_cap: float = 5.0
    """simultaneous: a higher ratio counts as this one."""
    max_pieces: int = 512
    """Sub-words of the longest pair of a sentence; if one is longer (or the encoder has fewer positions), the
    sentence passes through unchanged."""
    tokens: int = 4000
    """Sub-words in a batch, padding among them; changes no result."""

    def __post_init__(self) -> None:
        check_range(self, "threshold", above=0)  # its logarithm is taken
        check_range(self, "alpha")
        check_range(self, "rounds", "edits", "tokens", least=1)
        check_range(self, "max_pieces", least=4)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a folder holds beside the weights (`editscorer.yaml`): who proposes, and how is decided."""

    generator: str = ""
    """A GECToR: a folder (from the EditScorer's own folder or from here), or a hub name."""
    candidates: CandidateOptions = field(default_factory=CandidateOptions)
    decoding: Decoding = field(default_factory=Decoding)

    @classmethod
    def read(cls, path: Path | None) -> Setup:
        """That of a file; the defaults where there is none. InputError for a file that cannot be read as one."""
        return read_settings(path, cls) if path is not None and path.is_file() else cls()

    def generator_of(self, scorer: str | Path) -> str:
        """Where the generator lies that the EditScorer `scorer` names here: from its own folder if there is one, else
        as it is named; "" if it names none."""
        inside = Path(scorer) / self.generator
        return str(inside) if self.generator and inside.exists() else self.generator


def _training() -> TrainingOptions:
    return TrainingOptions(steps=10_000_000, batch=1, learning_rate=1e-5, weight_decay=0.01, adam_epsilon=1e-6)


@dataclass(frozen=True, slots=True)
class RankerTraining:
    """One training of the ranker.

    The seed decides which sentences share a batch, the order of batches, dropout and, for a new model, the initial
    head; nothing else is drawn.
    """

    job: ClassVar[str] = "editscorer train"
    files: ClassVar[tuple[str, ...]] = ("train", "dev", "lists", "dev_lists")
    models: ClassVar[tuple[str, ...]] = ("start", "generator")

    start: Annotated[str, Option("MODEL")]
    """An EditScorer (folder or hub name) to continue from, or any encoder of Hugging Face, which gets a head. The
    paper continues: its models for W&I were trained on synthetic data or on cLang-8 before."""
    training: TrainingOptions = field(default_factory=_training)
    """`steps` is an upper limit here (see epochs); `batch` must be 1 (see tokens)."""
    train: Annotated[str, Option("FILE")] = ""
    """source<TAB>target pairs (plain, .gz, .xz, .zst), or an M2 file, of which the first annotator counts."""
    dev: Annotated[str, Option("FILE")] = ""
    """The same for the validation loss; "" holds out every 50th sentence of the training data, by its hash: an
    augmented twin has another hash than its original, so with such data a file is the better measure."""
    generator: Annotated[str, Option("GECTOR")] = ""
    """The GECToR that proposes; "" takes that of `start`."""
    lists: tuple[str, ...] = ()
    """Candidates from files instead: hypotheses line by line with `train`, or M2 files about the same sentences."""
    dev_lists: tuple[str, ...] = ()
    """The same for `dev`."""
    epochs: float = 3.0
    """Passes over the data; training.steps ends them earlier."""
    tokens: int = 3500
    """Sub-words in a batch at most, padding among them; the authors fill one until it has as many or more. A sentence
    is in one batch with all its pairs, even a larger one."""
    max_pieces: int = 200
    """Sentences with a longer pair, in sub-words, are left out and counted."""
    alpha_pos: float = 1.0
    """α of the loss: (α × mean over right edits + mean over wrong ones) / (α + 1)."""
    mlp_hidden: int = 768
    """Width of the layer between encoder and score, of a new model."""
    padding_attended: bool = False
    """A new model reads its padding, as the authors' do; one to go on from does as it did."""
    add_gold: bool = False
    """Gold edits that were not proposed train as right candidates too."""
    dropout: float | None = None
    """Dropout inside the encoder; null leaves what its configuration says."""
    candidates: CandidateOptions = field(default_factory=CandidateOptions)
    decoding: Decoding = field(default_factory=Decoding)
    """Kept beside the model, for prediction."""

    def resolve(self) -> RankerTraining:
        """With the generator that the folder `start` names, where nothing else proposes."""
        is_implicit = not self.generator and not self.lists and Path(self.start).is_dir()
        named = Setup.read(Path(self.start) / SETUP).generator_of(self.start) if is_implicit else ""
        return replace(self, generator=named) if named else self

    def __post_init__(self) -> None:
        if self.training.batch != 1:
            raise UsageError("training.batch must be 1: tokens says how large a batch is")
        check_range(self, "epochs", above=0)
        check_range(self, "tokens", "mlp_hidden", least=1)
        check_range(self, "max_pieces", least=4)
        if self.dev and bool(self.lists) != bool(self.dev_lists):
            raise UsageError("lists are about train and dev_lists about dev; give both or neither")
        check_range(self, "alpha_pos", least=0)
        check_range(self, "dropout", least=0, below=1)
