"""A small neural network of two layers that reads rows of features, shipped as a NumPy archive.

    rows (n, features) ──hidden, relu──▶ (n, width) ──out, softmax──▶ probabilities (n, classes)

Trained by `training/two_layers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.runs.atomic import open_whole

Rows: TypeAlias = NDArray[np.float32]

ARRAYS = ("hidden", "hidden_bias", "out", "out_bias")


@dataclass(frozen=True, slots=True, eq=False)
class TwoLayers:
    """The weights of two layers."""

    hidden: Rows
    hidden_bias: Rows
    out: Rows
    out_bias: Rows

    def probabilities(self, rows: Rows) -> Rows:
        """The softmax over the classes, (n, classes), for rows of features, (n, features)."""
        inner = np.maximum(rows @ self.hidden + self.hidden_bias, 0)
        scores = inner @ self.out + self.out_bias
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True), dtype=np.float32)

    def save(self, path: Path, **tables: NDArray[Any]) -> None:
        """Write the weights in half precision, and `tables` beside them."""
        weights = {name: getattr(self, name).astype(np.float16) for name in ARRAYS}
        with open_whole(path) as file:
            np.savez_compressed(file, allow_pickle=False, **weights, **tables)


@cache
def load(path: Path) -> TwoLayers:
    """The weights of a file, read once in a process."""
    with np.load(path, allow_pickle=False) as arrays:
        return TwoLayers(*(arrays[name].astype(np.float32) for name in ARRAYS))


@cache
def version(path: Path) -> str:
    """What names the weights in a manifest: `sha256:` and sixteen digits."""
    return f"sha256:{sha256(path.read_bytes()).hexdigest()[:16]}"
