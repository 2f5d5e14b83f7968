"""A masked language model: log probabilities of hidden sub-words.

The vocabulary is scored at the asked places alone, and a row that several questions share (two sentences that differ in
the hidden word) is read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch

from gec_fair.lmbias.scoring.batching import Cut
from gec_fair.lmbias.scoring.model import Floats, Reader, finite


@dataclass(frozen=True, slots=True)
class Cloze:
    """A question: which sub-word stands at `at` of `ids` (hidden ones are the mask already)? `token` is the one whose
    probability is asked for."""

    ids: tuple[int, ...]
    at: int
    token: int


class Masked(Reader):
    """A masked language model with its tokenizer."""

    kind: ClassVar = "masked"
    _apart: bool | None = None  # whether its head reads each place by itself; None until it has been tried

    @property
    def ahead(self) -> int:
        """How many places before a sub-word its scores stand: one in GPT-BERT's kind."""
        return int(getattr(self.model.config, "predicts_next", False))

    @property
    def mask(self) -> int:
        """The id of the mask token."""
        return int(self.tokenizer.mask_token_id)

    def hide(self, text: Cut, places: Sequence[int], at: int) -> Cloze:
        """The question for place `at` of a text with `places` hidden."""
        ids = list(text.ids)
        for place in places:
            ids[place] = self.mask
        return Cloze(tuple(ids), at, text.ids[at])

    def log_probs(self, clozes: Sequence[Cloze]) -> Floats:
        """(asked): natural logarithms."""
        questions: dict[tuple[int, ...], list[int]] = {}
        for n, cloze in enumerate(clozes):
            questions.setdefault(cloze.ids, []).append(n)
        log_probs_ = np.empty(len(clozes))
        for batch in self.batches(questions, self.tokens):
            numbers = [n for ids in batch for n in questions[ids]]
            rows = [row for row, ids in enumerate(batch) for _ in questions[ids]]
            places = torch.tensor([rows, [clozes[n].at - self.ahead for n in numbers]], device=self.device)
            tokens = torch.tensor([clozes[n].token for n in numbers], device=self.device)
            log_probs_[numbers] = self._read(batch, places, tokens)
        return log_probs_

    @torch.inference_mode()
    def _read(self, batch: Sequence[tuple[int, ...]], places: torch.Tensor, tokens: torch.Tensor) -> Floats:
        log_probs = self._log_probs(batch, places)
        return finite(log_probs.gather(1, tokens[:, None])[:, 0].cpu().numpy())

    def _log_probs(self, batch: Sequence[tuple[int, ...]], places: torch.Tensor) -> torch.Tensor:
        """(places, vocabulary) natural logarithms."""
        scores = self._at(self.tensor(batch), places).double()
        if self.self_debias is None:
            return scores.log_softmax(-1)
        shifted = places + torch.tensor([[0], [len(self.prompt)]], device=self.device)
        prompted = self._at(self.tensor([self.prompted(row) for row in batch]), shifted).double()
        return self.self_debias.rescale(scores, prompted)

    def _at(self, rows: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        """(places, vocabulary) scores; the model's states of the other places never reach its head."""
        if self._apart is None:
            self._apart = self._reads_apart(rows[:1])
        if not self._apart:
            return self.model(rows).logits[tuple(places)]  # type: ignore[no-any-return]
        return self._scores(rows, places)

    def _scores(self, rows: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        def only_asked(_: Any, __: Any, output: Any) -> Any:
            output["last_hidden_state"] = output["last_hidden_state"][tuple(places)]
            return output

        hook = self.model.base_model.register_forward_hook(only_asked)
        try:
            return self.model(rows).logits  # type: ignore[no-any-return]
        finally:
            hook.remove()

    def _reads_apart(self, row: torch.Tensor) -> bool:
        """Tried on one row: some heads look at neighbours, and some models are put together otherwise."""
        places = torch.stack([torch.zeros_like(row[0]), torch.arange(row.shape[1], device=self.device)])
        try:
            scores = self._scores(row, places)
        except (RuntimeError, IndexError, KeyError, TypeError, ValueError, AttributeError):
            return False
        logits = self.model(row).logits[0]
        return scores.shape == logits.shape and torch.allclose(scores, logits, atol=1e-4, rtol=1e-4)


def alone(model: Masked, text: Cut) -> Iterator[Cloze]:
    """Every sub-word hidden by itself (Salazar et al. 2020)."""
    return (model.hide(text, (at,), at) for at in text.places)


def left_to_right(model: Masked, text: Cut) -> Iterator[Cloze]:
    """Every sub-word hidden with those of its word that follow it (Kauf & Ivanova 2023): else the rest of a long rare
    word gives it away."""
    for n, at in enumerate(text.places):
        rest = [later for later in text.places[n:] if text.words[later] == text.words[at]]
        yield model.hide(text, rest, at)
