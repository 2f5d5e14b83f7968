"""Teach the shared tok2vec the shapes and company of rare words: predict masked words' characters in raw text.

The text is GEC_FAIR_DATA/babylm/mixed7m (sources and licences: the model's ATTRIBUTION.md). Half of it is read with all
tokens space-separated and some of it lower-cased, as GEC text comes.
"""

from __future__ import annotations

import lzma
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path

SOURCES = ("childes", "dialogue", "fairytales", "wikipedia", "gutenberg")
LONGEST = 120  # tokens of a text: long paragraphs are cut there


def read_lines(folder: Path) -> list[str]:
    """Distinct non-empty lines; a speaker's mark (`A: `) is not a word of the text."""
    lines: dict[str, None] = {}
    for source in SOURCES:
        with lzma.open(folder / "babylm" / "mixed7m" / f"train.{source}.txt.xz", "rt", encoding="utf-8") as file:
            for line in file:
                text = line.strip()
                lines[text[3:] if text[:3] in ("A: ", "B: ") else text] = None
    lines.pop("", None)
    return list(lines)


def token_lists(tokenizer, lines: list[str], rng: random.Random) -> Iterator[tuple[list[str], list[bool]]]:
    """(words, spaces) of texts in random order, for ever."""
    while True:
        rng.shuffle(lines)
        for line in lines:
            doc = tokenizer(line.lower() if rng.random() < 0.1 else line)
            detached = rng.random() < 0.5
            for start in range(0, len(doc), LONGEST):
                part = doc[start : start + LONGEST]
                yield [t.text for t in part], [detached or bool(t.whitespace_) for t in part]


def pretrain(
    config_path: Path, folder: Path, output: Path, *, steps: int, minutes: float = math.inf, batch_words: int = 3000
) -> None:
    """Write the weights of the tok2vec layer to `output`; the learning rate falls to zero at the end of `steps` (or of
    `minutes`, whichever comes first)."""
    from spacy.util import load_config, load_model_from_config, registry
    from thinc.api import fix_random_seed

    config = load_config(config_path)
    seed, peak = config["training"]["seed"], config["pretraining"]["optimizer"]["learn_rate"]
    fix_random_seed(seed)
    settings = registry.resolve(config.pop("pretraining"))  # popped: spaCy would ask for its own loop's settings
    nlp = load_model_from_config(config, auto_fill=True)
    model, optimizer = create_model(nlp, settings), settings["optimizer"]
    stream = token_lists(nlp.tokenizer, read_lines(folder), random.Random(seed))
    begin, loss = time.time(), 0.0
    for step in range(1, steps + 1):
        done = max(step / steps, (time.time() - begin) / (60 * minutes))
        if done > 1:
            break
        optimizer.learn_rate = peak * min(1.0, step / 100, 2.5 * (1 - done))
        loss += update(model, optimizer, batch(nlp.vocab, stream, batch_words))
        if step % 50 == 0:
            print(f"pretrain step {step} minute {(time.time() - begin) / 60:.1f} loss {loss / 50:.4f}", flush=True)
            loss = 0.0
    with model.use_params(optimizer.averages):
        output.write_bytes(model.get_ref("tok2vec").to_bytes())


def create_model(nlp, settings: dict):
    from spacy.training.pretrain import create_pretraining_model

    return create_pretraining_model(nlp, settings)


def batch(vocab, stream: Iterator[tuple[list[str], list[bool]]], size: int) -> list:
    from spacy.tokens import Doc

    docs, words = [], 0
    while words < size:
        forms, spaces = next(stream)
        docs.append(Doc(vocab, words=forms, spaces=spaces))
        words += len(forms)
    return docs


def update(model, optimizer, docs: list) -> float:
    """Loss a word."""
    from spacy.training.pretrain import make_update

    return make_update(model, docs, optimizer, model.attrs["loss"]) / sum(map(len, docs))
