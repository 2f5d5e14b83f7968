"""What masked and causal models have in common: where they run, how long a text may be, their name, and the vector of
a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.batching import Cut, cut
from gec_fair.lmbias.scoring.self_debias import SelfDebias
from gec_fair.models.batching import of_equal_length
from gec_fair.models.configuration import positions_of
from gec_fair.models.digest import digest_of
from gec_fair.models.inference import Pool, choose_device, pool_states

Floats = NDArray[np.float64]
_AT_ONCE = 8  # places whose scores are held in double precision, few enough for a processor's cache


def finite(values: Floats) -> Floats:
    """What a model answered. InputError where it is not a number: it would be counted as a tie, or as nothing."""
    if not np.isfinite(values).all():
        raise InputError(
            "the model answers with what is not a number (NaN or infinite); look at its weights, or give another model"
        )
    return values


@dataclass(frozen=True, slots=True)
class View:
    """Rows of sub-words that a model reads at once, and the (row, place) pairs whose scores are asked for. `seen`:
    (rows, places, places), which places a place of a tree sees; None for rows as they are."""

    rows: Sequence[tuple[int, ...]]
    places: Sequence[tuple[int, int]]
    seen: NDArray[np.bool_] | None = None


class Reader:
    """A model, its tokenizer, its device. `tokens`: sub-words in a batch; changes no result. With `self_debias` every
    row is read twice, also behind a prompt, and log probabilities are those of Self-Debias; vectors are as they are.
    `kind`: what the model was trained as."""

    kind: ClassVar[str]
    _apart: bool | None = None  # whether its head reads each place by itself; None until it has been tried

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        device: str | None = None,
        tokens: int = 4096,
        self_debias: SelfDebias | None = None,
    ) -> None:
        self.device = choose_device(device)
        self.model = model.to(self.device).eval()
        self.tokenizer = tokenizer
        self.tokens = tokens
        self.self_debias = self_debias
        self.longest = min(positions_of(model.config), tokenizer.model_max_length) - len(self.prompt)
        if self.longest < 1:
            raise InputError(
                f"the prompt of Self-Debias has {len(self.prompt)} sub-words, and the model has no room for a text "
                "behind it; give a model that reads more"
            )

    def digest(self) -> str:
        """A name for all that decides a score: configuration, weights and sub-words, and Self-Debias."""
        digest = digest_of(self.model, self.tokenizer)
        return digest if self.self_debias is None else f"{digest}+{self.self_debias.signature}"

    @cached_property
    def prompt(self) -> tuple[int, ...]:
        """The sub-words of Self-Debias' prompt; none without it."""
        if self.self_debias is None:
            return ()
        return tuple(self.tokenizer(self.self_debias.prompt, add_special_tokens=False)["input_ids"])

    @cached_property
    def _starts(self) -> tuple[int | None, ...]:
        return (self.tokenizer.cls_token_id, self.tokenizer.bos_token_id, self.start)

    @property
    def signature(self) -> str:
        """The model's digest, and what it was trained as, for a signature."""
        return f"model:{self.digest()}|kind:{self.kind}"

    def add_prompt(self, row: tuple[int, ...]) -> tuple[int, ...]:
        """A row with the prompt before its text, but behind what every text begins with."""
        if not self.prompt:
            return row
        at = int(row[0] in self._starts)
        return (*row[:at], *self.prompt, *row[at:])

    def batches(self, rows: Iterable[tuple[int, ...]], tokens: int) -> Iterator[list[tuple[int, ...]]]:
        """Rows of one length each time, in batches of at most so many sub-words, the prompt's among them."""
        by_prompted = {self.add_prompt(row): row for row in rows}
        for batch in of_equal_length(by_prompted, tokens):
            yield [by_prompted[row] for row in batch]

    @property
    def start(self) -> int | None:
        """What stands before a text's first sub-word, beside the tokenizer's special ones; None for nothing."""
        return None

    def cut(self, texts: Sequence[str], *, special: bool = True, more: int = 0, marks: bool = False) -> list[Cut]:
        """Each text's sub-words; with `marks` the name of a special token in a text is that token, else text.
        InputError for one that is too long for the model, with `more` that will be added."""
        place = "behind the prompt of Self-Debias" if self.prompt else "at once"
        return cut(texts, self.tokenizer, longest=self.longest - more, special=special, place=place, marks=marks)

    def tensor(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """(rows, length of the longest) on the model's device, with zeros behind shorter rows."""
        longest = max(map(len, rows))
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], device=self.device)

    @torch.inference_mode()
    def read(self, views: Sequence[View], tokens: Sequence[int]) -> Floats:
        """(places): the natural logarithm of each token's probability at its place. Self-Debias needs a second view,
        behind its prompt."""
        numbers = {place: n for n, place in enumerate(dict.fromkeys(views[0].places))}
        places = torch.tensor([numbers[place] for place in views[0].places], device=self.device)
        scores = [self._at(view) for view in views]
        log_probs = []
        for part, token in zip(
            torch.split(places, _AT_ONCE), torch.split(self.tensor([tokens])[0], _AT_ONCE), strict=True
        ):
            rows = [values[part].double() for values in scores]
            all_words = rows[0].log_softmax(-1) if self.self_debias is None else self.self_debias.rescale(*rows)
            log_probs.append(all_words.gather(1, token[:, None])[:, 0])
        return finite(torch.cat(log_probs).cpu().numpy())

    def _at(self, view: View) -> torch.Tensor:
        """(distinct places, vocabulary) scores; the model's states of the other places never reach its head."""
        rows, places = self.tensor(view.rows), self.tensor(list(dict.fromkeys(view.places))).T
        if self._apart is None:
            self._apart = self._reads_apart(rows[:1])
        options = {}
        if view.seen is not None:
            seen = torch.from_numpy(view.seen).to(self.device)
            mask = torch.where(seen, 0.0, torch.finfo(self.model.dtype).min).to(self.model.dtype)
            options = {"attention_mask": mask[:, None], "position_ids": seen.sum(-1) - 1}
        if self._apart:
            return self._scores(rows, places, **options)
        return self.model(rows, **options).logits[tuple(places)]  # type: ignore[no-any-return]

    def _scores(self, rows: torch.Tensor, places: torch.Tensor, **options: torch.Tensor) -> torch.Tensor:
        def only_asked(_: Any, __: Any, output: Any) -> Any:
            output["last_hidden_state"] = output["last_hidden_state"][tuple(places)][None]
            return output

        hook = self.model.base_model.register_forward_hook(only_asked)
        try:
            return self.model(rows, **options).logits[0]  # type: ignore[no-any-return]
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


class Encoder(Reader):
    """A model without a language model's head: it has vectors, and no probabilities."""

    kind: ClassVar = "encoder"
