"""A sentence and its candidates as what the encoder reads: one pair an edit, and one for doing nothing.

    <s> source </s> edited </s>
     ↑ doing nothing      ↑ an edit: its first sub-word in the edited half; of a deletion, what comes next

Words are cut one by one, each with the space before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import torch
from transformers import PreTrainedTokenizerBase

from gec_fair.edits import Edit
from gec_fair.errors import InputError
from gec_fair.gec.gector.options import InputOptions
from gec_fair.gec.gector.words import Pieces

_UNCUT = InputOptions(max_pieces=1_000_000, start_token=False)  # words are read to their last sub-word
_PADDED_WITH = 0
"""What the authors' code pads with, though RoBERTa's padding is 1."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair as numbers. `place` is the sub-word that is judged; `width` how many are attended to: its own, and with
    attended padding as many as the longest pair of its sentence has."""

    ids: Sequence[int]
    place: int
    width: int


class Reader:
    """Cuts sentences and puts pairs together. InputError for a tokenizer without `<s>` and `</s>` of any name."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, padding_attended: bool = False) -> None:
        self.tokenizer, self.padding_attended = tokenizer, padding_attended
        self.pieces = Pieces(tokenizer, _UNCUT)
        begin, separator = tokenizer.cls_token_id, tokenizer.sep_token_id
        if begin is None or separator is None:
            raise InputError(
                f"the tokenizer {type(tokenizer).__name__} has no cls and sep token; set them in its "
                "tokenizer_config.json"
            )
        self.begin, self.separator = int(begin), int(separator)
        self.end = int(tokenizer.eos_token_id if tokenizer.eos_token_id is not None else separator)

    def pairs(self, words: Sequence[str], edits: Sequence[Edit]) -> list[Pair]:
        """Doing nothing first, then each edit."""
        cut = self.pieces.cut(words)
        starts = [0, *accumulate(map(len, cut))]
        source = list(chain.from_iterable(cut))
        head = [self.begin, *source, self.separator]
        rows = [([*head, *source, self.end], 0)]
        for edit in edits:
            new = chain.from_iterable(self.pieces.cut(edit.replacement))
            ids = [*head, *source[: starts[edit.start]], *new, *source[starts[edit.end] :], self.end]
            rows.append((ids, len(head) + starts[edit.start]))
        longest = max(len(ids) for ids, _ in rows)
        return [Pair(ids, place, longest if self.padding_attended else len(ids)) for ids, place in rows]

    def batch(self, pairs: Sequence[Pair]) -> dict[str, torch.Tensor]:
        """`input_ids`, `attention_mask` (pairs, sub-words), `places` (pairs); padding is attended to only up to each
        pair's width."""
        widest = max(pair.width for pair in pairs)
        ids = torch.full((len(pairs), widest), self.pieces.padding, dtype=torch.long)
        mask = torch.zeros((len(pairs), widest), dtype=torch.long)
        for row, pair in enumerate(pairs):
            ids[row, : pair.width] = _PADDED_WITH
            ids[row, : len(pair.ids)] = torch.as_tensor(pair.ids)
            mask[row, : pair.width] = 1
        places = torch.tensor([pair.place for pair in pairs])
        return {"input_ids": ids, "attention_mask": mask, "places": places}
