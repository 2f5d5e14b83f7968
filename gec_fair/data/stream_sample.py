"""So many of the items of a stream whose length is not known, drawn by seed and place: the same ones whatever the
stream is cut into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
Keys = NDArray[np.uint64]
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_GOLDEN = 0x9E3779B97F4A7C15


def keys(first: int, number: int, seed: int) -> Keys:
    """The keys of the items first, first + 1, …: SplitMix64 (Steele et al. 2014) of their places; the smallest are
    drawn."""
    with np.errstate(over="ignore"):
        place = np.arange(first, first + number, dtype=np.uint64) + np.uint64((seed + 1) % 2**64) * np.uint64(_GOLDEN)
        place = (place + np.uint64(1)) * np.uint64(_GOLDEN)
        for shift, factor in _STEPS:
            place = (place ^ (place >> np.uint64(shift))) * np.uint64(factor)
        return np.asarray(place ^ (place >> np.uint64(31)))


class Sample(Generic[Item]):
    """The `size` items with the smallest keys of all that were offered; 0 keeps all."""

    def __init__(self, size: int) -> None:
        self.size, self.offered = size, 0
        self._keys: list[Keys] = []
        self._items: list[Item] = []
        self._bound = np.uint64(2**64 - 1)

    def offer(self, keys: Keys, items: Sequence[Item]) -> None:
        """Offer items with their random keys; those with the smallest keys stay."""
        self.offered += len(items)
        near = np.flatnonzero(keys <= self._bound).tolist()
        self._keys.append(keys[near])
        self._items += [items[n] for n in near]
        if self.size and len(self._items) > 2 * self.size:
            self._prune()

    def items(self) -> list[Item]:
        """By key, which is not an order of the stream."""
        self._prune()
        return list(self._items)

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.size or self.offered <= self.size

    def _prune(self) -> None:
        all_keys = np.concatenate(self._keys) if self._keys else np.zeros(0, np.uint64)
        order = np.argsort(all_keys, kind="stable")[: self.size or None].tolist()
        self._items = [self._items[n] for n in order]
        self._keys = [all_keys[order]]
        if self.size and len(order) == self.size:
            self._bound = all_keys[order[-1]]
