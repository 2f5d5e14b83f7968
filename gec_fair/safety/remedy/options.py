"""What `gec-fair safety train` does: data, model, remedy, search, sweeps. Imports no scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from gec_fair.config.options import check_range
from gec_fair.errors import UsageError
from gec_fair.safety.auditing.bootstrap import RESAMPLES
from gec_fair.safety.ensemble.model import EnsembleOptions
from gec_fair.safety.remedy.reweighting import Reweighting
from gec_fair.stats.seeds import list_seeds


@dataclass(frozen=True, slots=True)
class Search:
    """Hyperparameters harm by harm, on validation data: those of the smallest normalised ACV. ACV itself also shrinks
    when a model grows timid. λ of unsafe texts keeps their share of the weight: ACV and AU-PRC do not mind a model that
    takes more texts for unsafe, but whoever has a threshold does."""

    trials: int = 0
    """By Optuna; 0 compares balance alone and a few β if no β is given, and nothing else."""
    loss: float = 2.0
    """AU-PRC that may be lost on the original validation texts, percent of the baseline's: the paper lost 1.8. Where
    balance alone loses more already, the bound is as much below it."""
    beta: float = 10.0
    """The largest β that is tried."""
    strength: float = 2.0
    """The largest λ of safe texts that is tried."""

    def __post_init__(self) -> None:
        if self.trials < 0 or self.loss < 0 or not self.beta > 0 or not self.strength > 0:
            raise UsageError("trials and loss are 0 or more, beta and strength more than 0")


@dataclass(frozen=True, slots=True)
class Sweeps:
    """One hyperparameter after the other, the others as they are (Tables 7 and 8); () sweeps none."""

    lambda_safe: tuple[float, ...] = ()
    lambda_unsafe: tuple[float, ...] = ()
    beta_safe: tuple[float, ...] = ()
    beta_unsafe: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for setting in fields(self):
            for value in getattr(self, setting.name):
                Reweighting(**{setting.name: value})


@dataclass(frozen=True, slots=True)
class SafetyTraining:
    """UsageError for values that cannot be meant."""

    train: tuple[str, ...] = ()
    """Tables of scored texts and their counterfactuals (`gec-fair safety counterfactuals`, `scores`)."""
    validation: tuple[str, ...] = ()
    """What slices' losses are measured on, and hyperparameters chosen by."""
    test: tuple[str, ...] = ()
    harms: tuple[str, ...] = ()
    """Columns of labels."""
    sources: tuple[str, ...] = ()
    """Columns of source scores; () takes every column that has no other meaning."""
    labels: tuple[str, ...] = ()
    """Columns of other labels, which are no sources."""
    texts: tuple[str, ...] = ()
    """Tables of texts (id, text): the report shows those that changed most, behind a click; --show-text tells them."""
    groups: str = ""
    """A table of identity categories and subgroups of your own; "" is the paper's Table 2."""
    ensemble: EnsembleOptions = field(default_factory=EnsembleOptions)
    balance: bool = True
    """Counterfactual balance before reweighting."""
    reweighting: Reweighting = field(default_factory=Reweighting)
    """For every harm without its own value."""
    reweighting_of: Mapping[str, Reweighting] = field(default_factory=dict)
    """By harm."""
    rounds: int = 3
    """Rounds of reweighting, each by the losses of the model before it; 0 balances alone; the paper has 1."""
    draws: Literal["expected", "sampled"] = "expected"
    """Points drawn, as in the paper, or what draws amount to on average: the same without their noise."""
    number: int = 0
    """N, points that are drawn; 0 is the size of the balanced training data (the paper does not tell)."""
    search: Search = field(default_factory=Search)
    sweeps: Sweeps = field(default_factory=Sweeps)
    seeds: int | tuple[int, ...] = 3
    """How many, counted from 0, or which."""
    threshold: float = 0.5
    """For flip rates, FPR and TPR; nothing else has one."""
    resamples: int = RESAMPLES
    """Resamples of counterfactual sets, for intervals."""

    def __post_init__(self) -> None:
        if not self.harms or len(set(self.harms)) < len(self.harms):
            raise UsageError("harms names none, or one twice; name the columns of labels")
        if unknown := [harm for harm in self.reweighting_of if harm not in self.harms]:
            raise UsageError(f"reweighting_of is for {unknown[0]!r}, which is none of harms ({', '.join(self.harms)})")
        check_range(self, "rounds", "number", least=0)
        check_range(self, "resamples", least=1)
        check_range(self, "threshold", least=0, most=1)
        list_seeds(self.seeds)  # seeds that cannot be meant are an error now
