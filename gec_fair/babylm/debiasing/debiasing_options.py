"""Every choice of the debiasing loss (`debiasing_loss`); imports no torch."""

from __future__ import annotations

from dataclasses import dataclass, field

from gec_fair.errors import UsageError


@dataclass(frozen=True, slots=True)
class LossWeights:
    """Park et al.'s are 1 and 0.5."""

    neutral: float = 1.0
    """The weight of stereotype neutralisation."""
    elastic: float = 0.5
    """The weight of elastic weight consolidation."""


@dataclass(frozen=True, slots=True)
class LossTraining:
    """Its data and rates. BERT's are Park et al.'s, 50 passes at 2e-5; the BabyLM authors took 4 passes at 4e-5 for
    LTG-BERT and 6 at 2e-5 for LTG-Baseline."""

    texts: tuple[str, ...] = ()
    """WinoBias' files, stereotyped and anti-stereotyped. `$GEC_FAIR_DATA` is filled in."""
    weights: LossWeights = field(default_factory=LossWeights)
    epochs: float = 4.0
    batch: int = 6
    learning_rate: float = 4e-5

    def __post_init__(self) -> None:
        if self.epochs <= 0 or self.batch < 1 or self.learning_rate <= 0:
            raise UsageError("epochs, batch and learning_rate are more than 0")
