"""Train a `TwoLayers`: Adam, dropout, and targets that may allow several classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from gec_fair.english.two_layers import TwoLayers


class Options(Protocol):
    """`rate` is Adam's; it falls to zero over the second half. `batch` is in rows."""

    hidden: int
    epochs: int
    rate: float
    batch: int
    dropout: float
    decay: float
    seed: int


def fit(
    rows: np.ndarray, targets: np.ndarray, options: Options, *, after_epoch: Callable[[TwoLayers], None] | None = None
) -> TwoLayers:
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
        if after_epoch is not None:
            after_epoch(learner.reader())
    return learner.reader()


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

    def reader(self) -> TwoLayers:
        return TwoLayers(*(self.weights[name].astype(np.float16).astype(np.float32) for name in self.weights))
