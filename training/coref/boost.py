"""Gradient boosting of complete trees under a softmax over groups: which row of a group is right?

Loss of a group: -log of the probability of its right rows together (several may be right, some may be unknown).
Numpy only; seeded; a few seconds per hundred trees and hundred thousand rows on one core.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gec_fair.people.links.ranker import Trees


@dataclass(frozen=True, slots=True)
class Recipe:
    """`shrink`: what is kept of each tree; `rows`, `features`: share of both that a tree may see; `leaf_weight`: least
    sum of second derivatives in a leaf; `ridge`: L2 on leaf values; `bins`: most thresholds tried per feature."""

    trees: int = 200
    depth: int = 4
    shrink: float = 0.08
    rows: float = 0.6
    features: float = 0.4
    leaf_weight: float = 3.0
    ridge: float = 3.0
    bins: int = 24


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows of all pronouns one after the other. `start` (groups + 1): where each begins; `right`: whether a row is
    right; `weight` per group."""

    rows: NDArray[np.float32]
    start: NDArray[np.int64]
    right: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @property
    def group(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def take(self, rows_taken: NDArray[np.int64]) -> Groups:
        sizes = np.diff(self.start)[rows_taken]
        index = np.concatenate([np.arange(self.start[g], self.start[g + 1]) for g in rows_taken])
        start = np.concatenate([[0], np.cumsum(sizes)])
        return Groups(self.rows[index], start, self.right[index], self.weight[rows_taken])


def softmax(scores: NDArray[np.float64], start: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    high = np.maximum.reduceat(scores, start[:-1])
    grown = np.exp(scores - high[group])
    return grown / np.add.reduceat(grown, start[:-1])[group]


def train(data: Groups, recipe: Recipe, seed: int) -> Trees:
    """Trees that rank the right rows first."""
    rng = np.random.default_rng(seed)
    cuts = _cuts(data.rows, recipe.bins)
    codes = np.stack(
        [np.searchsorted(cut, column, side="left") for cut, column in zip(cuts, data.rows.T, strict=True)], axis=1
    ).astype(np.uint8)
    group, weight = data.group, data.weight[data.group]
    scores = np.zeros(len(codes))
    grown = []
    for _ in range(recipe.trees):
        p = softmax(scores, data.start, group)
        good = p * data.right
        share = np.add.reduceat(good, data.start[:-1])[group]
        target = np.where(share > 0, good / np.maximum(share, 1e-12), p)
        gradient, curve = weight * (target - p), weight * np.maximum(p * (1 - p), 1e-4)
        picked = np.flatnonzero(rng.random(len(data.start) - 1)[group] < recipe.rows)
        columns = np.sort(rng.choice(codes.shape[1], max(1, int(codes.shape[1] * recipe.features)), replace=False))
        feature, cut, leaf = _grow(codes, gradient, curve, picked, columns, recipe)
        scores += leaf[_leaves(codes, feature, cut, recipe.depth)]
        threshold = [cuts[f][c] if c < len(cuts[f]) else np.inf for f, c in zip(feature, cut, strict=True)]
        grown.append((feature, threshold, leaf))
    features, thresholds, leaves = (np.array(part) for part in zip(*grown, strict=True))
    return Trees(features.astype(np.int16), thresholds.astype(np.float32), leaves.astype(np.float32))


def _cuts(rows: NDArray[np.float32], bins: int) -> list[NDArray[np.float32]]:
    """Thresholds per feature: between its values, at most `bins`. A row goes right if it is above."""
    trees = []
    for column in rows.T:
        values = np.unique(column)
        if len(values) > bins:
            values = np.unique(np.quantile(column, np.linspace(0, 1, bins + 1), method="nearest"))
        trees.append(((values[:-1] + values[1:]) / 2).astype(np.float32))
    return trees


def _grow(
    codes: NDArray[np.uint8],
    gradient: NDArray[np.float64],
    curve: NDArray[np.float64],
    picked: NDArray[np.int64],
    columns: NDArray[np.int64],
    recipe: Recipe,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """One tree, level by level: (feature, cut number) per node and a value per leaf."""
    inner, bins = 2**recipe.depth - 1, 64
    feature, cut = np.zeros(inner, dtype=np.int64), np.full(inner, bins - 1, dtype=np.int64)
    small = codes[np.ix_(picked, columns)].astype(np.int64)
    g, h = gradient[picked], curve[picked]
    node = np.zeros(len(picked), dtype=np.int64)
    offset = np.arange(len(columns)) * bins
    for level in range(recipe.depth):
        width, first = 2**level, 2**level - 1
        keys = (small + offset + (node * len(columns) * bins)[:, None]).ravel()
        shape = (width, len(columns), bins)
        size = width * len(columns) * bins
        left_g = np.bincount(keys, np.repeat(g, len(columns)), size).reshape(shape).cumsum(axis=2)
        left_h = np.bincount(keys, np.repeat(h, len(columns)), size).reshape(shape).cumsum(axis=2)
        right_g, right_h = left_g[..., -1:] - left_g, left_h[..., -1:] - left_h
        gain = left_g**2 / (left_h + recipe.ridge) + right_g**2 / (right_h + recipe.ridge)
        gain[(left_h < recipe.leaf_weight) | (right_h < recipe.leaf_weight)] = -1
        best = gain.reshape(width, -1).argmax(axis=1)
        for k in range(width):
            if gain.reshape(width, -1)[k, best[k]] > 0:
                feature[first + k], cut[first + k] = columns[best[k] // bins], best[k] % bins
        column = np.searchsorted(columns, feature[first + node])
        column = np.minimum(column, len(columns) - 1)
        above = np.where(cut[first + node] < bins - 1, small[np.arange(len(small)), column] > cut[first + node], False)
        node = 2 * node + above
    leaves = 2**recipe.depth
    total_g, total_h = np.bincount(node, g, leaves), np.bincount(node, h, leaves)
    return feature, cut, recipe.shrink * total_g / (total_h + recipe.ridge)


def _leaves(
    codes: NDArray[np.uint8], feature: NDArray[np.int64], cut: NDArray[np.int64], depth: int
) -> NDArray[np.int64]:
    node = np.zeros(len(codes), dtype=np.int64)
    lines = np.arange(len(codes))
    for _ in range(depth):
        node = 2 * node + 1 + (codes[lines, feature[node]] > cut[node])
    return node - len(feature)
