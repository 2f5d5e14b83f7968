"""The counterfactual token fairness gap (Garg et al. 2019, §3): how far a score is from that of the counterfactuals.

    gap(x)  = mean over the counterfactuals x′ of |score(x) − score(x′)|
    gap     = mean of gap(x) over the texts

The texts of a set are counterfactuals of one another, so that each of them is x once. For a subgroup, x names it and x′
is every text of the set that does not. By truth, x and x′ are both safe or both unsafe.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Flags, Floats, Integers, Scored

EVERYONE = Slice("", "")
"""Instead of a subgroup: every text against all others of its set."""


def text_gaps(scored: Scored, rows: Flags) -> Iterator[tuple[Slice, Floats]]:
    """(texts,) gap(x) over EVERYONE and over each subgroup; NaN for texts that have no x′. `rows`: the texts to
    compare. Time is linear in the pairs of texts that share a set."""
    first, second = _pairs(scored.sets, rows)
    distances = np.abs(scored.scores[first] - scored.scores[second])
    one, other = np.concatenate([first, second]), np.concatenate([second, first])
    both = np.concatenate([distances, distances])
    yield EVERYONE, _means(one, both, len(rows))
    for slice_, members in scored.slices.items():
        inside = np.zeros(len(rows), dtype=np.bool_)
        inside[members] = True
        pairs = inside[one] & ~inside[other]
        yield slice_, _means(one[pairs], both[pairs], len(rows))


def _means(texts: Integers, distances: Floats, number: int) -> Floats:
    counts = np.bincount(texts, minlength=number)
    sums = np.bincount(texts, distances, number)
    means: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return means


def _pairs(sets: Integers, rows: Flags) -> tuple[Integers, Integers]:
    """The places of both texts of each pair within a set, each pair once."""
    places = np.flatnonzero(rows)
    places = places[np.argsort(sets[places], kind="stable")]
    ordered = sets[places]
    ends = np.searchsorted(ordered, ordered, "right")
    left = np.arange(len(places))
    firsts, seconds = [left[:0]], [left[:0]]
    step = 1
    while len(left := left[left + step < ends[left]]):
        firsts.append(places[left])
        seconds.append(places[left + step])
        step += 1
    return np.concatenate(firsts), np.concatenate(seconds)
