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
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import MissingResource
from gec_fair.people.features import Rows, Seen

_LEAST = np.float32(1e-5)
"""Added to each variance, as PyTorch does."""
_EMBEDDED = ("tags", "cases", "words", "endings")


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear map (inputs × outputs), which first brings each row to mean 0 and variance 1 where `is_normed`."""

    weight: Rows
    bias: Rows
    is_normed: bool = False

    @classmethod
    def from_weights(cls, weights: Mapping[str, Rows], name: str, norm: str = "") -> Linear:
        """The map of that name; behind a normalisation, with its scale and shift."""
        weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        if not norm:
            return cls(weight, bias)
        scale, shift = weights[f"{norm}.weight"], weights[f"{norm}.bias"]
        return cls(scale[:, None] * weight, shift @ weight + bias, is_normed=True)

    def __call__(self, rows: Rows) -> Rows:
        """Of rows × inputs."""
        if self.is_normed:
            mean = np.full((rows.shape[1], 1), 1 / rows.shape[1], np.float32)
            centred = rows - rows @ mean
            rows = np.asarray(centred / np.sqrt((centred * centred) @ mean + _LEAST), np.float32)
        return rows @ self.weight + self.bias


@dataclass(frozen=True, eq=False)
class Layer:
    """Attention, and two linear maps with a ramp between them. `distances`: heads × distances between two words."""

    distances: Rows
    attending: Linear
    attended: Linear
    inner: Linear
    outer: Linear

    def __call__(self, states: Rows) -> Rows:
        """The states of the words (words × width) behind it."""
        states = states + self.attended(self._attention(states))
        return states + self.outer(np.maximum(self.inner(states), 0))

    def _attention(self, states: Rows) -> Rows:
        heads, reach = len(self.distances), self.distances.shape[1] // 2
        number, width = states.shape
        asks, answers, values = self.attending(states).reshape(number, 3, heads, width // heads).transpose(1, 2, 0, 3)
        places = np.arange(number)
        apart = np.clip(places[None] - places[:, None], -reach, reach) + reach
        likely = softmax(
            asks @ answers.transpose(0, 2, 1) / np.float32(sqrt(width // heads)) + self.distances[:, apart]
        )
        return np.asarray((likely @ values).transpose(1, 0, 2).reshape(number, width))


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
            self._layers.append(Layer(weights[f"{name}.bias"], attending, attended, inner, outer))

    def __call__(self, seen: Seen) -> Rows:
        """Logits (words × outputs)."""
        numbers = (seen.tags, seen.cases, seen.words, seen.endings)
        parts = [table[number] for table, number in zip(self._embedded, numbers, strict=True)]
        states = self._inputs(np.concatenate([seen.rows, *parts], axis=1))
        for layer in self._layers:
            states = layer(states)
        return self._heads(states)


def softmax(scores: Rows) -> Rows:
    """Probabilities along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def read_arrays(path: Path, *needed: str) -> dict[str, NDArray[Any]]:
    """The arrays of a file of weights. MissingResource if it is missing or damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in {*arrays.files, *needed}}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        raise MissingResource(
            f"the reader of people at {path} cannot be loaded ({error}); reinstall gec-fair"
        ) from error
