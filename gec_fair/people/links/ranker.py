"""A referent is chosen by a sum of small trees, and the probabilities are a softmax over a pronoun's candidates.

    score(row) = Σ_t leaf_t(row)        P(candidate | pronoun) = softmax(scores of the pronoun's rows)

Trained by `training/coref/train.py`; read here with numpy alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import MissingResource, refusing_damage
from gec_fair.runs.atomic import open_whole

Floats = NDArray[np.float32]
_BLOCK = 256  # rows that walk down the trees together; more do not fit the cache


@dataclass(frozen=True, slots=True)
class Trees:
    """Complete binary trees of one depth: `feature` and `threshold` (trees, 2^depth - 1), `leaf` (trees, 2^depth).

    A row goes right where its feature is above the threshold; the children of node n are 2n + 1 and 2n + 2.
    """

    feature: NDArray[np.int16]
    threshold: Floats
    leaf: Floats

    @property
    def depth(self) -> int:
        """The depth of each tree."""
        return int(self.leaf.shape[1]).bit_length() - 1

    def score(self, rows: Floats) -> Floats:
        """(rows, features) → (rows,); memory for `_BLOCK` rows at a time."""
        scores = [self._score(rows[start : start + _BLOCK]) for start in range(0, len(rows), _BLOCK)]
        return np.concatenate(scores) if scores else np.zeros(0, dtype=np.float32)

    def _score(self, rows: Floats) -> Floats:
        trees, inner = np.arange(len(self.feature)), self.feature.shape[1]
        node = np.zeros((len(rows), len(trees)), dtype=np.int64)
        lines = rows.shape[1] * np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            place = node + inner * trees  # in the flattened tables, where looking up is three times as fast
            right = rows.take(lines + self.feature.take(place)) > self.threshold.take(place)
            node = 2 * node + 1 + right
        scores: Floats = self.leaf.take(node - inner + (inner + 1) * trees).sum(axis=1)
        return scores

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """The arrays that a file holds, under keys that begin with `name`."""
        return {
            f"{name}.feature": self.feature.astype(np.uint8),
            f"{name}.threshold": self.threshold.astype(np.float32),
            f"{name}.leaf": self.leaf.astype(np.float32),
        }

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[np.generic]], name: str) -> Trees:
        """The trees that `arrays` wrote."""
        return Trees(
            arrays[f"{name}.feature"].astype(np.int16),
            arrays[f"{name}.threshold"].astype(np.float32),
            arrays[f"{name}.leaf"].astype(np.float32),
        )


@dataclass(frozen=True, slots=True)
class Ranker:
    """Two stages of trees, and what is subtracted from the score of "no referent" before the last softmax. `names` are
    those of the columns that the trees were trained on; `about` tells where they come from (JSON)."""

    first: Trees
    second: Trees
    none_penalty: float
    names: tuple[str, ...]
    about: str = "{}"

    def save(self, path: Path) -> None:
        """One .npz file."""
        penalty = np.array([self.none_penalty], dtype=np.float32)
        stages = self.first.arrays("first") | self.second.arrays("second")
        texts = {"about": np.array(self.about), "names": np.array(self.names)}
        with open_whole(path) as file:
            np.savez_compressed(file, allow_pickle=False, none_penalty=penalty, **texts, **stages)

    @staticmethod
    def load(path: Path, names: tuple[str, ...]) -> Ranker:
        """MissingResource if the file is missing or damaged, or was trained on other columns than `names`."""
        if not path.is_file():
            raise MissingResource(f"{path.name} is missing; reinstall gec-fair, or run training/coref/train.py")
        with refusing_damage(path), np.load(path, allow_pickle=False) as arrays:
            stored = tuple(str(name) for name in arrays["names"]) if "names" in arrays else ()
            if stored != names:
                raise MissingResource(f"{path.name} was trained for other features; run training/coref/train.py again")
            first, second = Trees.from_arrays(arrays, "first"), Trees.from_arrays(arrays, "second")
            return Ranker(first, second, float(arrays["none_penalty"][0]), names, str(arrays["about"]))


def softmax(scores: Floats) -> Floats:
    """Probabilities along the last axis."""
    powers: Floats = scores - scores.max(axis=-1, keepdims=True)
    np.exp(powers, out=powers)
    powers /= powers.sum(axis=-1, keepdims=True)
    return powers
