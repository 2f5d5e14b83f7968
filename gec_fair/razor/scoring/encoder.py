"""A sentence encoder: the mean of its last states, over a text's sub-words (the paper's ablation, figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.models.locate import digest_of, encoder_of, positions_of, tokenizer_of

TOKENS = 8192
"""Sub-words in a batch."""
LONGEST = 512
"""Sub-words of a text that are read (§4)."""


class Sentences:
    """`version` names the weights and the tokenizer. A text's state is remembered: most of a data set is the same in
    the next pass. Raises what `models.locate.encoder_of` does."""

    def __init__(self, name: str) -> None:
        model = encoder_of(name, dropout=None)
        self.tokenizer = tokenizer_of(name)
        self.version = digest_of(model, self.tokenizer)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device).eval()
        self.longest = min(LONGEST, self.tokenizer.model_max_length, positions_of(model.config))
        self._known: dict[str, NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(texts, width)."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._states(new), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float64)

    @torch.inference_mode()
    def _states(self, texts: Sequence[str]) -> NDArray[np.float32]:
        read = self.tokenizer(list(texts), truncation=True, max_length=self.longest)["input_ids"] if texts else []
        order = sorted(range(len(texts)), key=lambda n: -len(read[n]))
        found = np.zeros((len(texts), self.model.config.hidden_size), dtype=np.float32)
        while order:
            size = max(1, TOKENS // max(len(read[order[0]]), 1))
            some, order = order[:size], order[size:]
            rows = self.tokenizer.pad({"input_ids": [read[n] for n in some]}, return_tensors="pt").to(self.device)
            seen = rows["attention_mask"][..., None].float()
            last = self.model(**rows).last_hidden_state * seen  # (batch, length, width)
            found[some] = (last.sum(1) / seen.sum(1).clamp(min=1)).float().cpu().numpy()
        return found


@cache
def sentences(name: str) -> Sentences:
    """Loaded once."""
    return Sentences(name)
