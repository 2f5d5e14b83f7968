"""GPT-BERT's objective (Charpentier & Samuel 2024): some blocks are read from left to right and every next sub-word is
guessed, the others have hidden sub-words; in both, what stands at a place is scored at the one before it.

Each objective's loss is a mean over its own places, and counts by its share of the blocks, so that the many places of
the causal blocks do not drown the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from gec_fair.trainer.pretraining.masked import IGNORED, MaskedBatches

_DRAW = 1  # beside the draw of what is hidden


class HybridBatches:
    """The batches of `masked`, except for a `share` of the blocks, drawn by seed and block; with `attention_mask`
    (batch, queries, keys) and the `weights` of the places in the loss, which add up to 1."""

    def __init__(self, masked: MaskedBatches, share: float) -> None:
        self.masked, self.share = masked, share

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
        """A batch of blocks, each masked or for next-word prediction, as it was drawn."""
        causal = np.array([self._is_causal(int(row["draw"])) for row in rows])
        blocks = [
            self.masked.unmasked(row["input_ids"].numpy())
            if is_causal
            else self.masked.block(row["input_ids"].numpy(), int(row["draw"]))
            for row, is_causal in zip(rows, causal, strict=True)
        ]
        ids, targets = (np.stack(part) for part in zip(*blocks, strict=True))
        labels = np.concatenate([targets[:, 1:], np.full((len(targets), 1), IGNORED)], axis=1)
        guessed = labels != IGNORED
        weights = np.zeros(labels.shape, dtype=np.float32)
        for blocks_of_kind in (causal, ~causal):
            weights[blocks_of_kind] = (
                guessed[blocks_of_kind] * blocks_of_kind.mean() / max(1, guessed[blocks_of_kind].sum())
            )
        size = labels.shape[1]
        backwards = np.tril(np.ones((size, size), dtype=bool))
        mask = np.where(causal[:, None, None], backwards, True)
        arrays = {"input_ids": ids, "labels": labels, "attention_mask": mask, "weights": weights}
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def _is_causal(self, draw: int) -> bool:
        return bool(np.random.Generator(np.random.PCG64([self.masked.seed, draw, _DRAW])).random() < self.share)
