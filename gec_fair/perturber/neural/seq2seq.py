"""A seq2seq model as the perturber (Qian et al. 2022, §4): it reads the word, the attribute and the text, and writes
the text anew.

    Jack, woman <PERT_SEP> Jack loved his dog.   →   Jane loved her dog.

Its output is read as edits of its input, so that what it changed is known, word by word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, GenerationConfig, PreTrainedTokenizerBase

from gec_fair.errors import InputError, UsageError
from gec_fair.models.batching import answers_by_length
from gec_fair.models.configuration import positions_of
from gec_fair.models.digest import digest_of
from gec_fair.models.inference import choose_device, choose_dtype
from gec_fair.models.load import load_config
from gec_fair.models.weights import check_rows, load_model, load_trained_tokenizer
from gec_fair.people.terms.axes import SHIPPED
from gec_fair.perturber.rewriting.segments import SEPARATOR, apart, occurs, prompt_text

BETWEEN = "<PERT_SEP>"
LONGEST = 512


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """A text's fields, the word of it and the attribute that it is to have."""

    fields: tuple[str, ...]
    word: str
    target: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The fields that the model wrote; the old ones where it lost a border (`misaligned`), or where the text is longer
    than the model reads, or writes to its end (`too_long`)."""

    fields: tuple[str, ...]
    misaligned: bool = False
    too_long: bool = False


def prompt(request: PromptRequest) -> str:
    """What the model reads. UsageError for an attribute that is none, or a word that the text does not have."""
    target = SHIPPED.attribute(request.target)
    if not occurs(request.word, request.fields):
        raise UsageError(f"{request.word!r} does not occur in {request.fields[0][:60]!r}; give a word of the text")
    return f"{request.word}, {target} {BETWEEN} {prompt_text(request.fields)}"


def encode(tokenizer: PreTrainedTokenizerBase, prompts: Sequence[str]) -> list[list[int]]:
    """The sub-words of prompts. BETWEEN and SEPARATOR are tokens; the name of any other special token is text."""
    numbers = {mark: tokenizer.convert_tokens_to_ids(mark) for mark in (BETWEEN, SEPARATOR)}
    marks = [mark for mark, number in numbers.items() if number not in (None, tokenizer.unk_token_id)]
    pattern = f"({'|'.join(map(re.escape, marks))})" if marks else "(?!)"
    parts = [[part for part in re.split(pattern, prompt) if part] for prompt in prompts]
    texts = dict.fromkeys(part for row in parts for part in row if part not in marks)
    cut = dict(zip(texts, tokenizer(list(texts), add_special_tokens=False)["input_ids"], strict=True)) if texts else {}
    rows = [list(chain.from_iterable([numbers[part]] if part in marks else cut[part] for part in row)) for row in parts]
    [framed], [inner] = (tokenizer(["a"], add_special_tokens=added)["input_ids"] for added in (True, False))
    first = next(n for n in range(len(framed)) if framed[n : n + len(inner)] == inner)
    return [[*framed[:first], *row, *framed[first + len(inner) :]] for row in rows]


class Neural:
    """A fine-tuned seq2seq model: `facebook/perturber`, or one that `gec-fair perturber train` made. `beams`: of the
    search; 1 is greedy."""

    def __init__(self, name: str, *, device: str | None = None, tokens: int = 4096, beams: int = 1) -> None:
        config = load_config(name)
        if not getattr(config, "is_encoder_decoder", False):
            raise InputError(
                f"{name}: is a {config.model_type}, which writes no text for a text; give a seq2seq model "
                "such as facebook/perturber"
            )
        self.device = choose_device(device)
        self.tokenizer = load_trained_tokenizer(name)  # as facebook/perturber was trained
        if self.tokenizer.convert_tokens_to_ids(BETWEEN) in (None, self.tokenizer.unk_token_id):
            raise InputError(
                f"{name}: its tokenizer does not know {BETWEEN}; give a model that was trained to perturb "
                "(gec-fair perturber train)"
            )
        model = load_model(AutoModelForSeq2SeqLM, name, config, "predicting")
        check_rows(name, model, self.tokenizer)
        self.model = model.to(self.device, choose_dtype(self.device)).eval()
        self.tokens = tokens
        self.longest = min(LONGEST, positions_of(config))
        self._how = decoding(config, self.longest, beams)
        # what a decoding leaves open, generate() takes from the model's own
        self.model.generation_config = self._how

    @property
    def version(self) -> str:
        """`neural:`, a digest of the model and its tokenizer, and the beams of a search that is not greedy."""
        beams = self._how.num_beams
        return f"neural:{digest_of(self.model, self.tokenizer)}" + (f":beams:{beams}" if beams > 1 else "")

    def __call__(self, requests: Sequence[PromptRequest]) -> list[Answer]:
        """One answer for each, in order; read longest first, so that a batch is of like length."""
        prompts = [prompt(request) for request in requests]
        lengths = [len(ids) for ids in encode(self.tokenizer, prompts)]
        readable = [n for n, length in enumerate(lengths) if length <= self.longest]
        texts = answers_by_length(
            [lengths[n] for n in readable],
            lambda rows: self._write([prompts[readable[row]] for row in rows]),
            tokens=self.tokens,
        )
        written = dict(zip(readable, texts, strict=True))
        return [_answer(request, written.get(n)) for n, request in enumerate(requests)]

    @torch.inference_mode()
    def _write(self, prompts: Sequence[str]) -> list[str | None]:
        """None for an answer that has no end."""
        rows = {"input_ids": encode(self.tokenizer, prompts)}
        read: Any = self.tokenizer.pad(rows, return_tensors="pt").to(self.device)
        ids = self.model.generate(
            input_ids=read["input_ids"], attention_mask=read["attention_mask"], generation_config=self._how
        )
        special = set(self.tokenizer.all_special_ids) - {self.tokenizer.convert_tokens_to_ids(SEPARATOR)}
        texts: list[str | None] = []
        for row in ids[:, 1:].tolist():
            pieces = [i for i in row if i not in special]
            text = self.tokenizer.decode(pieces, skip_special_tokens=False, clean_up_tokenization_spaces=False)
            texts.append(text if self._how.eos_token_id in row else None)
        return texts


def _answer(request: PromptRequest, text: str | None) -> Answer:
    """`text`: what the model wrote; None where it did not come to an end, or never read the prompt."""
    if text is None:
        return Answer(request.fields, too_long=True)
    fields = apart(text.lstrip(), request.fields)
    return Answer(request.fields, misaligned=True) if fields is None else Answer(fields)


def decoding(config: Any, longest: int, beams: int = 1) -> GenerationConfig:
    """The likeliest sub-word each time, or the likeliest text of `beams`, and nothing of what a model's own
    generation_config.json says: facebook/bart-large forbids to write any three words twice, right for summaries and
    wrong here."""
    return GenerationConfig(
        do_sample=False,
        num_beams=beams,
        max_length=longest,
        bos_token_id=getattr(config, "bos_token_id", None),  # T5 has none
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
        decoder_start_token_id=config.decoder_start_token_id,
    )
