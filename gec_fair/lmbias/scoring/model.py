"""What masked and causal models have in common: where they run, how long a text may be, their name, and the vector of
a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.batching import Cut, batches, cut
from gec_fair.models.locate import digest_of, positions_of

Floats = NDArray[np.float64]
Pool = Literal["mean", "first"]
POOLS = ("mean", "first")


def finite(found: Floats) -> Floats:
    """What a model answered. InputError where it is no number: it would be counted as a tie, or as nothing."""
    if not np.isfinite(found).all():
        raise InputError(
            "the model answers with what is no number (NaN or infinite); look at its weights, or give another model"
        )
    return found


class Reader:
    """A model, its tokenizer, its device. `tokens`: sub-words in a batch; changes no result."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        device: str | None = None,
        tokens: int = 4096,
    ) -> None:
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.model = model.to(self.device).eval()
        self.tokenizer = tokenizer
        self.tokens = tokens
        self.longest = min(positions_of(model.config), tokenizer.model_max_length)

    def digest(self) -> str:
        """A name for all that decides a score: configuration, weights and sub-words."""
        return digest_of(self.model, self.tokenizer)

    def cut(self, texts: Sequence[str], *, special: bool = True, more: int = 0) -> list[Cut]:
        """Each text's sub-words. InputError for one that is too long for the model, with `more` that will be added."""
        return cut(texts, self.tokenizer, longest=self.longest - more, special=special)

    def tensor(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """(rows, length) on the model's device."""
        return torch.tensor([list(row) for row in rows], device=self.device)

    @torch.inference_mode()
    def vectors(self, texts: Sequence[str], *, pool: Pool = "mean", unit: bool = True) -> Floats:
        """(texts, hidden) of length 1: the mean of the last layer over all places, special ones too (May et al. 2019 as
        Meade et al. 2022 ran it), or its `first` place. Without `unit` as long as they are."""
        rows = [each.ids for each in self.cut(texts)]
        found: dict[tuple[int, ...], Floats] = {}
        for batch in batches(dict.fromkeys(rows), self.tokens):
            states = self.model.base_model(self.tensor(batch)).last_hidden_state.double()
            pooled = (states.mean(1) if pool == "mean" else states[:, 0]).cpu().numpy()
            found.update(zip(batch, pooled, strict=True))
        vectors = np.stack([found[row] for row in rows])
        return finite(vectors / np.linalg.norm(vectors, axis=1, keepdims=True) if unit else vectors)
