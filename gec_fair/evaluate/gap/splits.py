"""The gap in parts: over the pairs in which a pronoun, noun, name or verb was swapped and over the others; and, where a
set's items are labelled, by label (they-probe: the kind of antecedent)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gec_fair.evaluate.evalsets.swaps import KINDS, Swapped
from gec_fair.evaluate.gap import significance
from gec_fair.evaluate.scoring.resampled import Counted
from gec_fair.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Split:
    """Some of the `pairs`, and the gap over them; `words`: how many words of the kind were swapped there."""

    name: str
    pairs: int
    words: int
    delta: Estimate

    def as_json(self) -> dict[str, object]:
        """The split's size, its gap in points and the interval."""
        return {"name": self.name, "pairs": self.pairs, "words": self.words, **significance.points(self.delta)}


def splits(
    swaps: Sequence[Sequence[Swapped]],
    counts: Counted,
    *,
    labels: Mapping[str, Sequence[str]] | None = None,
    beta: float,
    resamples: int,
    seed: int,
) -> tuple[Split, ...]:
    """Split counts (items, …, sides, 3) by label; `labels`: name of a label → its value for each item. What takes in
    all pairs, or none, tells nothing new and is left out."""
    names = []
    for name, mask, words in (*_by_swap(swaps), *_by_label(swaps, labels or {})):
        if mask.all() or not mask.any():
            continue
        delta = significance.gap(counts[mask], beta=beta, resamples=resamples, seed=seed)
        names.append(Split(name, int(mask.sum()), words, delta))
    return tuple(names)


def _by_swap(swaps: Sequence[Sequence[Swapped]]) -> Iterator[tuple[str, NDArray[np.bool_], int]]:
    for kind in KINDS:
        words = np.array([sum(s.kind == kind for s in sentence_swaps) for sentence_swaps in swaps])
        yield f"with {kind}", words > 0, int(words.sum())
        yield f"without {kind}", words == 0, 0


def _by_label(
    swaps: Sequence[Sequence[Swapped]], labels: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, NDArray[np.bool_], int]]:
    words = np.array([len(sentence_swaps) for sentence_swaps in swaps])
    for label, values in labels.items():
        for value in dict.fromkeys(values):
            mask = np.array([row_value == value for row_value in values])
            yield f"{label}: {value}", mask, int(words[mask].sum())
