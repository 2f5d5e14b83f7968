"""Train what reads *her* and *his* by the words right around (`gec_fair/people/around.npz`).

    GEC_FAIR_DATA=../shared/data python training/people/train_around.py -o gec_fair/people/around.npz

How well it reads, with the reader of the whole text: `benchmarks/people.py --only d`.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
import pronouns
from pronouns import Example

from gec_fair.english import pipeline
from gec_fair.people import around
from gec_fair.people.around import FORMS, LAYERS, LEAST, Patterns

NUMBER = {form: at for at, form in enumerate(FORMS)}


@dataclass(frozen=True)
class Options:
    examples: int = 900_000
    templates: int = 300
    """How often every template is filled."""
    treebanks: int = 6
    """How often the treebanks' examples are taken."""
    epochs: int = 12
    hidden: int = 160
    rate: float = 2e-3
    dropout: float = 0.25
    batch: int = 512
    decay: float = 1e-4
    seed: int = 1


def rows_of(nlp, examples: Sequence[Example]) -> tuple[np.ndarray, np.ndarray, Patterns]:
    """Features; targets, one of three; and the table of patterns. In the features of an example its own pattern is not
    counted."""
    rows, near, numbers = [], [], []
    for example, doc in zip(examples, pipeline.tag(nlp, (e.words for e in examples), batch_size=512), strict=True):
        rows.append(around.features(doc, example.at).astype(np.float16))
        words, tags = [token.lower_ for token in doc], [token.tag_ for token in doc]
        near.append([around.code(p) for p in around.patterns_around(words, tags, example.at)])
        numbers.append(NUMBER[example.form])
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    counted: set[tuple[tuple[str, ...], int]] = set()
    natural = []
    for example, codes, number in zip(examples, near, numbers, strict=True):
        key = (example.words, example.at)
        natural.append(example.source != "templates")
        if natural[-1] and key not in counted:
            counted.add(key)
            for code in codes:
                counts[code][number > 0] += 1
    seen = np.zeros((len(rows), 2 * len(near[0])), dtype=np.float16)
    for at, (codes, number) in enumerate(zip(near, numbers, strict=True)):
        for column, code in enumerate(codes):
            owned, second = counts.get(code, (0, 0))
            if natural[at]:
                owned, second = owned - (number == 0), second - (number > 0)
            if owned + second >= LEAST:
                seen[at, 2 * column : 2 * column + 2] = _odds(owned, second)
    frequent = sorted((code, *_odds(*both)) for code, both in counts.items() if sum(both) >= LEAST)
    codes, odds, times = zip(*frequent, strict=True)
    table = Patterns(np.array(codes, np.uint32), np.array(odds, np.float16), np.array(times, np.float16))
    targets = np.eye(len(FORMS), dtype=np.float32)[numbers]
    return np.concatenate([np.stack(rows), seen], axis=1), targets, table


def _odds(owned: int, second: int) -> tuple[float, float]:
    owned, second = max(owned, 0), max(second, 0)  # the same words may have both forms
    return float(np.log((owned + 0.4) / (second + 0.4)) / 3), float(np.log1p(owned + second) / 5)


def examples(nlp, folder: Path, options: Options) -> list[Example]:
    rng = Random(options.seed)
    chosen = list(pronouns.turned(nlp, pronouns.corpora(folder, held_out=False), rng))
    rng.shuffle(chosen)
    chosen = chosen[: options.examples]
    documents = pronouns.convert.training_documents(folder / "ud")
    chosen += list(pronouns.treebank(documents, "treebanks")) * options.treebanks
    words, templates = pronouns.Words(documents), pronouns.read_templates(Path(__file__).with_name("forms.tsv"))
    for _ in range(options.templates):
        chosen += pronouns.filled(templates, words, rng)
    return [pronouns.noised(example, rng) for example in chosen]


def fit(rows: np.ndarray, targets: np.ndarray, options: Options) -> dict[str, np.ndarray]:
    """Weights for rows (n, features) and targets (n, classes); in half precision rows take half the memory."""
    order, learner = np.random.default_rng(options.seed), Learner(rows.shape[1], targets.shape[1], options)
    steps = options.epochs * len(rows) // options.batch
    for epoch in range(options.epochs):
        losses = []
        shuffled = order.permutation(len(rows))
        for start in range(0, len(rows), options.batch):
            chosen = shuffled[start : start + options.batch]
            rate = options.rate * min(1.0, 2 * (1 - learner.step / (steps + 1)))
            losses.append(learner.update(rows[chosen].astype(np.float32), targets[chosen], max(rate, 0.0)))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)
    return learner.weights


class Learner:
    """Two layers, trained with Adam on the sum of the probabilities of the kinds that are right."""

    def __init__(self, width: int, classes: int, options: Options) -> None:
        rng = np.random.default_rng(options.seed)
        self.options, self.rng = options, rng
        self.weights = {
            "hidden": rng.normal(0, (2 / width) ** 0.5, (width, options.hidden)).astype(np.float32),
            "hidden_bias": np.zeros(options.hidden, dtype=np.float32),
            "out": rng.normal(0, (1 / options.hidden) ** 0.5, (options.hidden, classes)).astype(np.float32),
            "out_bias": np.zeros(classes, dtype=np.float32),
        }
        self.moments = {name: [np.zeros_like(value), np.zeros_like(value)] for name, value in self.weights.items()}
        self.step = 0

    def update(self, rows: np.ndarray, targets: np.ndarray, rate: float) -> float:
        w, keep = self.weights, 1 - self.options.dropout
        rows = rows * (self.rng.random(rows.shape) > 0.1) / 0.9
        pre = rows @ w["hidden"] + w["hidden_bias"]
        mask = (self.rng.random(pre.shape) < keep) / keep
        inner = np.maximum(pre, 0) * mask
        scores = inner @ w["out"] + w["out_bias"]
        p = np.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        right = (p * targets).sum(1, keepdims=True)
        d = (p - p * targets / np.maximum(right, 1e-9)) / len(rows)
        grads = {"out": inner.T @ d, "out_bias": d.sum(0)}
        back = (d @ w["out"].T) * mask * (pre > 0)
        grads |= {"hidden": rows.T @ back, "hidden_bias": back.sum(0)}
        self.step += 1
        for name, grad in grads.items():
            m, v = self.moments[name]
            m += 0.1 * (grad - m)
            v += 0.001 * (grad**2 - v)
            change = (m / (1 - 0.9**self.step)) / (np.sqrt(v / (1 - 0.999**self.step)) + 1e-8)
            w[name] -= (rate * (change + self.options.decay * w[name])).astype(np.float32)
        return float(-np.log(np.maximum(right, 1e-9)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--examples", type=int, default=Options().examples)
    parser.add_argument("--epochs", type=int, default=Options().epochs)
    arguments = parser.parse_args()
    options = replace(Options(), examples=arguments.examples, epochs=arguments.epochs)
    folder = Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))
    nlp = pipeline.load()
    rows, targets, table = rows_of(nlp, examples(nlp, folder, options))
    print(f"{len(rows)} places, {len(table.codes)} patterns, by form {targets.sum(0)}", flush=True)
    weights = fit(rows, targets, options)
    save(weights, table, arguments.output)


def save(weights: dict[str, np.ndarray], table: Patterns, path: Path) -> None:
    layers = {name: weights[name].astype(np.float16) for name in LAYERS}
    np.savez_compressed(path, **layers, codes=table.codes, odds=table.odds, times=table.times)


if __name__ == "__main__":
    main()
