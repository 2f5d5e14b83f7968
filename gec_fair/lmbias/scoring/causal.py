"""A causal language model: log probabilities of each sub-word after those before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from transformers import PreTrainedTokenizerBase

from gec_fair.lmbias.scoring.batching import Request, Tree, in_trees
from gec_fair.lmbias.scoring.model import Floats, Reader, View
from gec_fair.models.batching import answers_by_length

_SEPARATORS = re.compile(
    r"/?s|bos(token)?|eos(token)?|(begin|start|end)(ning)?of(text|sentence|doc|document)|eod|document", re.ASCII
)
"""What a token that separates documents is called, in lower case, without signs."""
_TURN = re.compile(r"im_(start|end|sep)|turn|user|assistant|system|inst\b|message|eot_id|<\|end\|>", re.IGNORECASE)
"""In the names of tokens that mark a turn of a chat."""
_NODES = 256  # of a tree; rows are read alone if one is longer, or all are shorter together
_CELLS = 50_000_000  # scores of the vocabulary that are held, 200 MB


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

    def log_probs(self, rows: Sequence[tuple[int, ...]], *, first: Sequence[int] | None = None) -> list[Floats]:
        """For each row of sub-words (length): (length - 1) natural logarithms, of the second and those after it; with
        `first`, a place of each row, of those from there on. Rows that begin alike are read as a tree."""
        requests = [Request(row, max(1, place)) for row, place in zip(rows, first or [1] * len(rows), strict=True)]
        distinct = sorted({request for request in requests if len(request.row) > request.first})
        lengths = [len(request.row) for request in distinct]
        trees = list(in_trees(distinct, self._most_nodes if sum(lengths) > _NODES >= max(lengths) else 0))
        sizes = [len(self.prompt) + len(_tree(requests).ids) for requests in trees]
        tokens = min(self.tokens, max(1, _CELLS // int(self.model.config.vocab_size)))
        answers = answers_by_length(sizes, lambda batch: self._ask([trees[n] for n in batch]), tokens=tokens)
        by_request = dict(zip(distinct, chain.from_iterable(answers), strict=True))
        return [by_request.get(request, np.empty(0)) for request in requests]

    def _ask(self, trees: Sequence[Sequence[Request]]) -> list[list[Floats]]:
        """The logarithms of each request of each tree."""
        views = [_view(trees)]
        if shift := len(self.prompt):
            views.append(_view([[Request(self.prompted(row), at + shift) for row, at in tree] for tree in trees]))
        values = iter(self.read(views, [token for tree in trees for row, at in tree for token in row[at:]]))
        return [[np.array([next(values) for _ in row[at:]]) for row, at in tree] for tree in trees]

    @cached_property
    def _most_nodes(self) -> int:
        """How large a tree may be; 0 for a model that does not read it as its rows. That is tried on a short row beside
        a long one: a score changes if the model sees the other row, sees places by their distance, or sees only those
        in a window."""
        most, vocabulary = min(_NODES, self.longest), int(self.model.config.vocab_size)
        long, short = tuple(n % vocabulary for n in range(most)), (0, vocabulary - 1, 0)
        rows = [Request(long, most - 1), Request(short, 1)]
        try:
            (together,), alone = self._ask([rows]), chain.from_iterable(self._ask([[row] for row in rows]))
            is_same = np.allclose(np.concatenate(together), np.concatenate(list(alone)), rtol=1e-5, atol=1e-5)
        except (RuntimeError, IndexError, KeyError, TypeError, ValueError, AttributeError):
            return 0
        return most if is_same else 0


def _tree(requests: Sequence[Request]) -> Tree:
    """Of the rows without their last sub-words, which nobody reads."""
    return Tree.from_rows([row[:-1] for row, _ in requests])


def _view(requests: Sequence[Sequence[Request]]) -> View:
    """Trees as rows. Where each has one row, its padding stands behind it, and no place sees it."""
    trees = [_tree(alike) for alike in requests]
    places = [
        (n, node)
        for n, tree in enumerate(trees)
        for path, request in zip(tree.paths, requests[n], strict=True)
        for node in path[request.first - 1 :]
    ]
    rows = [tree.ids for tree in trees]
    if all(len(tree.paths) == 1 for tree in trees):
        return View(rows, places)
    return View(rows, places, np.stack([tree.seen(max(map(len, rows))) for tree in trees]))
