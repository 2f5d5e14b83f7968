"""The order in which a whole run takes its data: a function of the seed alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from torch.utils.data import Sampler

from gec_fair.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_POOL = 50  # batches that are sorted by length together


class Order(Sampler[int]):
    """The order of a whole run: pass after pass over the data, each shuffled, `total` items in all.

    With `lengths`, batches of `batch` items hold items of like length: of every 50 batches' worth of shuffled items,
    sorted by length, cut into batches, and the batches shuffled; only the batch in which two passes meet is mixed. With
    `numbered`, an item of pass p is said as item + p × items, for what is drawn anew in each pass. A function of the
    seed alone, so that a resumed run continues it; cost O(items) a pass.
    """

    def __init__(
        self,
        items: int,
        total: int,
        seed: int,
        *,
        batch: int = 1,
        lengths: NDArray[np.int64] | None = None,
        numbered: bool = False,
    ) -> None:
        if not items:
            raise InputError("no sequences to train on")
        self.items, self.total, self.seed, self.batch, self.lengths = items, total, seed, batch, lengths
        self.numbered = numbered

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[int]:
        for number in range(-(-self.total // self.items)):
            done = number * self.items
            order = self._one_pass(number, -done % self.batch)[: self.total - done]
            yield from (order + done if self.numbered else order).tolist()

    def _one_pass(self, number: int, lead: int) -> NDArray[np.int64]:
        """Every item once; the first `lead` fill the batch that the pass before left unfilled."""
        chance = np.random.Generator(np.random.PCG64([self.seed, number]))
        order = chance.permutation(self.items)
        if self.lengths is None:
            return order
        pool = self.batch * _POOL
        # the items left over by whole batches come last, so that every batch but the last is of one pool
        pools = [part[np.argsort(self.lengths[part], kind="stable")[::-1]] for part in _cut(order[lead:], pool)]
        batches = [batch for part in pools for batch in _cut(part, self.batch)]
        full = [batch for batch in batches if len(batch) == self.batch]
        rest = [batch for batch in batches if len(batch) < self.batch]
        mixed = [full[place] for place in chance.permutation(len(full))]
        return np.concatenate([order[:lead], *mixed, *rest])


def _cut(items: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [items[at : at + size] for at in range(0, len(items), size)]
