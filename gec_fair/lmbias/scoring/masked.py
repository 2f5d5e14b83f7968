"""A masked language model: log probabilities of hidden sub-words.

The vocabulary is scored at the asked places alone, and a row that several questions share (two sentences that differ in
the hidden word) is read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.batching import Cut
from gec_fair.lmbias.scoring.model import Floats, Reader, View


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
        """(asked): natural logarithms. InputError for a sub-word that has no place with its scores."""
        if any(cloze.at < self.ahead for cloze in clozes):
            raise InputError(
                "the model scores a sub-word at the place before it, and its tokenizer writes nothing before a text's "
                "first one; give a model whose tokenizer does (words: raw in pretraining)"
            )
        questions: dict[tuple[int, ...], list[int]] = {}
        for n, cloze in enumerate(clozes):
            questions.setdefault(cloze.ids, []).append(n)
        values = np.empty(len(clozes))
        for batch in self.batches(questions, self.tokens):
            numbers = [n for ids in batch for n in questions[ids]]
            rows = [row for row, ids in enumerate(batch) for _ in questions[ids]]
            places = [(row, clozes[n].at - self.ahead) for row, n in zip(rows, numbers, strict=True)]
            views = [View(batch, places)]
            if self.prompt:
                shifted = [(row, place + len(self.prompt)) for row, place in places]
                views.append(View([self.add_prompt(ids) for ids in batch], shifted))
            values[numbers] = self.read(views, [clozes[n].token for n in numbers])
        return values


def alone(model: Masked, text: Cut) -> Iterator[Cloze]:
    """Every sub-word hidden by itself (Salazar et al. 2020)."""
    return (model.hide(text, (at,), at) for at in text.places)


def left_to_right(model: Masked, text: Cut) -> Iterator[Cloze]:
    """Every sub-word hidden with those of its word that follow it (Kauf & Ivanova 2023): else the rest of a long rare
    word gives it away."""
    for n, at in enumerate(text.places):
        rest = [later for later in text.places[n:] if text.words[later] == text.words[at]]
        yield model.hide(text, rest, at)
