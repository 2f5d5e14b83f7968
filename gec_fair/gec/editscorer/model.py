"""An encoder and a small head over one sub-word of a pair (Sorokin 2022, §3).

pair ─ encoder ─▶ (pairs, sub-words, hidden) ─ the judged sub-word ─▶ (pairs, hidden) ─ linear, ReLU, linear ─▶ (pairs)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModel
from transformers.utils import ModelOutput

from gec_fair.models.heads import OverEncoder, OverEncoderConfig


class RankerConfig(OverEncoderConfig):
    """What a ranker is: its encoder's configuration, its head, its loss, and how its pairs are padded."""

    model_type = "gec-fair-editscorer"

    def __init__(
        self,
        encoder: Any = None,
        mlp_hidden: int = 768,
        alpha_pos: float = 1.0,
        padding_attended: bool = False,
        **more: Any,
    ) -> None:
        """`padding_attended`: padding, of zeros, is read like words up to the longest pair of a sentence. The authors'
        models learned so, and say other things without."""
        self.mlp_hidden = mlp_hidden
        self.alpha_pos = alpha_pos
        self.padding_attended = padding_attended
        super().__init__(encoder, **more)


@dataclass
class RankerOutput(ModelOutput):
    """`scores` (pairs) before the sigmoid; `loss` if there were labels."""

    loss: torch.Tensor | None = None
    scores: torch.Tensor | None = None


class Ranker(OverEncoder):
    """How likely an edit is right, over any Hugging Face encoder."""

    config_class = RankerConfig

    def __init__(self, config: RankerConfig) -> None:
        super().__init__(config)
        self.mlp = nn.Linear(config.encoder.hidden_size, config.mlp_hidden)
        self.projection = nn.Linear(config.mlp_hidden, 1)
        self.post_init()

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        places: torch.Tensor,
        labels: torch.Tensor | None = None,
    ) -> RankerOutput:
        """`input_ids`, `attention_mask` (pairs, sub-words); `places` (pairs) the judged sub-words; `labels` (pairs) 1
        for right, 0 for wrong."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        judged = states[torch.arange(len(places), device=states.device), places]  # (pairs, hidden)
        scores = self.projection(torch.relu(self.mlp(judged))).squeeze(-1)
        loss = None if labels is None else loss_by_class(scores.float(), labels.float(), self.config.alpha_pos)
        return RankerOutput(loss=loss, scores=scores)


def loss_by_class(scores: torch.Tensor, labels: torch.Tensor, alpha: float) -> torch.Tensor:
    """(α × mean cross entropy of right pairs + mean of wrong ones) / (α + 1); the mean of none is 0."""
    losses = nn.functional.binary_cross_entropy_with_logits(scores, labels, reduction="none")
    right = (losses * labels).sum() / labels.sum().clamp(min=1)
    wrong = (losses * (1 - labels)).sum() / (1 - labels).sum().clamp(min=1)
    return (alpha * right + wrong) / (alpha + 1)


AutoConfig.register(RankerConfig.model_type, RankerConfig, exist_ok=True)
AutoModel.register(RankerConfig, Ranker)
