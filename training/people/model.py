"""The network of the reader of people: one encoder, four heads.

    words → sub-words → encoder → for each word: kind · form of her or his · gender · antecedent

A word is read off its first and last sub-word. Of an uncased encoder the case of each sub-word's word stands in the
token-type embedding. What the name table and the rest of the text say of a word stands beside the encoder's output, as
inputs of the heads (see `evidence`).
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from documents import GENDERS, KINDS, NO_ANTECEDENT, Document
from onnxruntime import quantization
from torch import Tensor, nn
from transformers import AutoModel
from windows import EVIDENCE, Batcher, Window

from gec_fair.people.around import FORMS
from gec_fair.people.features import CASES

WIDTH = 256
LINK = 64
HEADS = ("kinds", "forms", "genders", "links")


@dataclass(frozen=True)
class Labelled:
    """A window of a document."""

    document: Document
    window: Window

    @property
    def places(self) -> range:
        return range(self.window.start, self.window.end)

    @property
    def has_labels(self) -> bool:
        one = self.document
        return any(at in self.places for labels in (one.kinds, one.forms, one.genders, one.links) for at in labels)


def cut(document: Document, batcher: Batcher) -> Iterator[Labelled]:
    for window in batcher.windows(document.words, document.starts):
        yield Labelled(document, window)


def tensors(batcher: Batcher, windows: Sequence[Labelled]) -> dict[str, Tensor]:
    batch = batcher.batch([one.window for one in windows])
    return {name: torch.from_numpy(array) for name, array in batch.items()}


class Reader(nn.Module):
    """Gives for each word, in this order: `kinds`, `forms`, `genders` (logits) and `asks`, `answers` (for links)."""

    def __init__(self, encoder: Path) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(encoder, dtype=torch.float32)
        hidden = self.encoder.config.hidden_size
        self.cases = nn.Embedding(CASES, hidden)
        nn.init.zeros_(self.cases.weight)
        for weight in self.encoder.embeddings.word_embeddings.parameters():
            weight.requires_grad = False  # rare words keep their places beside those that training sees
        self.word_cases = nn.Embedding(CASES, 8)
        self.inner = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(2 * hidden + 8 + EVIDENCE, WIDTH), nn.GELU(), nn.Dropout(0.1)
        )
        self.heads = nn.Linear(WIDTH, len(KINDS) + len(FORMS) + len(GENDERS))
        self.asks = nn.Linear(WIDTH, LINK)
        self.answers = nn.Linear(WIDTH, LINK)
        self.weight = nn.Linear(WIDTH, 1)  # how likely a word answers at all
        self.nobody = nn.Linear(WIDTH, 1)
        self.distances = nn.Embedding(10, 1)
        nn.init.zeros_(self.distances.weight)

    def words(self, batch: Mapping[str, Tensor]) -> Tensor:
        """Windows × words × WIDTH."""
        embedded = self.encoder.embeddings.word_embeddings(batch["ids"]) + self.cases(batch["cases"])
        states = self.encoder(inputs_embeds=embedded, attention_mask=batch["attention"]).last_hidden_state
        rows = torch.arange(states.size(0))[:, None]
        parts = [states[rows, batch["first"]], states[rows, batch["last"]]]
        parts += [self.word_cases(batch["word_cases"]).to(states.dtype), batch["evidence"].to(states.dtype)]
        return self.inner(torch.cat(parts, -1))

    def forward(self, batch: Mapping[str, Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        words = self.words(batch)
        return *self.heads(words).split([len(KINDS), len(FORMS), len(GENDERS)], -1), self.links(words)

    def links(self, words: Tensor) -> Tensor:
        """Windows × words × (words + 1): how well each word before answers each word; the last column, nobody."""
        number = words.size(1)
        scores = self.asks(words) @ self.answers(words).transpose(1, 2) / LINK**0.5
        scores = scores + self.weight(words).transpose(1, 2)
        places = torch.arange(number)
        apart = (places[:, None] - places[None]).clamp(min=1)
        scores = scores + self.distances(torch.log2(apart.float()).long().clamp(max=9)).squeeze(-1)
        scores = scores.masked_fill(places[None, :] >= places[:, None], float("-inf"))
        return torch.cat([scores, self.nobody(words)], -1)


def loss_of(outputs: tuple[Tensor, ...], windows: Sequence[Labelled]) -> dict[str, Tensor]:
    """For each head the mean negative log-likelihood that the right labels have together."""
    logs = [output.float().log_softmax(-1) for output in outputs]
    losses = {}
    for (name, values), log in zip((("kinds", KINDS), ("forms", FORMS), ("genders", GENDERS)), logs, strict=False):
        right = torch.zeros(log.shape, dtype=torch.bool)
        for row, one in enumerate(windows):
            for at, label in getattr(one.document, name).items():
                if at in one.places:
                    allowed = [values.index(value) for value in (label if isinstance(label, frozenset) else [label])]
                    right[row, at - one.places.start, allowed] = True
        losses[name] = _mean_loss(log, right)
    right = torch.zeros(logs[3].shape, dtype=torch.bool)
    for row, one in enumerate(windows):
        for at, antecedents in one.document.links.items():
            if at in one.places:
                start = one.places.start
                inside = [place - start for place in antecedents if start <= place < at]
                right[row, at - start, inside] = True
                right[row, at - start, -1] = NO_ANTECEDENT in antecedents or not inside
    losses["links"] = _mean_loss(logs[3], right)
    return {name: loss for name, loss in losses.items() if loss is not None}


def _mean_loss(log: Tensor, right: Tensor) -> Tensor | None:
    """Over the words that have a label."""
    labelled = right.any(-1)
    if not labelled.any():
        return None
    return -log[labelled].masked_fill(~right[labelled], float("-inf")).logsumexp(-1).mean()


def export(reader: Reader, batcher: Batcher, example: Labelled, folder: Path) -> None:
    """Write `reader.onnx`, with 8-bit weights, and the tokenizer beside it."""
    inputs = tensors(batcher, [example, example])
    sizes = {name: {0: "windows", 1: "words"} for name in (*inputs, *HEADS)}
    sizes |= {name: {0: "windows", 1: "sub_words"} for name in ("ids", "attention", "cases")}
    sizes["links"][2] = "candidates"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of traced conditions that no input changes
        unquantised = Path(place) / "unquantised.onnx"
        torch.onnx.export(
            Ordered(reader, tuple(inputs)).eval(),
            tuple(inputs.values()),
            str(unquantised),
            input_names=list(inputs),
            output_names=list(HEADS),
            dynamic_axes=sizes,
            opset_version=17,
            dynamo=False,
        )
        quantization.quantize_dynamic(unquantised, folder / "reader.onnx", per_channel=True)
    shutil.copyfile(batcher.file, folder / "tokenizer.json")


class Ordered(nn.Module):
    """The reader with its inputs in an order, as the export wants them."""

    def __init__(self, reader: Reader, names: Sequence[str]) -> None:
        super().__init__()
        self.reader, self.names = reader, names

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        return self.reader(dict(zip(self.names, inputs, strict=True)))
