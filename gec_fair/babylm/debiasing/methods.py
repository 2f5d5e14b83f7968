"""Debiasing a trained model: by training it further (CDA, CDS, dropout, the debiasing loss), by projecting its states
(Sent-Debias, INLP), or while it is scored (Self-Debias). Eight methods are the paper's (§4.2); the others are Meade et
al.'s (2022), for other axes. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gec_fair.babylm.corpora.build import Intervention
from gec_fair.babylm.corpora.cda import Cda, CdaRace, CdaReligion
from gec_fair.babylm.corpora.cds import Cds
from gec_fair.babylm.debiasing.debiasing_options import LossTraining
from gec_fair.config.options import check_range
from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.lmbias.scoring.self_debias import AXES, SelfDebias
from gec_fair.stats.seeds import list_seeds
from gec_fair.trainer.options import TrainingOptions

TITLES: Mapping[str, str] = {
    "sent-debias": "Sent-Debias",
    "inlp-gender": "INLP gender",
    "inlp-race": "INLP race",
    "cda-gender": "CDA gender",
    "cda-race": "CDA race",
    "cds": "CDS",
    "debiasing-loss": "debiasing loss",
    "dropout": "dropout",
    "inlp-religion": "INLP religion",
    "cda-religion": "CDA religion",
    "self-debias-gender": "Self-Debias gender",
    "self-debias-race": "Self-Debias race",
    "self-debias-religion": "Self-Debias religion",
}
"""What tables and figures call the methods, by our names."""
METHODS = tuple(TITLES)
PAPER_METHODS = METHODS[: METHODS.index("dropout") + 1]
"""The eight methods of Table 6."""
PROJECTIONS: Mapping[str, str] = {
    "sent-debias": "gender",
    "inlp-gender": "gender",
    "inlp-race": "race",
    "inlp-religion": "religion",
}
"""Methods that project states, with the axis that they take away."""
SELF_DEBIAS: Mapping[str, str] = {f"self-debias-{axis}": axis for axis in AXES}
"""Methods that make no model, with the axis of their prompt."""
WITHOUT_TEXTS = frozenset(["cds", "debiasing-loss", *SELF_DEBIAS])
"""Methods that bring their own, or need none."""
INTERVENTIONS = ("cda-gender", "cda-race", "cda-religion", "cds")
"""Methods that make the texts that they train on."""
BASE = "base"
"""The model as it is."""


@dataclass(frozen=True, slots=True)
class Dropout:
    """Training on with more dropout (Webster et al. 2020; Meade et al. 2022's values for BERT)."""

    hidden: float = 0.20
    """The dropout of hidden states."""
    attention: float = 0.15
    """The dropout of attention probabilities."""

    def __post_init__(self) -> None:
        check_range(self, "hidden", "attention", least=0, below=1)


@dataclass(frozen=True, slots=True)
class SentDebias:
    """Sent-Debias (Liang et al. 2020): the direction of gender, projected off the last states."""

    sentences: int = 20_000
    """With a gendered word, drawn by seed; 0 is all."""

    def __post_init__(self) -> None:
        check_range(self, "sentences", least=0)


@dataclass(frozen=True, slots=True)
class Rescaling:
    """Self-Debias (Schick et al. 2021): how strongly words are made less likely; their values."""

    decay: float = 50.0
    """λ; 0 changes no probability."""
    epsilon: float = 0.01
    """ε: the least factor."""

    def __post_init__(self) -> None:
        _ = self.for_axis("gender")  # a value that cannot be meant is an error now

    def for_axis(self, axis: str) -> SelfDebias:
        """With the prompt of an axis."""
        return SelfDebias(axis, self.decay, self.epsilon)


@dataclass(frozen=True, slots=True)
class Inlp:
    """INLP (Ravfogel et al. 2020) as Meade et al. 2022 ran it."""

    sentences: int = 10_000
    """How many of each kind, drawn by seed."""
    classifiers: int = 80
    """Linear SVMs, one after the other."""
    shortest: int = 5
    """Words of a sentence at least."""

    def __post_init__(self) -> None:
        check_range(self, "sentences", least=10)
        check_range(self, "classifiers", "shortest", least=1)


def _training() -> TrainingOptions:
    return TrainingOptions(steps=2000, batch=16, accumulation=16, learning_rate=5e-5, schedule="linear", clip=1.0)


@dataclass(frozen=True, slots=True)
class DebiasExperiment:
    """What `gec-fair babylm debias` does. UsageError for values that cannot be meant."""

    texts: tuple[str, ...] = ()
    """To train on with: 10 million words of Wikipedia in the paper. `$GEC_FAIR_DATA` is filled in."""
    model: str = ""
    """A masked language model, by folder or hub name; for projections and Self-Debias also a causal one."""
    projection: tuple[str, ...] = ()
    """Text that projections are found in, 2.5 million words in the paper; () is `texts`."""
    methods: tuple[str, ...] = PAPER_METHODS
    """Which; the default is the paper's eight."""
    training: TrainingOptions = field(default_factory=_training)
    """For further training, except with CDS and the debiasing loss: 2,000 updates of 256 sequences are the public
    recipe's."""
    block: int = 512
    """Sub-words in a sequence of training on."""
    mask: float = 0.15
    """Share of sub-words to be guessed."""
    cda_gender: Cda = field(default_factory=Cda)
    cda_race: CdaRace = field(default_factory=CdaRace)
    cda_religion: CdaReligion = field(default_factory=CdaReligion)
    cds: Cds = field(default_factory=Cds)
    dropout: Dropout = field(default_factory=Dropout)
    debiasing_loss: LossTraining = field(default_factory=LossTraining)
    sent_debias: SentDebias = field(default_factory=SentDebias)
    inlp: Inlp = field(default_factory=Inlp)
    self_debias: Rescaling = field(default_factory=Rescaling)
    seeds: int | tuple[int, ...] = 1
    """How many, counted from 0, or which."""
    suites: tuple[str, ...] = ("crows", "stereoset", "blimp_fast_babylm", "blimp_supplement_fast")
    """Names of `gec-fair lmbias`, or folders of minimal pairs (EWoK); () makes the models and judges none."""
    size: Literal["quick", "full"] = "full"
    """How many items the suites have."""
    sample: int = 0
    """Items of each suite; 0 takes what `size` says."""
    keep_models: bool = True
    """False removes a debiased model when it is judged."""

    def __post_init__(self) -> None:
        for name in self.methods:
            if name not in METHODS:
                raise UsageError(f"methods names {name!r}{closest(name, METHODS)}; there are {', '.join(METHODS)}")
        if not self.methods or len(set(self.methods)) < len(self.methods):
            raise UsageError("methods names none, or one twice")
        list_seeds(self.seeds)  # seeds that cannot be meant are an error now
        check_range(self, "mask", above=0, below=1)
        check_range(self, "block", least=4)


def intervention(experiment: DebiasExperiment, method: str) -> Intervention:
    """What makes the texts of one of INTERVENTIONS, with its options."""
    options: Intervention = getattr(experiment, method.replace("-", "_"))
    return options
