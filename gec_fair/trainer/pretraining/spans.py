"""Spans of sub-words to be guessed (SpanBERT, Joshi et al. 2020; as LTG-BERT, Samuel et al. 2023, draws them).

How many sub-words are hidden is binomial; spans of geometric length fall anywhere, over the ends too, until so many
are. A span as a whole is masked (80 %), made of random sub-words (10 %) or left as it is (10 %).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_STOPS, _LONGER = 1 / 3, 10  # a span ends with this chance after each sub-word; lengths are taken modulo ten
_TRIES = 100


def spans(free: NDArray[np.bool_], share: float, chance: np.random.Generator) -> NDArray[np.int8]:
    """(block): −1 if the place is not hidden, else how: 0 masked, 1 random, 2 as it is. `free`: what may be hidden. Of
    spans that overlap the first counts. All −1 if nothing may be hidden."""
    treatment = np.full(len(free), -1, dtype=np.int8)
    wanted = max(1, int(chance.binomial(int(free.sum()), share)))
    lengths = (chance.geometric(_STOPS, _TRIES) % _LONGER).tolist()
    places, lots = chance.random(_TRIES).tolist(), chance.random(_TRIES).tolist()
    hidden = 0
    for length, place, lot in zip(lengths, places, lots, strict=True):
        if hidden >= wanted:
            break
        if not length:
            continue
        first = int(place * (len(free) + length - 1)) - (length - 1)
        span = slice(max(0, first), first + length)
        new = free[span] & (treatment[span] < 0)
        treatment[span][new] = 0 if lot < 0.8 else 1 if lot < 0.9 else 2
        hidden += int(new.sum())
    return treatment
