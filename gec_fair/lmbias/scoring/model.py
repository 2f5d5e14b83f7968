"""What masked and causal models have in common: where they run, how long a text may be, their name, and the vector of
a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.batching import Cut, cut
from gec_fair.models.batching import of_equal_length
from gec_fair.models.configuration import positions_of
from gec_fair.models.digest import digest_of
from gec_fair.models.inference import Pool, choose_device, pool_states

Floats = NDArray[np.float64]


def finite(values: Floats) -> Floats:
    """What a model answered. InputError where it is not a number: it would be counted as a tie, or as nothing."""
    if not np.isfinite(values).all():
        raise InputError(
            "the model answers with what is not a number (NaN or infinite); look at its weights, or give another model"
        )
    return values


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
        self.device = choose_device(device)
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
        rows = [text.ids for text in self.cut(texts)]
        by_row: dict[tuple[int, ...], Floats] = {}
        for batch in of_equal_length(dict.fromkeys(rows), self.tokens):
            states = self.model.base_model(self.tensor(batch)).last_hidden_state.double()
            by_row.update(zip(batch, pool_states(states, pool).cpu().numpy(), strict=True))
        vectors = np.stack([by_row[row] for row in rows])
        return finite(vectors / np.linalg.norm(vectors, axis=1, keepdims=True) if unit else vectors)
