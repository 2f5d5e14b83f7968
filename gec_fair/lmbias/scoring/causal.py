"""A causal language model: log probabilities of each sub-word after those before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from gec_fair.lmbias.scoring.model import Floats, Reader, finite

_SEPARATORS = re.compile(
    r"/?s|bos(token)?|eos(token)?|(begin|start|end)(ning)?of(text|sentence|doc|document)|eod|document", re.ASCII
)
"""What a token that separates documents is called, in lower case, without signs."""
_TURN = re.compile(r"im_(start|end|sep)|turn|user|assistant|system|inst\b|message|eot_id|<\|end\|>", re.IGNORECASE)
"""In the names of tokens that mark a turn of a chat."""
_CELLS = 50_000_000  # scores of the vocabulary held at once, 200 MB


def document_start(tokenizer: PreTrainedTokenizerBase, config: Any) -> int | None:
    """The token that stood before a document when the model was trained.

    The tokenizer's beginning, if it writes that before every text itself. Otherwise, of the tokenizer's beginning and
    end, those of the configuration, and special tokens with a separator's name (`<|endoftext|>`), the first that does
    not mark a turn of a chat: tuning for chat gives `bos_token` to `<|im_start|>`, which a role follows. If all of them
    mark turns, the beginning, else the end.
    """
    begin: int | None = tokenizer.bos_token_id
    end: int | None = tokenizer.eos_token_id
    if begin is not None and tokenizer("a")["input_ids"][0] == begin:
        return begin
    special = {*tokenizer.all_special_ids, *(n for n, token in tokenizer.added_tokens_decoder.items() if token.special)}
    in_config = [*_numbers(getattr(config, "bos_token_id", None)), *_numbers(getattr(config, "eos_token_id", None))]
    named = [n for n in sorted(special) if _is_separator(tokenizer.convert_ids_to_tokens(n))]
    template = str(tokenizer.chat_template or "")
    for number in (begin, end, *(number for number in in_config if number in special), *named):
        if number is not None and not _marks_turn(tokenizer.convert_ids_to_tokens(number), template):
            return int(number)
    return begin if begin is not None else end


def _numbers(value: Any) -> list[int]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _is_separator(token: str) -> bool:
    return _SEPARATORS.fullmatch(re.sub(r"[^a-z/]", "", token.lower())) is not None


def _marks_turn(token: str, template: str) -> bool:
    """Whether it is written in the chat template, or called so. A template may end turns with a separator."""
    return not _is_separator(token) and (token in template or _TURN.search(token) is not None)


class Causal(Reader):
    """A causal language model with its tokenizer."""

    kind: ClassVar = "causal"

    @cached_property
    def start(self) -> int | None:
        """What stands before a text's first sub-word (`document_start`); None where there is no such token, and then
        the first sub-word is given and not scored."""
        return document_start(self.tokenizer, self.model.config)

    @property
    def signature(self) -> str:
        """With the start, which decides how likely a first word is."""
        start = "none" if self.start is None else self.tokenizer.convert_ids_to_tokens(self.start)
        return f"{super().signature}|start:{start.replace('|', '')}"  # the bar separates the signature's parts

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
