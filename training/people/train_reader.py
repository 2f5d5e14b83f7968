"""Train the reader on what a teacher says of many texts, and on *her* and *his* whose form is known.

    GEC_FAIR_DATA=../shared/data python training/people/train_reader.py out/answers -o out/reader.npz

It is small enough for NumPy: it stands on the pipeline's word vectors (`features.py`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pronouns
import texts
import torch
from documents import read_documents
from name_draws import Names, filled
from safetensors.numpy import load_file
from torch import Tensor, nn
from train_teacher import with_surnames

sys.path.append(str(Path(__file__).parents[1]))

import weights

from gec_fair.english import pipeline
from gec_fair.people import features
from gec_fair.people.around import FORMS
from gec_fair.people.features import CASES, ENDINGS, WORDS, Pieces, Seen
from gec_fair.people.reader import GENDERS, KINDS, LINK, NAMES, VECTORS

SIZES = (1, 1, 1, 2, 3, 5, 8)
"""Sentences of the texts that users have, as often."""
SHORT, TEMPLATES = 16, 0.1
"""Most texts of fewer words are templates; of these a tenth is taken, so that they do not outweigh real text."""
STEPS = 32
"""Of the vectors of sub-words between 0 and 1; the file is compressed, and 3 MB smaller than without rounding."""
HEADS = (len(KINDS), len(FORMS), len(GENDERS), LINK, LINK, 2)


@dataclass(frozen=True)
class Options:
    encoder: str = "minilm"
    vectors: int = 128
    """Width of its sub-words' vectors."""
    width: int = 128
    layers: int = 2
    attention_heads: int = 4
    reach: int = 32
    """Words before and behind whose distance counts by itself."""
    epochs: int = 6
    batch: int = 64
    forms: int = 300_000
    """Pronouns of raw text that are turned into *her* or *his*."""
    treebanks: int = 4
    kinds: int = 40
    """Times that names are drawn for the short texts of `kinds.tsv`."""
    templates: int = 120
    """Times that the treebanks are taken, and each template filled."""
    rate: float = 2e-3
    unknown: float = 0.2
    """Of the words, read without knowing which."""
    held_out: float = 0.02
    seed: int = 1


class Layer(nn.Module):
    def __init__(self, options: Options) -> None:
        super().__init__()
        width = options.width
        self.heads, self.reach = options.attention_heads, options.reach
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.o = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.a, self.b = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.bias = nn.Parameter(torch.zeros(self.heads, 2 * self.reach + 1))
        self.drop = nn.Dropout(0.1)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        texts, number, width = states.shape
        size = width // self.heads
        asks, answers, values = (
            self.qkv(self.n1(states)).view(texts, number, 3, self.heads, size).permute(2, 0, 3, 1, 4)
        )
        places = torch.arange(number)
        apart = (places[None] - places[:, None]).clamp(-self.reach, self.reach) + self.reach
        scores = asks @ answers.transpose(-1, -2) / size**0.5 + self.bias[:, apart]
        likely = scores.masked_fill(~mask[:, None, None], -1e9).softmax(-1)
        states = states + self.drop(self.o((likely @ values).transpose(1, 2).reshape(texts, number, width)))
        return states + self.drop(self.b(self.a(self.n2(states)).relu()))


class Student(nn.Module):
    """The network of `gec_fair.people.network`, with its names."""

    def __init__(self, options: Options, rows: int) -> None:
        super().__init__()
        self.tags = nn.Embedding(len(features.tag_numbers()) + 1, 24)
        self.cases = nn.Embedding(CASES, 8)
        self.words = nn.Embedding(WORDS, 64)
        self.endings = nn.Embedding(ENDINGS, 16)
        self.inputs = nn.Linear(rows + 24 + 8 + 64 + 16, options.width)
        self.layers = nn.ModuleList(Layer(options) for _ in range(options.layers))
        self.n = nn.LayerNorm(options.width)
        self.heads = nn.Linear(options.width, sum(HEADS))
        self.drop = nn.Dropout(0.1)

    def forward(self, rows: Tensor, numbers: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        """Logits: kinds, forms, genders, links (texts × words × (words + 1))."""
        parts = [self.tags(numbers[0]), self.cases(numbers[1]), self.words(numbers[2]), self.endings(numbers[3])]
        states = self.drop(self.inputs(torch.cat([rows, *parts], -1)))
        for layer in self.layers:
            states = layer(states, mask)
        kinds, forms, genders, asks, answers, alone = self.heads(self.n(states)).split(HEADS, -1)
        scores = asks @ answers.transpose(1, 2) / LINK**0.5 + alone[..., :1].transpose(1, 2)
        places = torch.arange(rows.size(1))
        scores = scores.masked_fill(places[None] >= places[:, None], -1e9)
        return kinds, forms, genders, torch.cat([scores, alone[..., 1:]], -1)


@dataclass(frozen=True)
class Text:
    """A text as the reader sees it, and the answers to learn."""

    words: list[str]
    seen: Seen
    kinds: np.ndarray
    forms: np.ndarray
    genders: np.ndarray
    places: np.ndarray
    likely: np.ndarray
    nobody: np.ndarray


def read(path: Path, nlp, pieces: Pieces, rng: Random) -> Iterator[Text]:
    """The answers of a file, in pieces of as many sentences as users' texts have. The teacher saw more around them."""
    with np.load(path, allow_pickle=False) as arrays:
        texts = [line.split("\t") for line in bytes(arrays["text"]).decode("utf-8").split("\n")]
        answers = {name: arrays[name] for name in arrays.files if name != "text"}
    ends = np.cumsum([len(words) for words in texts])
    parts = [
        (words[first:last], {name: array[end - len(words) :][first:last] for name, array in answers.items()}, first)
        for words, end in zip(texts, ends, strict=True)
        if len(words) >= SHORT or rng.random() < TEMPLATES
        for first, last in cut(words, rng)
    ]
    docs = pipeline.tag(nlp, (words for words, _, _ in parts), batch_size=256)
    for (words, labels, first), doc in zip(parts, docs, strict=True):
        is_inside = (labels["places"] >= first) & (labels["places"] < first + len(words))
        labels["nobody"] = labels["nobody"] + (labels["likely"] * ~is_inside).sum(axis=1)
        labels["likely"] = labels["likely"] * is_inside
        labels["places"] = np.where(is_inside, labels["places"] - first, 0)
        labels["forms"] = np.zeros_like(labels["forms"])  # those of `with_forms` are known
        seen = features.see(doc, pieces)
        yield Text(words, replace(seen, rows=seen.rows.astype(np.float16)), **labels)


def cut(words: Sequence[str], rng: Random) -> Iterator[tuple[int, int]]:
    """Half-open runs of sentences, of sizes that are drawn."""
    borders = [at for at, word in enumerate(words, 1) if word in (".", "!", "?")]
    if not borders or borders[-1] < len(words):
        borders.append(len(words))
    first = 0
    while borders:
        size = rng.choice(SIZES)
        yield first, (last := borders[min(size, len(borders)) - 1])
        first, borders = last, borders[size:]


def with_forms(data: Path, nlp, pieces: Pieces, options: Options) -> Iterator[Text]:
    """*Her* and *his* whose form is known; of other words and heads these texts say nothing."""
    rng, documents = Random(options.seed), pronouns.convert.training_documents(data / "ud")
    shares = {word: share / 2 for word, share in pronouns.SHARES.items()}
    raw = pronouns.turned(nlp, pronouns.corpora(data, held_out=False), rng, shares)
    examples = list(islice(raw, options.forms))
    examples += list(pronouns.treebank(documents, "treebanks")) * options.treebanks
    words, templates = pronouns.Words(documents), pronouns.read_templates(Path(__file__).with_name("forms.tsv"))
    for _ in range(options.templates):
        examples += pronouns.filled(templates, words, rng)
    examples = [pronouns.noised(example, rng) for example in examples]
    for example, doc in zip(examples, pipeline.tag(nlp, (one.words for one in examples), batch_size=512), strict=True):
        seen, number = features.see(doc, pieces), len(example.words)
        forms = np.zeros((number, len(FORMS)), np.float16)
        forms[example.at, FORMS.index(example.form)] = 1
        nothing = [np.zeros((number, size), np.float16) for size in (len(KINDS), len(GENDERS), 1)]
        yield Text(
            list(example.words),
            replace(seen, rows=seen.rows.astype(np.float16)),
            nothing[0],
            forms,
            nothing[1],
            np.zeros((number, 1), np.int16),
            nothing[2],
            np.zeros(number, np.float16),
        )


def with_kinds(data: Path, nlp, pieces: Pieces, options: Options) -> Iterator[Text]:
    """Templates with the kinds and genders of their names. They have no labels for forms and links."""
    rng = Random(options.seed)
    known = Names(list(with_surnames(read_documents(data, nlp))))
    templates = texts.read_templates(Path(__file__).with_name("kinds.tsv"))
    documents = [one for number in range(options.kinds) for one in filled(templates, known, rng, number=number)]
    for document, doc in zip(documents, pipeline.tag(nlp, (one.words for one in documents)), strict=True):
        seen, number = features.see(doc, pieces), len(document.words)
        kinds, genders = (np.zeros((number, len(every)), np.float16) for every in (KINDS, GENDERS))
        for at, right in document.kinds.items():
            kinds[at] = [(kind.value in right) / len(right) for kind in KINDS]
        for at, gender in document.genders.items():
            genders[at] = [one is not None and one.value == gender for one in GENDERS]
        yield Text(
            document.words,
            replace(seen, rows=seen.rows.astype(np.float16)),
            kinds,
            np.zeros((number, len(FORMS)), np.float16),
            genders,
            np.zeros((number, 1), np.int16),
            np.zeros((number, 1), np.float16),
            np.zeros(number, np.float16),
        )


def inputs(texts: Sequence[Text]) -> tuple[Tensor, Tensor, Tensor]:
    size = (len(texts), max(len(text.words) for text in texts))
    rows = np.zeros((*size, texts[0].seen.rows.shape[1]), np.float32)
    numbers, mask = np.zeros((4, *size), np.int64), np.zeros(size, bool)
    for row, text in enumerate(texts):
        number = len(text.words)
        rows[row, :number], mask[row, :number] = text.seen.rows, True
        for place, name in enumerate(("tags", "cases", "words", "endings")):
            numbers[place, row, :number] = getattr(text.seen, name)
    return torch.from_numpy(rows), torch.from_numpy(numbers), torch.from_numpy(mask)


def targets(texts: Sequence[Text]) -> list[tuple[Tensor, Tensor]]:
    """For each head what is right (a distribution), and how much it counts. Kinds count for capitals and for nouns that
    name persons, forms for *her* and *his*, genders and links for persons and pronouns."""
    number = max(len(text.words) for text in texts)
    right = [np.zeros((len(texts), number, size), np.float32) for size in (*HEADS[:3], number + 1)]
    weights = [np.zeros((len(texts), number), np.float32) for _ in right]
    for row, text in enumerate(texts):
        inside = slice(len(text.words))
        for head, name in enumerate(("kinds", "forms", "genders")):
            right[head][row, inside] = getattr(text, name)
        somebody = text.kinds[:, :3].astype(np.float32).sum(1)
        lower = [word.lower() for word in text.words]
        is_pronoun = np.array([word in PRONOUNS for word in lower])
        is_name = np.array([word[:1].isupper() for word in text.words]) | (somebody > 0.3)
        weights[0][row, inside] = np.where(is_name & ~is_pronoun, 1, 0.05)
        weights[1][row, inside] = [word in ("her", "his") for word in lower]
        weights[2][row, inside] = somebody * ~is_pronoun
        weights[3][row, inside] = np.where(is_pronoun, 1, somebody)
        places = np.arange(len(text.words))[:, None]
        np.add.at(right[3][row], (places, text.places), text.likely)
        right[3][row, inside, -1] = text.nobody
        right[3][row, inside] /= np.maximum(right[3][row, inside].sum(1, keepdims=True), 1e-6)
        for one, weight in zip(right, weights, strict=True):
            weight[row] *= one[row].any(-1)
    return [(torch.from_numpy(one), torch.from_numpy(weight)) for one, weight in zip(right, weights, strict=True)]


PRONOUNS = frozenset("he she him her his hers himself herself".split())


def losses(student: Student, texts: Sequence[Text], unknown: float = 0.0) -> list[Tensor]:
    rows, numbers, mask = inputs(texts)
    if unknown:
        numbers[2] *= torch.rand(numbers[2].shape) >= unknown
        numbers[3] *= torch.rand(numbers[3].shape) >= unknown
    outputs = student(rows, numbers, mask)
    return [
        (-(right * output.log_softmax(-1)).sum(-1) * weight).sum() / weight.sum().clamp(min=1e-6)
        for output, (right, weight) in zip(outputs, targets(texts), strict=True)
    ]


def batches(texts: Sequence[Text], rng: Random, options: Options) -> list[list[Text]]:
    order = list(texts)
    rng.shuffle(order)
    chosen: list[list[Text]] = []
    for at in range(0, len(order), 50 * options.batch):
        part = sorted(order[at : at + 50 * options.batch], key=lambda text: len(text.words))
        chosen += [part[n : n + options.batch] for n in range(0, len(part), options.batch)]
    rng.shuffle(chosen)
    return chosen


def train(
    texts: Sequence[Text],
    held_out: Sequence[Text],
    options: Options,
    start: Sequence[Path] = (),
    save_epoch: Callable[[Student], None] = lambda _: None,
) -> Student:
    """`save_epoch` gets the student behind every epoch; of none, as it starts."""
    torch.manual_seed(options.seed)
    rng = Random(options.seed)
    student = Student(options, texts[0].seen.rows.shape[1])
    if start:
        load(student, start)
    if not options.epochs:
        save_epoch(student)
        return student
    optimizer = torch.optim.AdamW(student.parameters(), lr=options.rate, weight_decay=0.01)
    total = options.epochs * len(batches(texts, rng, options))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, total_steps=total + 1, pct_start=0.05)
    started = time.process_time()
    for epoch in range(options.epochs):
        student.train()
        sums = np.zeros(4)
        chosen = batches(texts, rng, options)
        for batch in chosen:
            parts = losses(student, batch, options.unknown)
            optimizer.zero_grad()
            sum(parts).backward()
            nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            sums += [part.item() for part in parts]
        student.eval()
        save_epoch(student)
        with torch.inference_mode():
            parts = [
                losses(student, held_out[at : at + options.batch]) for at in range(0, len(held_out), options.batch)
            ]
        rest = np.mean([[part.item() for part in one] for one in parts], axis=0)
        said = " ".join(f"{a:.3f}/{b:.3f}" for a, b in zip(sums / len(chosen), rest, strict=True))
        print(f"{epoch + 1} of {options.epochs}: {said}, {time.process_time() - started:.0f} s", flush=True)
    return student


def read_pieces(folder: Path, width: int) -> Pieces:
    """The vectors of an encoder's sub-words, as so many principal components."""
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    names = sorted(vocabulary, key=vocabulary.__getitem__)
    file = load_file(folder / "model.safetensors")
    vectors = next(array for name, array in file.items() if name.endswith("embeddings.word_embeddings.weight"))
    centred = vectors.astype(np.float32) - vectors.mean(axis=0)
    _, components = np.linalg.eigh(centred.T @ centred)
    chosen = centred @ components[:, -width:]
    return Pieces(names, chosen / chosen.std())


def load(student: Student, paths: Sequence[Path]) -> None:
    """Take the weights that `save` wrote; of several files their mean."""
    states: list[dict[str, np.ndarray]] = []
    for path in paths:
        with np.load(path, allow_pickle=False) as arrays:
            states.append({name: arrays[name] for name in arrays.files if name not in (NAMES, VECTORS)})
    state = {name: np.mean([one[name].astype(np.float32) for one in states], axis=0) for name in states[0]}
    for name, module in student.named_modules():
        if isinstance(module, nn.Linear):
            state[f"{name}.weight"] = np.ascontiguousarray(state[f"{name}.weight"].T)
    student.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})


def save(student: Student, pieces: Pieces, path: Path) -> None:
    """Write the weights in half precision, those of linear maps as inputs × outputs."""
    arrays = {name: weight.detach().numpy().astype(np.float16) for name, weight in student.state_dict().items()}
    for name, module in student.named_modules():
        if isinstance(module, nn.Linear):
            arrays[f"{name}.weight"] = np.ascontiguousarray(arrays[f"{name}.weight"].T)
    arrays[VECTORS] = (np.round(STEPS * pieces.vectors) / STEPS).astype(np.float16)
    arrays[NAMES] = np.frombuffer("\n".join(pieces.names).encode("utf-8"), np.uint8)
    np.savez_compressed(path, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", type=Path, help="a folder that ask_teacher.py wrote")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--start", type=Path, nargs="+", default=[], help="readers to go on from: their mean")
    for name in ("width", "layers", "epochs", "rate", "unknown", "forms"):
        default = getattr(Options(), name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    arguments = vars(parser.parse_args())
    folder, output, start = (arguments.pop(name) for name in ("answers", "output", "start"))
    options, nlp = Options(**arguments), pipeline.load()
    pieces = read_pieces(weights.fetch(options.encoder), options.vectors)
    rng = Random(options.seed)
    answers = [text for path in sorted(folder.glob("*.npz")) for text in read(path, nlp, pieces, rng)]
    number = int(options.held_out * len(answers))
    data = Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))
    answers += [*with_forms(data, nlp, pieces, options), *with_kinds(data, nlp, pieces, options)]
    print(f"{len(answers)} texts, {sum(len(text.words) for text in answers)} words", flush=True)
    train(answers[number:], answers[:number], options, start, lambda student: save(student, pieces, output))


if __name__ == "__main__":
    main()
