"""A Hugging Face model for sequence classification; an example of two fields is read as a pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.errors import InputError
from gec_fair.pretrain.hub import config_of, digest_of, model_of, tokenizer_of

BETWEEN = "</s></s>"
"""Between the third field and those before it, as RoBERTa's pairs are written."""


class HuggingFace:
    """A model with its tokenizer; texts over its length are cut, as its tokenizer does, and counted in `cut`."""

    def __init__(self, name: str, labels: Sequence[str] = (), *, device: str | None = None, tokens: int = 8192) -> None:
        config = config_of(name)
        names = [str(config.id2label[n]) for n in range(config.num_labels)]
        if labels and set(names) == {f"LABEL_{n}" for n in range(len(labels))}:
            names = list(labels)  # nobody named them: they are the task's, in its order
        if config.num_labels < 2:
            raise InputError(f"{name}: has {config.num_labels} output; give a classifier of two labels or more")
        self.labels = tuple(names)
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.tokenizer = tokenizer_of(name)
        self.model = model_of(AutoModelForSequenceClassification, name, config, "predicting").to(self.device).eval()
        self.longest = min(self.tokenizer.model_max_length, int(getattr(config, "max_position_embeddings", 512)) - 2)
        self.tokens, self.cut = tokens, 0

    @property
    def version(self) -> str:
        return f"hf:{digest_of(self.model, self.tokenizer)}"

    @torch.inference_mode()
    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels) probabilities; longest first, padded within a batch."""
        first = [BETWEEN.join(fields[:-1]) if len(fields) > 1 else fields[0] for fields in texts]
        second = [fields[-1] for fields in texts] if texts and len(texts[0]) > 1 else None
        read = self.tokenizer(first, second, truncation=True, max_length=self.longest)
        lengths = [len(row) for row in read["input_ids"]]
        self.cut += sum(length == self.longest for length in lengths)
        order = sorted(range(len(texts)), key=lambda n: -lengths[n])
        found = np.empty((len(texts), len(self.labels)))
        while order:
            size = max(1, self.tokens // lengths[order[0]])
            some, order = order[:size], order[size:]
            rows = self.tokenizer.pad({name: [read[name][n] for n in some] for name in read}, return_tensors="pt")
            logits = self.model(**rows.to(self.device)).logits.double()
            found[some] = logits.softmax(-1).cpu().numpy()
        return found
