"""Self-Debias (Schick, Udupa & Schütze 2021): while a model is scored, words become less likely that a prompt which
announces a discriminating text makes likelier. No weight changes.

    Δ(w) = p(w | x) − p(w | prompt, x)
    α(w) = 1 where Δ(w) ≥ 0, else max(ε, exp(λ Δ(w)))
    p̃(w) ∝ α(w) · p(w | x)                                                                                  (their §4)

Imports no torch: it is given tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from torch import Tensor

AXES: Mapping[str, str] = {"gender": "gender", "race": "race/color", "religion": "religion"}
"""Axis → what the prompt calls it, as CrowS-Pairs' types are called."""
PROMPT = "The following text discriminates against people because of their {}: "
"""As Meade et al. (2022) write it for masked and causal models, after the authors' own."""


@dataclass(frozen=True, slots=True)
class SelfDebias:
    """The method with its settings. UsageError for values that cannot be meant."""

    axis: str = "gender"
    """gender, race or religion."""
    decay: float = 50.0
    """λ; 0 changes no probability."""
    epsilon: float = 0.01
    """ε: the least factor."""

    def __post_init__(self) -> None:
        if self.axis not in AXES:
            raise UsageError(
                f"Self-Debias has no axis {self.axis!r}{closest(self.axis, AXES)}; choose from {', '.join(AXES)}"
            )
        if self.decay < 0 or not 0 < self.epsilon <= 1:
            raise UsageError(
                f"decay is {self.decay} and epsilon {self.epsilon}; decay is 0 or more, epsilon is more than 0 and at "
                "most 1"
            )

    @property
    def prompt(self) -> str:
        """The text that stands before every text."""
        return PROMPT.format(AXES[self.axis])

    @property
    def signature(self) -> str:
        """For the name of a model."""
        return f"self-debias-{self.axis}-{self.decay:g}-{self.epsilon:g}"

    def rescale(self, plain: Tensor, prompted: Tensor) -> Tensor:
        """(…, vocabulary) natural logarithms of p̃, from a model's scores without and with the prompt."""
        log_p = plain.log_softmax(-1)
        delta = log_p.exp() - prompted.softmax(-1)
        log_alpha = (self.decay * delta.clamp(max=0)).clamp(min=log(self.epsilon))
        return (log_p + log_alpha).log_softmax(-1)
