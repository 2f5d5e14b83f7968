"""Log probabilities of candidates, many sentences at a time: all pairs together, longest first, in batches of like
length. Padding is masked, so a score does not depend on what else is in its batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.gec.editscorer.checkpoint import Scorer
from gec_fair.gec.editscorer.decode import ScoreRequest
from gec_fair.models.batching import by_length
from gec_fair.models.inference import choose_device


class Scoring:
    """A scorer with its device. `pairs` counts what went through the encoder."""

    def __init__(self, scorer: Scorer, *, max_pieces: int = 512, tokens: int = 4000, device: str | None = None) -> None:
        self.device = choose_device(device)
        self.model = scorer.model.to(self.device).eval()
        self.reader = scorer.reader
        self.limit = min(max_pieces, scorer.model.config.positions)
        self.tokens = tokens
        self.pairs = 0

    def __call__(self, requests: Sequence[ScoreRequest]) -> list[NDArray[np.float64] | None]:
        """For each sentence with edits: log p of doing nothing, then of each edit. None where a pair is too long."""
        cut = [self.reader.pairs(words, edits) for words, edits in requests]
        fits = [max(len(pair.ids) for pair in pairs) <= self.limit for pairs in cut]
        flat = [pair for pairs, fit in zip(cut, fits, strict=True) if fit for pair in pairs]
        scores = np.empty(len(flat))
        for rows in by_length([pair.width for pair in flat], self.tokens):
            scores[rows] = self._read(self.reader.batch([flat[row] for row in rows]))
        self.pairs += len(flat)
        parts = iter(np.split(scores, np.cumsum([len(pairs) for pairs, fit in zip(cut, fits, strict=True) if fit])))
        return [next(parts) if fit else None for fit in fits]

    @torch.inference_mode()
    def _read(self, inputs: dict[str, torch.Tensor]) -> NDArray[np.float64]:
        scores = self.model(**{name: values.to(self.device) for name, values in inputs.items()}).scores
        log_probabilities: NDArray[np.float64] = torch.nn.functional.logsigmoid(scores.double()).cpu().numpy()
        return log_probabilities
