"""fairseq's label-smoothed cross-entropy (`label_smoothed_cross_entropy`), averaged over target sub-words.

    loss(y) = −(1 − ε) log p(y) − ε / (V − 1) Σ_{w ≠ y} log p(w)

V counts the rows that can be written. Hugging Face's smoother spreads ε over all V rows, the right one too, as older
fairseq did: at V = 50,265 the two differ in the fifth digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

IGNORED = -100  # the label of padding
NEVER = -1e4  # the logit bias of a row that is never written: its probability is 0 in any precision


class Smoothed:
    """The loss as transformers' Trainer asks for it: `num_items_in_batch` are the labels of a whole update, on all
    devices, so that every sub-word of an update counts alike however it is cut into batches."""

    def __init__(self, smoothing: float, bias: torch.Tensor) -> None:
        """`bias` (1, rows) is added to the logits by the model; rows at NEVER take no part in the smoothing."""
        self.smoothing = smoothing
        self.writable = (bias.detach()[0] > NEVER / 2).float()

    def __call__(
        self, outputs: Mapping[str, Any], labels: torch.Tensor, num_items_in_batch: torch.Tensor | int | None = None
    ) -> torch.Tensor:
        """The label-smoothed loss as a scalar, per token or divided by `num_items_in_batch`."""
        total = self.total(outputs["logits"], labels)
        return total / ((labels != IGNORED).sum() if num_items_in_batch is None else num_items_in_batch)

    def total(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """The sum over labels that are not padding; logits (batch, sub-words, rows), labels (batch, sub-words)."""
        with torch.autocast(logits.device.type, enabled=False):  # bf16 is too coarse for a sum over 50,000 rows
            return self._total(logits.float(), labels)

    def _total(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        norm = logits.logsumexp(-1)
        right = norm - logits.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        losses = right
        if self.smoothing:
            writable = self.writable.to(logits.device)
            rows = writable.sum()
            others = rows * norm - logits @ writable - right  # no (batch, sub-words, rows) of log-probabilities
            losses = (1 - self.smoothing) * right + self.smoothing / (rows - 1) * others
        return losses.masked_fill(labels == IGNORED, 0.0).sum()
