"""A small transformer over the words of a text, in NumPy: it reads what is seen of each and gives logits.

    inputs (words × features) → layers of attention and two linear maps, each added to what it reads → heads

Each head of attention has a weight for the distance between two words. Trained by `training/people/train_reader.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.people.features import Numbers, Rows, Seen
from gec_fair.people.links.ranker import softmax

LONGEST = 200
"""Words that are read at once, at most."""
_LEAST = np.float32(1e-5)
"""Added to each variance, as PyTorch does."""
_EMBEDDED = ("tags", "cases", "words", "endings")


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear map (inputs × outputs). With `mean`, a column that takes the mean of a row, it first brings each row to
    mean 0 and variance 1."""

    weight: Rows
    bias: Rows
    mean: Rows | None = None

    @classmethod
    def from_weights(cls, weights: Mapping[str, Rows], name: str, norm: str = "") -> Linear:
        """The map of that name; behind a normalisation, with its scale and shift."""
        weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        if not norm:
            return cls(weight, bias)
        scale, shift, inputs = weights[f"{norm}.weight"], weights[f"{norm}.bias"], len(weight)
        return cls(scale[:, None] * weight, shift @ weight + bias, np.full((inputs, 1), 1 / inputs, np.float32))

    def __call__(self, rows: Rows) -> Rows:
        """Run the network on rows × inputs."""
        if self.mean is not None:
            rows = rows - rows @ self.mean
            rows /= np.sqrt((rows * rows) @ self.mean + _LEAST)
        rows = rows @ self.weight
        rows += self.bias
        return rows


@dataclass(frozen=True, eq=False)
class Layer:
    """Attention, and two linear maps with a ramp between them. `distances`: heads × words × words, a number for how far
    two words are apart."""

    distances: Rows
    attending: Linear
    attended: Linear
    inner: Linear
    outer: Linear

    def __call__(self, states: Rows) -> Rows:
        """The states of the words (words × width) behind it."""
        states = states + self.attended(self._attention(states))
        inner = self.inner(states)
        states += self.outer(np.maximum(inner, 0, out=inner))
        return states

    def _attention(self, states: Rows) -> Rows:
        heads, (number, width) = len(self.distances), states.shape
        asks, answers, values = self.attending(states).reshape(number, 3, heads, width // heads).transpose(1, 2, 0, 3)
        scores = asks @ answers.transpose(0, 2, 1)
        scores *= np.float32(1 / sqrt(width // heads))
        scores += self.distances[:, :number, :number]
        return np.asarray((softmax(scores) @ values).transpose(1, 0, 2).reshape(number, width))


class Network:
    """From weights by name, as PyTorch names them (`layers.0.qkv.weight`), but of linear maps inputs × outputs."""

    def __init__(self, weights: Mapping[str, Rows]) -> None:
        self._embedded = [weights[f"{name}.weight"] for name in _EMBEDDED]
        self._inputs, self._heads = Linear.from_weights(weights, "inputs"), Linear.from_weights(weights, "heads", "n")
        self._layers: list[Layer] = []
        while f"{(name := f'layers.{len(self._layers)}')}.bias" in weights:
            attending, inner = (
                Linear.from_weights(weights, f"{name}.qkv", f"{name}.n1"),
                Linear.from_weights(weights, f"{name}.a", f"{name}.n2"),
            )
            attended, outer = Linear.from_weights(weights, f"{name}.o"), Linear.from_weights(weights, f"{name}.b")
            distances = weights[f"{name}.bias"]
            self._layers.append(Layer(distances[:, _apart(distances.shape[1] // 2)], attending, attended, inner, outer))

    def __call__(self, seen: Seen) -> Rows:
        """Logits (words × outputs)."""
        numbers = (seen.tags, seen.cases, seen.words, seen.endings)
        parts = [table[number] for table, number in zip(self._embedded, numbers, strict=True)]
        states = self._inputs(np.concatenate([seen.rows, *parts], axis=1))
        for layer in self._layers:
            states = layer(states)
        return self._heads(states)


def _apart(reach: int) -> Numbers:
    """The number of the distance between every two of the most words that are read at once."""
    places = np.arange(LONGEST)
    return np.asarray(np.clip(places - places[:, None], -reach, reach) + reach)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file of weights."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
