"""Teach the shared tok2vec the shapes and company of rare words: predict masked words' characters in raw text.

The text is GEC_FAIR_DATA/babylm/mixed7m (sources and licences: the model's ATTRIBUTION.md). Half of it is read with all
tokens space-separated and some of it lower-cased, as GEC text comes.
"""

from __future__ import annotations

import lzma
import random
import time
from collections.abc import Iterator
from pathlib import Path

SOURCES = ("childes", "dialogue", "fairytales", "wikipedia", "gutenberg")
LONGEST = 120  # tokens of a text: long paragraphs are cut there


def read_lines(folder: Path) -> list[str]:
    """Distinct non-empty lines; a speaker's mark (`A: `) is no word of the text."""
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


def pretrain(config_path: Path, folder: Path, output: Path, *, minutes: float, batch_words: int = 3000) -> dict:
    """Write the weights of the tok2vec layer to `output`; the learning rate falls to zero at the end of `minutes`."""
    from spacy.tokens import Doc
    from spacy.training.pretrain import create_pretraining_model, make_update
    from spacy.util import load_config, load_model_from_config, registry
    from thinc.api import fix_random_seed

    config = load_config(config_path)
    fix_random_seed(config["training"]["seed"])
    peak = float(config["pretraining"]["optimizer"]["learn_rate"])
    settings = registry.resolve(config.pop("pretraining"))  # popped: spaCy would ask for its own loop's settings
    nlp = load_model_from_config(config, auto_fill=True)
    model = create_pretraining_model(nlp, settings)
    objective, optimizer = model.attrs["loss"], settings["optimizer"]
    stream = token_lists(nlp.tokenizer, read_lines(folder), random.Random(config["training"]["seed"]))
    begin, words, step, loss = time.time(), 0, 0, 0.0
    while (done := (time.time() - begin) / (60 * minutes)) < 1:
        optimizer.learn_rate = peak * min(1.0, (step + 1) / 100, 2.5 * (1 - done))
        docs, size = [], 0
        while size < batch_words:
            forms, spaces = next(stream)
            docs.append(Doc(nlp.vocab, words=forms, spaces=spaces))
            size += len(forms)
        loss += make_update(model, docs, optimizer, objective) / size
        words, step = words + size, step + 1
        if step % 50 == 0:
            print(f"pretrain step {step} words {words} loss {loss / 50:.4f} w/s {words / (time.time() - begin):.0f}", flush=True)
            loss = 0.0
        if step % 500 == 0:
            save(model, optimizer, output)
    save(model, optimizer, output)
    return {"words": words, "steps": step, "minutes": minutes}


def save(model, optimizer, output: Path) -> None:
    with model.use_params(optimizer.averages):
        output.write_bytes(model.get_ref("tok2vec").to_bytes())


if __name__ == "__main__":
    import sys

    from convert import data_folder

    print(pretrain(Path(__file__).with_name("config.cfg"), data_folder(), Path(sys.argv[1]), minutes=float(sys.argv[2])))
