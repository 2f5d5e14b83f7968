"""The gap by what was swapped: over the pairs in which a pronoun, noun, name or verb differs, and over the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gec_fair.evaluate import significance
from gec_fair.evaluate.significance import Counted, Interval
from gec_fair.evaluate.swapped import KINDS, Swapped


@dataclass(frozen=True, slots=True)
class Split:
    """`pairs` in which something of `kind` was swapped (`with_it`) or nothing of it (`with_it` False), and their gap;
    `words`: how many were."""

    kind: str
    with_it: bool
    pairs: int
    words: int
    delta: Interval

    @property
    def name(self) -> str:
        return f"{'with' if self.with_it else 'without'} {self.kind}"

    def as_json(self) -> dict[str, object]:
        delta = self.delta
        points = [round(100 * value, 2) for value in (delta.value, delta.low, delta.high)]
        return {"name": self.name, "pairs": self.pairs, "words": self.words, "delta": points[0], "ci95": points[1:],
                "p": delta.p}  # fmt: skip


def splits(
    swaps: Sequence[Sequence[Swapped]], counts: Counted, *, beta: float, resamples: int, seed: int
) -> tuple[Split, ...]:
    """Of counts (items, …, sides, 3); a kind that is in all pairs, or in none, tells nothing new and is left out."""
    found = []
    for kind in KINDS:
        words = [sum(s.kind == kind for s in of) for of in swaps]
        mask = np.array(words) > 0
        if mask.all() or not mask.any():
            continue
        for with_it in (True, False):
            chosen = counts[mask == with_it]
            delta = significance.gap(chosen, beta=beta, resamples=resamples, seed=seed)
            found.append(Split(kind, with_it, len(chosen), sum(words) if with_it else 0, delta))
    return tuple(found)
