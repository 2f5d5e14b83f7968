"""A causal language model: log probabilities of each sub-word after those before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import ClassVar

import numpy as np

from gec_fair.lmbias.scoring.document_start import document_start
from gec_fair.lmbias.scoring.model import Floats, Reader
from gec_fair.lmbias.scoring.trees import Request, in_trees, tree_of, view
from gec_fair.models.batching import answers_by_length

_NODES = 256  # of a tree; rows are read alone if one is longer, or all are shorter together
_CELLS = 50_000_000  # scores of the vocabulary that are held, 200 MB


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
        sizes = [len(self.prompt) + len(tree_of(requests).ids) for requests in trees]
        tokens = min(self.tokens, max(1, _CELLS // int(self.model.config.vocab_size)))
        answers = answers_by_length(sizes, lambda batch: self._ask([trees[n] for n in batch]), tokens=tokens)
        by_request = dict(zip(distinct, chain.from_iterable(answers), strict=True))
        return [by_request.get(request, np.empty(0)) for request in requests]

    def _ask(self, trees: Sequence[Sequence[Request]]) -> list[list[Floats]]:
        """The logarithms of each request of each tree."""
        views = [view(trees)]
        if shift := len(self.prompt):
            views.append(view([[Request(self.add_prompt(row), at + shift) for row, at in tree] for tree in trees]))
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
