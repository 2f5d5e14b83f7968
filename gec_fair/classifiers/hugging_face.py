"""A Hugging Face model: for sequence classification (two fields are read as a pair), multiple choice or regression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForMultipleChoice, AutoModelForSequenceClassification

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.errors import InputError
from gec_fair.models.batching import by_length
from gec_fair.models.configuration import positions_of
from gec_fair.models.digest import digest_of
from gec_fair.models.inference import choose_device
from gec_fair.models.load import load_config
from gec_fair.models.weights import check_rows, load_model, load_tokenizer

GAP = "_"
"""Where a question of RACE wants its answer."""


class HuggingFace:
    """A model with its tokenizer; texts over its length are cut, as its tokenizer does, and counted in `cut`. `labels`
    () for a model with one output, a regression's."""

    at_once = 1024

    def __init__(self, name: str, labels: Sequence[str] = (), *, device: str | None = None, tokens: int = 8192) -> None:
        config = load_config(name)
        choices = any(kind.endswith("ForMultipleChoice") for kind in config.architectures or ())
        tokenizer = load_tokenizer(name)
        if tokenizer.pad_token_id is None:
            raise InputError(
                f"{name}: its tokenizer has no padding; set tokenizer.pad_token and the model's "
                "config.pad_token_id, and save both"
            )
        kind = AutoModelForMultipleChoice if choices else AutoModelForSequenceClassification
        model = load_model(kind, name, config, "predicting").to(choose_device(device)).eval()
        check_rows(name, model, tokenizer)
        self._hold(model, tokenizer, labels if choices else _labels(name, config, labels), choices, tokens)

    @classmethod
    def from_model(cls, model: Any, tokenizer: Any, labels: Sequence[str]) -> HuggingFace:
        """For a model of sequence classification that is in memory, as it is."""
        classifier = cls.__new__(cls)
        classifier._hold(model, tokenizer, labels, choices=False, tokens=8192)
        return classifier

    def _hold(self, model: Any, tokenizer: Any, labels: Sequence[str], choices: bool, tokens: int) -> None:
        self.model, self.tokenizer, self.labels, self.choices = model, tokenizer, tuple(labels), choices
        self._are_apart = model.config.problem_type == "multi_label_classification" and not choices
        if model.config.pad_token_id is None:
            model.config.pad_token_id = tokenizer.pad_token_id
        self.device = model.device
        self.longest = min(tokenizer.model_max_length, positions_of(model.config))
        self.tokens, self.cut = tokens, 0

    @property
    def version(self) -> str:
        """A digest of the weights and of the tokenizer."""
        return f"hf:{digest_of(self.model, self.tokenizer, *(['labels apart'] if self._are_apart else ()))}"

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels) probabilities, which sum to 1 unless the model was trained on several labels at once; or
        (texts, 1) values of a regression."""
        if self.choices:
            if not self.labels or any(len(fields) <= len(self.labels) for fields in texts):
                raise InputError(
                    "a model for multiple choice wants a text and a candidate for each label; give a task such as race"
                )
            questions = [pair for fields in texts for pair in candidates(fields, len(self.labels))]
            logits = self._logits([text for text, _ in questions], [candidate for _, candidate in questions])
            return _probabilities(logits.reshape(len(texts), len(self.labels)))
        logits = self._logits(*pair_fields(texts))
        if self._are_apart:
            return np.asarray(logits.sigmoid().numpy())
        return _probabilities(logits) if self.labels else np.asarray(logits.numpy())

    @torch.inference_mode()
    def _logits(self, first: Sequence[str], second: Sequence[str] | None) -> torch.Tensor:
        """(texts, outputs), double, on the CPU; longest first, padded within a batch. Padding on the left would move
        the positions of a model that counts them, so there texts of one length go together."""
        read = self.tokenizer(first, second, truncation=True, max_length=self.longest)
        lengths = [len(row) for row in read["input_ids"]]
        self.cut += sum(bool(encoding.overflowing) for encoding in read.encodings or ())
        logits = torch.empty(len(first), 1 if self.choices else self.model.config.num_labels, dtype=torch.double)
        batches: Iterable[list[int]] = by_length(lengths, self.tokens)
        if self.tokenizer.padding_side == "left":
            batches = (list(same) for rows in batches for _, same in groupby(rows, key=lengths.__getitem__))
        for rows in batches:
            padded = self.tokenizer.pad({name: [read[name][n] for n in rows] for name in read}, return_tensors="pt")
            # a candidate's score does not depend on the others: each goes in as the one choice of its question
            inputs = {name: row.unsqueeze(1) if self.choices else row for name, row in padded.to(self.device).items()}
            logits[rows] = self.model(**inputs).logits.double().cpu()
        return logits


def pair_fields(texts: Sequence[Text]) -> tuple[list[str], list[str] | None]:
    """What a tokenizer takes as a text and its pair: the first fields, and all others as one; an example that has one
    field among pairs has an empty second one."""
    rest = [" ".join(fields[1:]) for fields in texts] if any(len(fields) > 1 for fields in texts) else None
    return [fields[0] for fields in texts], rest


def candidates(fields: Text, number: int) -> Iterator[tuple[str, str]]:
    """(article, question with an answer in it) for each of the last `number` fields."""
    article, *question = fields[:-number]
    question_text = " ".join(question)
    for answer in fields[-number:]:
        yield (
            article,
            question_text.replace(GAP, answer) if GAP in question_text else f"{question_text} {answer}".strip(),
        )


def _labels(name: str, config: object, wanted: Sequence[str]) -> tuple[str, ...]:
    """What the outputs are called; InputError for one output where labels are wanted."""
    number = int(getattr(config, "num_labels", 0))
    if number < 2 and wanted:
        raise InputError(f"{name}: has {number} output; give a classifier of two labels or more")
    if number == 1:
        return ()
    label_names: dict[int, object] = getattr(config, "id2label", {})
    names = [label for n in range(number) if isinstance(label := label_names.get(n), str) and label.strip()]
    if len(set(names)) < number:
        raise InputError(
            f"{name}: the id2label of its config.json is not {number} different names for 0 to {number - 1}; mend it, "
            "or copy the model again"
        )
    unnamed = set(names) == {f"LABEL_{n}" for n in range(len(wanted))}
    return tuple(wanted) if wanted and unnamed else tuple(names)  # nobody named them: the task's, in its order


def _probabilities(logits: torch.Tensor) -> Scores:
    return np.asarray(logits.softmax(-1).numpy())
