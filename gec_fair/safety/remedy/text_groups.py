"""Whom a text names, as one feature: what Fairlearn calls the sensitive feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.safety.data.examples import Examples
from gec_fair.safety.data.scores import Integers

NOBODY, OTHERS = "nobody", "others"


@dataclass(frozen=True, slots=True)
class TextGroups:
    """Texts that name the same subgroups are a group. Groups with too few texts are one group together, OTHERS.

    `counts`: of each group the safe and unsafe texts that it was learned from. `rest`: the group of texts whose
    subgroups are in none: OTHERS, or where there is no such group the largest.
    """

    counts: dict[str, tuple[int, int]]
    rest: str

    @classmethod
    def learn(cls, examples: Examples, harm: str, rows: Integers, least: int) -> TextGroups:
        """From the texts at `rows`. A group has at least `least` texts of each label."""
        names, labels = _names(examples)[rows], examples.labels[harm][rows]
        counts = {
            name: (int((labels[names == name] == 0).sum()), int((labels[names == name] == 1).sum()))
            for name in dict.fromkeys(names.tolist())
        }
        by_size = sorted(counts, key=lambda name: (sum(counts[name]), name))
        large = [name for name in by_size if min(counts[name]) >= least]
        small = [name for name in counts if min(counts[name]) < least]
        while small and large and min(_sum(counts, small)) < least:
            small.append(large.pop(0))  # the smallest, so that OTHERS has enough
        groups = {name: counts[name] for name in sorted(large)}
        if not small:
            return cls(groups, large[-1] if large else OTHERS)
        return cls(groups | {OTHERS: _sum(counts, small)}, OTHERS)

    def assign(self, examples: Examples) -> NDArray[Any]:
        """(texts,) the group of each."""
        return np.array([name if name in self.counts else self.rest for name in _names(examples)], dtype=object)


def _names(examples: Examples) -> NDArray[Any]:
    names = ["; ".join(map(str, sorted(slices))) or NOBODY for slices in examples.named()]
    return np.array(names, dtype=object)


def _sum(counts: dict[str, tuple[int, int]], names: list[str]) -> tuple[int, int]:
    return sum(counts[name][0] for name in names), sum(counts[name][1] for name in names)
