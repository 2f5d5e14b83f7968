"""The masked objective: guess hidden sub-words from both sides (Devlin et al. 2019, §3.1; 80 % mask, 10 % random,
10 % unchanged), whole words at a time.

The vocabulary is scored at the hidden places alone: at one in seven, that saves most of the work of a small model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast, Trainer

from gec_fair.pretrain.loop import Guarded

IGNORED = -100
"""The label of a place that is not guessed (as in torch's cross entropy)."""


class MaskedBatches:
    """Blocks as batches with hidden words. What is hidden is drawn from torch's generator, which checkpoints keep."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, share: float, *, whole_words: bool) -> None:
        self.share = share
        self.mask, self.size = int(tokenizer.mask_token_id), len(tokenizer)
        pieces = tokenizer.convert_ids_to_tokens(list(range(self.size)))
        self.special = torch.zeros(self.size, dtype=torch.bool)
        self.special[tokenizer.all_special_ids] = True
        # a byte-level piece that begins a word carries the space before it
        begins = [not whole_words or piece.startswith("Ġ") for piece in pieces]
        self.begins = torch.tensor(begins) | self.special

    def __call__(self, rows: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
        """(batch, block) sub-words with hidden ones, and labels that are IGNORED elsewhere."""
        ids = torch.stack([row["input_ids"] for row in rows])
        word = self.begins[ids].cumsum(1)  # (batch, block): the number of the word that a piece belongs to
        hidden = (torch.rand(ids.shape[0], ids.shape[1] + 1) < self.share).gather(1, word) & ~self.special[ids]
        chance = torch.rand(ids.shape)
        shown = ids.clone()
        shown[hidden & (chance < 0.8)] = self.mask
        swapped = hidden & (chance >= 0.9)
        shown[swapped] = torch.randint(self.size, (int(swapped.sum()),))
        return {"input_ids": shown, "labels": torch.where(hidden, ids, IGNORED)}


class MaskedTrainer(Guarded, Trainer):
    """Scores the vocabulary at the hidden places only: the encoder's states of the others never reach the head."""

    def compute_loss(
        self, model: Any, inputs: dict[str, torch.Tensor], return_outputs: bool = False, **_: Any
    ) -> torch.Tensor | tuple[torch.Tensor, dict[str, torch.Tensor]]:
        labels = inputs["labels"]
        places = labels != IGNORED
        bare: PreTrainedModel = self.accelerator.unwrap_model(model, keep_torch_compile=False)

        def only_hidden(_: Any, __: Any, output: Any) -> Any:
            output["last_hidden_state"] = output["last_hidden_state"][places]
            return output

        hook = bare.base_model.register_forward_hook(only_hidden)
        try:
            scores = model(input_ids=inputs["input_ids"]).logits  # (hidden places, vocabulary)
        finally:
            hook.remove()
        loss = torch.nn.functional.cross_entropy(scores.float(), labels[places])
        return (loss, {"loss": loss}) if return_outputs else loss
