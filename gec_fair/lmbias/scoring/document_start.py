"""How a document starts: the token that stood before each when a causal model was trained."""

from __future__ import annotations

import re
from typing import Any

from transformers import PreTrainedTokenizerBase

_SEPARATORS = re.compile(
    r"/?s|bos(token)?|eos(token)?|(begin|start|end)(ning)?of(text|sentence|doc|document)|eod|document", re.ASCII
)
"""What a token that separates documents is called, in lower case, without signs."""
_TURN = re.compile(r"im_(start|end|sep)|turn|user|assistant|system|inst\b|message|eot_id|<\|end\|>", re.IGNORECASE)
"""In the names of tokens that mark a turn of a chat."""


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
