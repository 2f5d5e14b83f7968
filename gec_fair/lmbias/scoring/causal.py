"""A causal language model: log probabilities of each sub-word after those before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import torch

from gec_fair.lmbias.scoring.model import Floats, Reader, finite
from gec_fair.models.batching import of_equal_length

_CELLS = 50_000_000  # scores of the vocabulary held at once, 200 MB


class Causal(Reader):
    """A causal language model with its tokenizer."""

    kind: ClassVar = "causal"

    @property
    def start(self) -> int | None:
        """What stands before a text's first sub-word: the tokenizer's beginning, else its end; None where it has
        neither, and then the first sub-word is given and not scored."""
        begin, end = self.tokenizer.bos_token_id, self.tokenizer.eos_token_id
        first_token: int | None = begin if begin is not None else end
        return first_token

    def log_probs(self, rows: Sequence[tuple[int, ...]]) -> list[Floats]:
        """For each row of sub-words (length): (length - 1) natural logarithms, of the second and those after it."""
        vocabulary = int(self.model.config.vocab_size)
        by_row: dict[tuple[int, ...], Floats] = {row: np.empty(0) for row in rows if len(row) < 2}
        longer = dict.fromkeys(row for row in rows if len(row) > 1)
        for batch in of_equal_length(longer, min(self.tokens, max(1, _CELLS // vocabulary))):
            by_row.update(zip(batch, self._read(self.tensor(batch)), strict=True))
        return [by_row[row] for row in rows]

    @torch.inference_mode()
    def _read(self, rows: torch.Tensor) -> Floats:
        scores = self.model(rows).logits[:, :-1]
        gathered = torch.stack(
            [one.double().log_softmax(-1).gather(1, row[1:, None])[:, 0] for one, row in zip(scores, rows, strict=True)]
        )
        return finite(gathered.cpu().numpy())
