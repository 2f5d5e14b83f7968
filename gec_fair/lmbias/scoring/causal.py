"""A causal language model: log probabilities of each sub-word after those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
import torch

from gec_fair.lmbias.scoring.model import Floats, Reader, finite

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
        for batch in self.batches(longer, min(self.tokens, max(1, _CELLS // vocabulary))):
            by_row.update(zip(batch, self._read(batch), strict=True))
        return [by_row[row] for row in rows]

    @torch.inference_mode()
    def _read(self, batch: Sequence[tuple[int, ...]]) -> Floats:
        rows = self.tensor(batch)
        gathered = torch.stack(
            [one.gather(1, row[1:, None])[:, 0] for one, row in zip(self._log_probs(batch, rows), rows, strict=True)]
        )
        return finite(gathered.cpu().numpy())

    def _log_probs(self, batch: Sequence[tuple[int, ...]], rows: torch.Tensor) -> Iterator[torch.Tensor]:
        """For each row (length - 1, vocabulary) natural logarithms; one row at a time, as they are in double
        precision."""
        scores = self.model(rows).logits[:, :-1]
        if self.self_debias is None:
            yield from (row.double().log_softmax(-1) for row in scores)
            return
        prompted = self.model(self.tensor([self.prompted(row) for row in batch])).logits[:, len(self.prompt) : -1]
        for row, prompted_row in zip(scores, prompted, strict=True):
            yield self.self_debias.rescale(row.double(), prompted_row.double())
