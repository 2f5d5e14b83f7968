"""What is chosen of a model: the shape of a new encoder, and how precisely it computes. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gec_fair.config.options import check_range
from gec_fair.errors import UsageError

Precision = Literal["fp32", "bf16", "auto"]


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """The shape of a new encoder: ModernBERT's (Warner et al. 2024), pre-norm, rotary positions, every layer global;
    RoBERTa's (Liu et al. 2019); LTG-BERT's (Samuel et al. 2023), norms everywhere, logarithmic distances.

    Post-norm encoders such as RoBERTa want a long warm-up; the others learn at 1e-3 from the start.
    """

    architecture: Literal["modernbert", "roberta", "ltg-bert"] = "modernbert"
    """Whose layers it has."""
    hidden: int = 256
    """Width of a sub-word's state."""
    layers: int = 7
    """Layers of attention, each with a feed-forward layer."""
    heads: int = 4
    """The heads of each attention."""
    intermediate: int = 512
    """Width of the feed-forward layers."""
    positions: int = 512
    """The longest text that it will read, in sub-words."""
    dropout: float = 0.0
    """Everywhere in it."""
    sinusoids: float = 0.0
    """RoBERTa's position rows begin as sinusoids (Vaswani et al. 2017, §3.5) so high, and are trained from there; at 0
    they begin as noise. A small encoder that sees little text learns word order from it sooner."""

    def __post_init__(self) -> None:
        check_range(self, "hidden", "layers", "heads", "intermediate", "positions", least=1)
        check_range(self, "dropout", least=0, below=1)
        if self.hidden % self.heads:
            raise UsageError(f"hidden ({self.hidden}) is not a multiple of heads ({self.heads})")
        if self.sinusoids and self.architecture != "roberta":
            raise UsageError(f"sinusoids are for roberta; {self.architecture} has no position rows")
