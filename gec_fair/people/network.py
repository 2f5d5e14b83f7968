"""A small transformer over the words of a text, in NumPy: it reads what is seen of each and gives logits.

    inputs (words × features) → layers of attention and two linear maps, each added to what it reads → heads

Each head of attention has a weight for the distance between two words. Trained by `training/people/train_reader.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from gec_fair.people.features import Rows, Seen


@dataclass(frozen=True, eq=False)
class Network:
    """Weights by name, as PyTorch names them (`layers.0.qkv.weight`), but of linear maps inputs × outputs."""

    weights: Mapping[str, Rows]

    def __call__(self, seen: Seen) -> Rows:
        """Logits (words × outputs)."""
        parts = [self.weights[f"{name}.weight"][getattr(seen, name)] for name in ("tags", "cases", "words", "endings")]
        states = self._linear("inputs", np.concatenate([seen.rows, *parts], axis=1))
        number = 0
        while f"layers.{number}.bias" in self.weights:
            states = states + self._attention(f"layers.{number}", states)
            inner = self._linear(f"layers.{number}.a", self._norm(f"layers.{number}.n2", states))
            states = states + self._linear(f"layers.{number}.b", np.maximum(inner, 0))
            number += 1
        return self._linear("heads", self._norm("n", states))

    def _linear(self, name: str, rows: Rows) -> Rows:
        return rows @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _norm(self, name: str, rows: Rows) -> Rows:
        centred = rows - rows.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
        return np.asarray(centred / scale) * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _attention(self, name: str, rows: Rows) -> Rows:
        distances = self.weights[f"{name}.bias"]
        heads, reach = len(distances), distances.shape[1] // 2
        number, width = rows.shape
        asks, answers, values = (
            self._linear(f"{name}.qkv", self._norm(f"{name}.n1", rows))
            .reshape(number, 3, heads, width // heads)
            .transpose(1, 2, 0, 3)
        )
        places = np.arange(number)
        apart = np.clip(places[None] - places[:, None], -reach, reach) + reach
        likely = softmax(asks @ answers.transpose(0, 2, 1) / sqrt(width // heads) + distances[:, apart])
        return self._linear(f"{name}.o", (likely @ values).transpose(1, 0, 2).reshape(number, width))


def softmax(scores: Rows) -> Rows:
    """Probabilities along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)
