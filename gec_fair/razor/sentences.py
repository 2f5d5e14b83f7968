"""A sentence encoder: the mean of its last states, over a text's sub-words (the paper's ablation, figure 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.pretrain.hub import encoder_of, positions_of, tokenizer_of

TOKENS = 8192
"""Sub-words in a batch."""
LONGEST = 512
"""Sub-words of a text that are read (§4)."""


def states(name: str) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Answers (texts, width). Raises what `pretrain.hub.encoder_of` does."""
    model = encoder_of(name, dropout=None)
    tokenizer = tokenizer_of(name)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = model.to(device).eval()
    longest = min(LONGEST, tokenizer.model_max_length, positions_of(model.config))

    @torch.inference_mode()
    def of(texts: Sequence[str]) -> NDArray[np.float64]:
        read = tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"]
        order = sorted(range(len(texts)), key=lambda n: -len(read[n]))
        found = np.zeros((len(texts), model.config.hidden_size))
        while order:
            size = max(1, TOKENS // max(len(read[order[0]]), 1))
            some, order = order[:size], order[size:]
            rows = tokenizer.pad({"input_ids": [read[n] for n in some]}, return_tensors="pt").to(device)
            seen = rows["attention_mask"][..., None].float()
            last = model(**rows).last_hidden_state * seen  # (batch, length, width)
            found[some] = (last.sum(1) / seen.sum(1).clamp(min=1)).double().cpu().numpy()
        return found

    return of
