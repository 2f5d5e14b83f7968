"""CrossAug's negater (Lee et al. 2021, §3.1): a seq2seq model that reads a claim and writes its negative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM

from gec_fair.errors import InputError
from gec_fair.models.batching import by_length
from gec_fair.models.configuration import positions_of
from gec_fair.models.inference import choose_device
from gec_fair.models.load import load_config
from gec_fair.models.weights import check_rows, load_model, load_tokenizer

BEAMS = 5
"""As the authors of `minwhoo/bart-base-negative-claim-generation` decode it."""
LONGEST = 256
"""Sub-words of a claim, and of its negative."""


class Negater:
    """A `crossaug.Negater`: what it wrote of a claim is remembered. A claim that is too long, or whose negative has no
    end, has none. InputError for a model that is no seq2seq."""

    def __init__(self, name: str, *, device: str | None = None, tokens: int = 4096) -> None:
        config = load_config(name)
        if not getattr(config, "is_encoder_decoder", False):
            raise InputError(
                f"{name}: is a {config.model_type}, which writes no text for a text; give a seq2seq model "
                "such as minwhoo/bart-base-negative-claim-generation"
            )
        self.device = choose_device(device)
        self.tokenizer = load_tokenizer(name)
        self.model = load_model(AutoModelForSeq2SeqLM, name, config, "predicting").to(self.device).eval()
        check_rows(name, self.model, self.tokenizer)
        self.tokens, self.longest = tokens, min(LONGEST, positions_of(config))
        self._written: dict[str, str | None] = {}
        # the model's own; what it leaves open is decided by transformers: 20 sub-words
        generation = self.model.generation_config
        generation.num_beams, generation.do_sample, generation.max_length = BEAMS, False, self.longest

    def __call__(self, claims: Sequence[str]) -> list[str | None]:
        """The negative of each claim, in order; None where it is too long or its negative has no end."""
        lengths = {claim: len(self.tokenizer(claim)["input_ids"]) for claim in claims if claim not in self._written}
        self._written.update({claim: None for claim, length in lengths.items() if length > self.longest})
        readable = sorted(claim for claim, length in lengths.items() if length <= self.longest)
        for rows in by_length([lengths[claim] for claim in readable], self.tokens):
            batch = [readable[row] for row in rows]
            self._written.update(zip(batch, self._write(batch), strict=True))
        return [self._written[claim] for claim in claims]

    @torch.inference_mode()
    def _write(self, claims: Sequence[str]) -> list[str | None]:
        read: Any = self.tokenizer(list(claims), return_tensors="pt", padding=True).to(self.device)
        rows = self.model.generate(input_ids=read["input_ids"], attention_mask=read["attention_mask"])
        texts = self.tokenizer.batch_decode(rows[:, 1:], skip_special_tokens=True)
        ended = (rows[:, 1:] == self.tokenizer.eos_token_id).any(1).tolist()
        return [text.strip() or None if end else None for text, end in zip(texts, ended, strict=True)]
