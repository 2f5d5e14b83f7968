"""An encoder and two linear heads over the first sub-word of each word (Omelianchuk et al. 2020, §4).

sub-words ─ encoder ─▶ (batch, pieces, hidden) ─ first piece of each word ─▶ (batch, words, hidden) ─┬▶ tags
                                                                                                     └▶ detection
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModel
from transformers.utils import ModelOutput

from gec_fair.models.heads import OverEncoder, OverEncoderConfig

NO_WORD = -100
"""In `starts` and in both labels: a place without a word."""


class GectorConfig(OverEncoderConfig):
    """What a GECToR is: its encoder's configuration, its tags in order, and how it reads words."""

    model_type = "gec-fair-gector"

    def __init__(
        self,
        encoder: Any = None,
        tags: list[str] | None = None,
        detection_rows: int = 2,
        input: dict[str, Any] | None = None,
        label_smoothing: float = 0.0,
        loss_average: str = "sentence",
        **more: Any,
    ) -> None:
        self.tags = tags or []
        self.detection_rows = detection_rows
        self.input = input or {}
        self.label_smoothing = label_smoothing
        self.loss_average = loss_average
        super().__init__(encoder, **more)


@dataclass
class GectorOutput(ModelOutput):
    """Scores before softmax, (batch, words, tags) and (batch, words, detection rows); `loss` if there were labels."""

    loss: torch.Tensor | None = None
    tags: torch.Tensor | None = None
    detection: torch.Tensor | None = None


class Gector(OverEncoder):
    """A tagger over any Hugging Face encoder."""

    config_class = GectorConfig

    def __init__(self, config: GectorConfig) -> None:
        super().__init__(config)
        self.tags_head = nn.Linear(config.encoder.hidden_size, len(config.tags))
        self.detection_head = nn.Linear(config.encoder.hidden_size, config.detection_rows)
        self.post_init()

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        starts: torch.Tensor,
        labels: torch.Tensor | None = None,
        detection: torch.Tensor | None = None,
    ) -> GectorOutput:
        """`input_ids`, `attention_mask` (batch, pieces); `starts` (batch, words): the place of each word's first
        piece, NO_WORD beyond the last word; `labels`, `detection` (batch, words) with NO_WORD there too."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        places = starts.clamp(min=0).unsqueeze(-1).expand(-1, -1, states.shape[-1])
        words = states.gather(1, places)  # (batch, words, hidden)
        tags, wrong = self.tags_head(words), self.detection_head(words)
        loss = None
        if labels is not None and detection is not None:
            loss = self._loss(tags, labels, self.config.label_smoothing) + self._loss(wrong, detection, 0.0)
        return GectorOutput(loss=loss, tags=tags, detection=wrong)

    def _loss(self, scores: torch.Tensor, labels: torch.Tensor, smoothing: float) -> torch.Tensor:
        """Cross entropy: the mean over sentences of the mean over their words, or the mean over the words."""
        losses = nn.functional.cross_entropy(
            scores.float().flatten(0, 1),
            labels.flatten(),
            ignore_index=NO_WORD,
            label_smoothing=smoothing,
            reduction="none",
        ).view(labels.shape)
        real = (labels != NO_WORD).float()
        if self.config.loss_average == "word":
            return (losses * real).sum() / real.sum().clamp(min=1)
        sentences = (losses * real).sum(1) / real.sum(1).clamp(min=1e-13)
        return sentences.sum() / (real.sum(1) > 0).float().sum().clamp(min=1)


AutoConfig.register(GectorConfig.model_type, GectorConfig, exist_ok=True)
AutoModel.register(GectorConfig, Gector)
