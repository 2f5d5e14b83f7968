"""Counterfactual balance (§4): every text that names a subgroup is joined by one copy for every other subgroup of its
category, so that within a category all subgroups have equally many texts of each label.

A text of two categories wants a copy for every pair of subgroups: copies of one category alone would all name the same
subgroup of the other, and no weights make that even.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats

Named: TypeAlias = frozenset[Slice]


@dataclass(frozen=True, slots=True, eq=False)
class Balanced:
    """`weights`: (texts,) how often each text is in the balanced data; `uncopied`: by slice, texts for which it has not
    all copies, so that the balance is not whole; `several`: texts that name two subgroups of one category, which stay
    as they are."""

    weights: Floats
    uncopied: Mapping[Slice, int]
    several: int = 0


def balance(examples: Examples, harm: str, subgroups: Mapping[str, Sequence[str]]) -> Balanced:
    """Balance originals and their counterfactuals whose label is known. A copy is in the balanced data once for each
    original of its set and label that wants it; an original that names the same will do for one. `subgroups`: of each
    category those that a text should be joined by. Linear in texts."""
    labels = examples.labels[harm]
    known = labels != UNKNOWN
    weights = np.where(examples.copies | ~known, 0.0, 1.0)
    uncopied: Counter[Slice] = Counter()
    several = 0
    categories = {category: [Slice(category, name) for name in names] for category, names in subgroups.items()}
    named = list(map(frozenset, examples.find_subgroups()))
    members: dict[tuple[str, int], dict[Named, list[int]]] = {}
    for n in np.flatnonzero(known).tolist():
        if examples.sets[n]:
            members.setdefault((examples.sets[n], int(labels[n])), {}).setdefault(named[n], []).append(n)
    for n in np.flatnonzero(known & ~examples.copies).tolist():
        if len({subgroup.category for subgroup in named[n]}) < len(named[n]):
            several += 1
            continue
        missing: set[Slice] = set()
        for cell in _list_wanted(named[n], categories):
            texts = members.get((examples.sets[n], int(labels[n])), {}).get(cell, [])
            if texts:  # copies first; where the set has none, its own text that names the same once more
                fit = [m for m in texts if examples.copies[m]] or texts
                weights[fit] += 1 / len(fit)
            else:
                missing |= cell - named[n]
        uncopied.update(missing)
    return Balanced(weights, dict(sorted(uncopied.items(), key=lambda item: str(item[0]))), several)


def _list_wanted(whom: Named, categories: Mapping[str, Sequence[Slice]]) -> Iterator[Named]:
    """Every other choice of a subgroup for each category that is named."""
    for cell in product(*(categories[subgroup.category] for subgroup in sorted(whom))):
        if (others := frozenset(cell)) != whom:
            yield others
