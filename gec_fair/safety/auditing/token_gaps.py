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
    compare. Time is that of sorting, however large the sets are."""
    sums, counts = _distances(scored, rows)
    yield EVERYONE, _means(sums, counts)
    for subgroup, members in scored.slices.items():
        inside = np.zeros(len(rows), dtype=np.bool_)
        inside[members] = rows[members]
        sums_inside, counts_inside = _distances(scored, inside)
        gaps = _means(sums - sums_inside, counts - counts_inside)
        yield subgroup, np.where(inside, gaps, np.nan)


def _means(sums: Floats, counts: Integers) -> Floats:
    means: Floats = np.where(counts > 0, np.maximum(sums, 0) / np.maximum(counts, 1), np.nan)
    return means


def _distances(scored: Scored, rows: Flags) -> tuple[Floats, Integers]:
    """(texts,) of each of the `rows` the sum of the distances to the others of its set among them, and how many these
    are; 0 for other texts."""
    places = np.flatnonzero(rows)
    order = places[np.lexsort((scored.scores[places], scored.sets[places]))]
    sets, index = scored.sets[order], np.arange(len(order))
    first, last = np.searchsorted(sets, sets, "left"), np.searchsorted(sets, sets, "right")
    scores = scored.scores[order]
    scores = scores - scores[first]  # from the lowest of the set, so that equal scores are exactly 0 apart
    before = np.concatenate([[0.0], np.cumsum(scores)])
    below = scores * (index - first) - (before[index] - before[first])
    above = (before[last] - before[index + 1]) - scores * (last - index - 1)
    sums, counts = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int64)
    sums[order], counts[order] = below + above, last - first - 1
    return sums, counts
