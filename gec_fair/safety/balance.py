"""Counterfactual balance (§4): every text that names a subgroup is joined by one copy for every other subgroup of its
category, so that within a category all subgroups have equally many texts of each label."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from gec_fair.safety.examples import Examples
from gec_fair.safety.groups import Slice
from gec_fair.safety.scored import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Balanced:
    """`weights`: (texts,) how often each text is in the balanced data; `lacking`: by slice, originals for which it has
    no copy, so that the balance is not whole."""

    weights: Floats
    lacking: dict[Slice, int]


def balance(some: Examples) -> Balanced:
    """Of originals and their counterfactuals. A copy is in the balanced data once for each original of its set that
    names another subgroup of its category; a text of the same set that names the copy's subgroup itself will do for
    one. Linear in texts."""
    weights = np.where(some.copies, 0.0, 1.0)
    lacking: Counter[Slice] = Counter()
    categories: dict[str, list[Slice]] = {}
    for each in some.slices:
        categories.setdefault(each.category, []).append(each)
    for slices in categories.values():
        by: dict[str, dict[Slice, list[int]]] = {}
        for each in slices:
            for n in some.slices[each].tolist():
                if some.sets[n]:
                    by.setdefault(some.sets[n], {}).setdefault(each, []).append(n)
        for members in by.values():
            originals = {each: sum(not some.copies[n] for n in members.get(each, ())) for each in slices}
            whole = sum(originals.values())
            for each in slices:
                wanted = whole - originals[each]
                if not wanted:
                    continue
                there = members.get(each, [])
                if there:  # copies first; where the set has none, its own text of that subgroup once more
                    fit = [n for n in there if some.copies[n]] or there
                    weights[fit] += wanted / len(fit)
                else:
                    lacking[each] += wanted
        for each in slices:
            alone = sum(not some.sets[n] and not some.copies[n] for n in some.slices[each].tolist())
            for other in slices:
                if other != each and alone:
                    lacking[other] += alone
    return Balanced(weights, dict(lacking))
