"""An experiment of the sandbox, read from YAML: corpora × seeds, pretrained, looked at while they learn. Imports no
torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gec_fair.babylm.corpora.build import ORIGINAL, Intervention, Original
from gec_fair.babylm.corpora.cda import Cda, CdaAblation
from gec_fair.babylm.corpora.perturbation import Perturbation
from gec_fair.babylm.corpora.toxicity import Detoxify, DropClean, DropToxic
from gec_fair.config.options import check_range
from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.stats.seeds import list_seeds
from gec_fair.trainer.options import PretrainOptions

KNOWN: Mapping[str, str] = {
    kind.name: kind.name.replace("-", "_") for kind in (Cda, CdaAblation, Perturbation, DropToxic, DropClean, Detoxify)
}
"""Corpora by name, and the field that has their options."""


@dataclass(frozen=True, slots=True)
class BabyExperiment:
    """What `gec-fair babylm experiment` does. UsageError for values that cannot be meant."""

    texts: tuple[str, ...]
    """The original corpus: text files, plain, .gz, .xz or .zst. `$GEC_FAIR_DATA` is filled in."""
    pretrain: PretrainOptions
    """The settings of every model, without `texts`, `tokenizer`, `seed`, `suites` and `training.patience`: all have the
    vocabulary of the original corpus."""
    share: float = 1.0
    """The share of the texts' documents that the original corpus has, drawn by seed 0; an empty line ends a
    document."""
    wrapped: bool = False
    """The texts' lines are wrapped: those up to an empty one are one paragraph."""
    corpora: tuple[str, ...] = (ORIGINAL, Cda.name, CdaAblation.name, Perturbation.name)
    """What is pretrained on; the first is what the others are compared with."""
    cda: Cda = field(default_factory=Cda)
    cda_ablation: CdaAblation = field(default_factory=CdaAblation)
    perturbed: Perturbation = field(default_factory=Perturbation)
    no_toxic: DropToxic = field(default_factory=DropToxic)
    no_toxic_ablation: DropClean = field(default_factory=DropClean)
    detoxified: Detoxify = field(default_factory=Detoxify)
    seeds: int | tuple[int, ...] = 3
    """How many, counted from 0, or which."""
    suites: tuple[str, ...] = ("crows", "stereoset", "blimp_fast_babylm", "blimp_supplement_fast")
    """Names of `gec-fair lmbias`, or folders of minimal pairs (EWoK)."""
    size: Literal["quick", "full"] = "full"
    """How many items the suites have."""
    sample: int = 0
    """Items of each suite; 0 takes what `size` says."""
    keep_models: bool = True
    """False removes the models of the looks when they are judged, all but the best one of each training."""

    def __post_init__(self) -> None:
        known = (ORIGINAL, *KNOWN)
        for name in self.corpora:
            if name not in known:
                raise UsageError(f"corpora names {name!r}{closest(name, known)}; there are {', '.join(known)}")
        if not self.corpora or len(set(self.corpora)) < len(self.corpora):
            raise UsageError("corpora names none, or one twice")
        fixed = [name for name in ("texts", "tokenizer", "seed", "suites") if getattr(self.pretrain, name)]
        if fixed:
            raise UsageError(f"pretrain.{fixed[0]} is what the experiment gives every model; remove it")
        if self.pretrain.training.patience:
            raise UsageError(
                "pretrain.training.patience stops early, and models are compared at equal updates; leave it out"
            )
        check_range(self, "share", above=0, most=1)
        list_seeds(self.seeds)  # seeds that cannot be meant are an error now

    @property
    def original(self) -> Original:
        """The options of the original corpus."""
        return Original(self.texts, self.share, wrapped=self.wrapped)

    def interventions(self) -> list[Intervention]:
        """Those that are asked for, each after what it needs."""
        interventions: dict[str, Intervention] = {}
        for name in self.corpora:
            self._add(name, interventions)
        return list(interventions.values())

    def _add(self, name: str, interventions: dict[str, Intervention]) -> None:
        if name == ORIGINAL or name in interventions:
            return
        intervention: Intervention = getattr(self, KNOWN[name])
        for needed in intervention.needs:
            self._add(needed, interventions)
        interventions[name] = intervention
