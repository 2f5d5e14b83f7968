"""The masked objective: guess hidden sub-words from both sides (Devlin et al. 2019, §3.1; 80 % mask, 10 % random,
10 % unchanged), whole words, single sub-words or spans at a time; and a mix of it with guessing every next sub-word.

The vocabulary is scored at the hidden places alone: at one in seven, that saves most of the work of a small model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel, PreTrainedTokenizerFast, Trainer

from gec_fair.errors import InputError
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.options import Unit

IGNORED = -100
"""The label of a place that is not guessed (as in torch's cross entropy)."""
_STOPS, _LONGER = 1 / 3, 10  # a span ends with this chance after each sub-word; lengths are taken modulo ten
_TRIES = 100
_DRAW = 1  # beside the draw of what is hidden


class MaskedBatches:
    """Blocks as batches with hidden words. What is hidden of a block is drawn from the seed and the block's `draw`: in
    each pass over the data other words, of a validation block always the same."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, share: float, seed: int, *, unit: Unit = "words") -> None:
        self.share, self.seed, self.unit = share, seed, unit
        self.mask, self.size = int(tokenizer.mask_token_id), len(tokenizer)
        around = around_block(tokenizer)
        self.before, self.after = around[: len(around) // 2], around[len(around) // 2 :]
        pieces = tokenizer.convert_ids_to_tokens(list(range(self.size)))
        self.special = np.zeros(self.size, dtype=bool)
        self.special[tokenizer.all_special_ids] = True
        self.begins = self.special | (begin_words(pieces) if unit == "words" else True)
        self.plain = np.flatnonzero(~self.special)

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
        """(batch, block) sub-words with hidden ones, and labels that are IGNORED elsewhere."""
        pairs = [self.block(row["input_ids"].numpy(), int(row["draw"])) for row in rows]
        ids, labels = (torch.from_numpy(np.stack(part)) for part in zip(*pairs, strict=True))
        return {"input_ids": ids, "labels": labels}

    def block(self, ids: NDArray[np.int64], draw: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What is shown of one block, between the special ones that the tokenizer puts around a text, and its labels;
        both (block)."""
        ids = np.array([*self.before, *ids, *self.after])
        chance = np.random.Generator(np.random.PCG64([self.seed, draw]))
        if self.unit == "spans":
            return self._spans(ids, chance)
        word = self.begins[ids].cumsum()  # the number of the word that a piece belongs to
        hidden = (chance.random(len(ids) + 1) < self.share)[word] & ~self.special[ids]
        lot = chance.random(len(ids))  # 80, 10 and 10 %, as BERT
        visible = np.where(hidden & (lot < 0.8), self.mask, ids)
        visible = np.where(hidden & (lot >= 0.9), chance.integers(self.size, size=len(ids)), visible)
        return visible, np.where(hidden, ids, IGNORED)

    def _spans(
        self, ids: NDArray[np.int64], chance: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        treatment = spans(~self.special[ids], self.share, chance)
        visible = np.where(treatment == 0, self.mask, ids)
        visible = np.where(treatment == 1, self.plain[chance.integers(len(self.plain), size=len(ids))], visible)
        return visible, np.where(treatment >= 0, ids, IGNORED)

    def leave_unmasked(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A block with nothing hidden, and itself as labels; special ones are not labels, except the end of a text."""
        ids = np.array([*self.before, *ids, *self.after])
        return ids, np.concatenate([np.full(len(self.before), IGNORED), ids[len(self.before) :]])


def begin_words(pieces: Sequence[str]) -> NDArray[np.bool_]:
    """Which sub-words begin a word, by what most are marked with: Ġ or ▁ at a beginning (byte-level, SentencePiece), or
    ## elsewhere (WordPiece). InputError for a vocabulary without marks."""
    marked = {mark: np.array([piece.startswith(mark) for piece in pieces]) for mark in ("Ġ", "▁", "##")}
    mark = max(marked, key=lambda mark: int(marked[mark].sum()))
    if not marked[mark].any():
        raise InputError("the vocabulary does not say where words begin; set unit: pieces")
    return ~marked["##"] if mark == "##" else marked[mark]


def spans(free: NDArray[np.bool_], share: float, chance: np.random.Generator) -> NDArray[np.int8]:
    """Spans of sub-words to be guessed (SpanBERT, Joshi et al. 2020; as LTG-BERT, Samuel et al. 2023, draws them): how
    many sub-words are hidden is binomial, and spans of geometric length fall anywhere, over the ends too, until so many
    are. A span as a whole is masked (80 %), made of random sub-words (10 %) or left as it is (10 %).

    (block): −1 if the place is not hidden, else how: 0 masked, 1 random, 2 as it is. `free`: what may be hidden. Of
    spans that overlap the first counts. All −1 if nothing may be hidden."""
    treatment = np.full(len(free), -1, dtype=np.int8)
    wanted = max(1, int(chance.binomial(int(free.sum()), share)))
    tries = max(_TRIES, wanted)  # spans have two sub-words or three, and may overlap
    lengths = (chance.geometric(_STOPS, tries) % _LONGER).tolist()
    places, lots = chance.random(tries).tolist(), chance.random(tries).tolist()
    hidden = 0
    for length, place, lot in zip(lengths, places, lots, strict=True):
        if hidden >= wanted:
            break
        if not length:
            continue
        first = int(place * (len(free) + length - 1)) - (length - 1)
        span = slice(max(0, first), first + length)
        new = free[span] & (treatment[span] < 0)
        treatment[span][new] = 0 if lot < 0.8 else 1 if lot < 0.9 else 2  # as BERT
        hidden += int(new.sum())
    return treatment


class HybridBatches:
    """GPT-BERT's objective (Charpentier & Samuel 2024): the batches of `masked`, except that a `share` of the blocks,
    drawn by seed and block, is read from left to right and every next sub-word guessed. In both, what stands at a place
    is scored at the one before it.

    With `attention_mask` (batch, queries, keys) and the `weights` of the places in the loss, which add up to 1. Each
    objective's loss is a mean over its own places, and counts by its share of the blocks, so that the many places of
    the causal blocks do not drown the others."""

    def __init__(self, masked: MaskedBatches, share: float) -> None:
        self.masked, self.share = masked, share

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
        """A batch of blocks, each masked or for next-word prediction, as it was drawn."""
        causal = np.array([self._is_causal(int(row["draw"])) for row in rows])
        blocks = [
            self.masked.leave_unmasked(row["input_ids"].numpy())
            if is_causal
            else self.masked.block(row["input_ids"].numpy(), int(row["draw"]))
            for row, is_causal in zip(rows, causal, strict=True)
        ]
        ids, targets = (np.stack(part) for part in zip(*blocks, strict=True))
        labels = np.concatenate([targets[:, 1:], np.full((len(targets), 1), IGNORED)], axis=1)
        guessed = labels != IGNORED
        weights = np.zeros(labels.shape, dtype=np.float32)
        for blocks_of_kind in (causal, ~causal):
            weights[blocks_of_kind] = (
                guessed[blocks_of_kind] * blocks_of_kind.mean() / max(1, guessed[blocks_of_kind].sum())
            )
        size = labels.shape[1]
        backwards = np.tril(np.ones((size, size), dtype=bool))
        mask = np.where(causal[:, None, None], backwards, True)
        arrays = {"input_ids": ids, "labels": labels, "attention_mask": mask, "weights": weights}
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def _is_causal(self, draw: int) -> bool:
        return bool(np.random.Generator(np.random.PCG64([self.masked.seed, draw, _DRAW])).random() < self.share)


def around_block(tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """The special ones that the tokenizer puts around a text."""
    ids: list[int] = tokenizer("")["input_ids"]
    return ids


class MaskedTrainer(Guarded, Trainer):
    """Scores the vocabulary at the hidden places only: the encoder's states of the others never reach the head."""

    def compute_loss(
        self, model: Any, inputs: dict[str, torch.Tensor], return_outputs: bool = False, **_: Any
    ) -> torch.Tensor | tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The mean loss of the masked sub-words."""
        read = dict(inputs)
        labels, weights = read.pop("labels"), read.pop("weights", None)
        places = labels != IGNORED
        bare: PreTrainedModel = self.accelerator.unwrap_model(model, keep_torch_compile=False)

        def only_hidden(_: Any, __: Any, output: Any) -> Any:
            output["last_hidden_state"] = output["last_hidden_state"][places]
            return output

        hook = bare.base_model.register_forward_hook(only_hidden)
        try:
            scores = model(**read).logits  # (hidden places, vocabulary)
        finally:
            hook.remove()
        losses = torch.nn.functional.cross_entropy(scores.float(), labels[places], reduction="none")
        # a batch of long words may have nothing hidden: no loss then, and not 0/0
        loss = losses.sum() / max(1, len(losses)) if weights is None else (losses * weights[places]).sum()
        return (loss, {"loss": loss}) if return_outputs else loss
