"""Words to sub-words: each distinct word is cut once, sentences are put together from a table.

The encoder reads `$START` and the words, joined by single spaces, with no special rows around them: that is how
official models were trained. A byte-level or SentencePiece vocabulary cuts a word the same way wherever it stands,
because the space before it belongs to it, so the table gives what cutting the whole sentence would.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from transformers import PreTrainedTokenizerBase

from gec_fair.gec.gector.model import NO_WORD
from gec_fair.gec.gector.options import InputOptions
from gec_fair.gec.gector.tags import START
from gec_fair.models.configuration import UNLIMITED

_KNOWN_AT_MOST = 2_000_000  # distinct words in the table: a few hundred megabytes


class Pieces:
    """The sub-word numbers of words, at most `max_pieces` each. `positions`: how many the encoder reads at once."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, options: InputOptions, *, positions: int = UNLIMITED
    ) -> None:
        self.tokenizer, self.options, self.positions = tokenizer, options, positions
        self.padding = int(tokenizer.pad_token_id or 0)
        self._known: dict[str, tuple[int, ...]] = {}
        unknown = tokenizer.unk_token_id
        # a word that the vocabulary has no piece for (a lone control character) still needs a place to be tagged at
        self._nothing = (int(unknown if unknown is not None else self.padding),)
        # who writes $START writes six signs
        self._start = (int(tokenizer.convert_tokens_to_ids(START)),) if options.start_token else self.cut([START])[0]

    def cut(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The pieces of each word."""
        self.learn(words)
        return [self._known[word] for word in words]

    def learn(self, words: Iterable[str]) -> None:
        """Cut the words that are not in the table yet, all at once."""
        new = list({word for word in words if word not in self._known})
        if not new:
            return
        if len(self._known) + len(new) > _KNOWN_AT_MOST:
            self._known = {}
            new = list({*new, *words})
        # a learner's "</s>" is five signs, no end of a sentence
        rows = self.tokenizer(
            [[word] for word in new], is_split_into_words=True, add_special_tokens=False, split_special_tokens=True
        )["input_ids"]
        for word, row in zip(new, rows, strict=True):
            self._known[word] = tuple(row[: self.options.max_pieces]) or self._nothing

    def sentence(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """All pieces of `$START` and the words, and where each of these begins."""
        ids: list[int] = []
        starts: list[int] = []
        for pieces in (self._start, *self.cut(words)):
            starts.append(len(ids))
            ids += pieces
        return ids, starts

    def room(self, words: Sequence[str]) -> int:
        """How many of the first words the encoder can read together, with `$START` before them."""
        if (len(words) + 1) * self.options.max_pieces <= self.positions:  # nearly always, and nothing need be cut
            return len(words)
        ends = accumulate(len(pieces) for pieces in (self._start, *self.cut(words)))
        return max(0, sum(end <= self.positions for end in ends) - 1)

    def fits(self, words: Sequence[str]) -> bool:
        """Whether the encoder can read all of them together."""
        return self.room(words) == len(words)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as numbers. `labels` are tag numbers, one a place; empty when predicting."""

    ids: Sequence[int]
    starts: Sequence[int]
    labels: Sequence[int] = ()


def batch(rows: Sequence[Row], padding: int, *, keep: int = 0) -> dict[str, torch.Tensor]:
    """Rows as the model's tensors, padded to the longest; `detection` is 1 where a label is not `keep`."""
    pieces = max(len(row.ids) for row in rows)
    words = max(len(row.starts) for row in rows)
    ids = torch.full((len(rows), pieces), padding, dtype=torch.long)
    mask = torch.zeros((len(rows), pieces), dtype=torch.long)
    starts = torch.full((len(rows), words), NO_WORD, dtype=torch.long)
    labels = torch.full((len(rows), words), NO_WORD, dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)] = torch.as_tensor(row.ids)
        mask[number, : len(row.ids)] = 1
        starts[number, : len(row.starts)] = torch.as_tensor(row.starts)
        labels[number, : len(row.labels)] = torch.as_tensor(row.labels)
    tensors = {"input_ids": ids, "attention_mask": mask, "starts": starts}
    if len(rows[0].labels):
        detection = torch.where(labels == NO_WORD, NO_WORD, (labels != keep).long())
        tensors |= {"labels": labels, "detection": detection}
    return tensors
