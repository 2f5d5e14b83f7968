"""The masked objective: guess hidden sub-words from both sides (Devlin et al. 2019, §3.1; 80 % mask, 10 % random,
10 % unchanged), whole words, single sub-words or spans at a time.

The vocabulary is scored at the hidden places alone: at one in seven, that saves most of the work of a small model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel, PreTrainedTokenizerFast, Trainer

from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.options import Unit
from gec_fair.trainer.pretraining.spans import spans

IGNORED = -100
"""The label of a place that is not guessed (as in torch's cross entropy)."""


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
        # a byte-level piece that begins a word carries the space before it
        self.begins = np.array([unit != "words" or piece.startswith("Ġ") for piece in pieces]) | self.special
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
        lot = chance.random(len(ids))
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

    def unmasked(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A block with nothing hidden, and itself as labels; special ones are not labels, except the end of a text."""
        ids = np.array([*self.before, *ids, *self.after])
        return ids, np.concatenate([np.full(len(self.before), IGNORED), ids[len(self.before) :]])


def around_block(tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """The special ones that the tokenizer puts around a text."""
    ids: list[int] = tokenizer("")["input_ids"]
    return ids


class MaskedTrainer(Guarded, Trainer):
    """Scores the vocabulary at the hidden places only: the encoder's states of the others never reach the head."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # else the losses of an update's parts would be added up, for a model that divides by their number itself
        self.model_accepts_loss_kwargs = False

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
