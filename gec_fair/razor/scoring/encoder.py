"""A sentence encoder: the mean of its last states, over a text's sub-words (the paper's ablation, figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.models.batching import by_length
from gec_fair.models.configuration import positions_of
from gec_fair.models.digest import digest_of
from gec_fair.models.inference import choose_device, pool_states
from gec_fair.models.load import load_encoder
from gec_fair.models.weights import check_rows, load_tokenizer

TOKENS = 8192
"""Sub-words in a batch."""
LONGEST = 512
"""Sub-words of a text that are read (§4)."""


class Sentences:
    """`version` names the weights and the tokenizer. A text's state is remembered: most of a data set is the same in
    the next pass. Raises what `models.load.load_encoder` does."""

    def __init__(self, name: str) -> None:
        model = load_encoder(name, dropout=None)
        self.tokenizer = load_tokenizer(name)
        check_rows(name, model, self.tokenizer)
        self.version = digest_of(model, self.tokenizer)
        self.device = choose_device()
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
        vectors = np.zeros((len(texts), self.model.config.hidden_size), dtype=np.float32)
        for rows in by_length([len(ids) for ids in read], TOKENS):
            inputs = self.tokenizer.pad({"input_ids": [read[n] for n in rows]}, return_tensors="pt").to(self.device)
            states = self.model(**inputs).last_hidden_state  # (batch, length, width)
            vectors[rows] = pool_states(states, mask=inputs["attention_mask"]).float().cpu().numpy()
        return vectors


@cache
def sentences(name: str) -> Sentences:
    """Loaded once."""
    return Sentences(name)
