"""Sentences as pairs: as a learner might have written each, and as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from gec_fair.gec.noise.draw import add_errors
from gec_fair.gec.noise.rates import Rates


def synthetic(texts: Iterable[str], rates: Rates, *, seed: int = 0, copies: int = 1) -> Iterator[tuple[str, str]]:
    """`copies` pairs of every text that is not empty, words apart by single spaces. Drawn by seed, copy and text: other
    texts around it change nothing."""
    for text in texts:
        words = tuple(text.split())
        target = " ".join(words)
        for copy in range(copies if words else 0):
            yield " ".join(add_errors(words, rates, Random(f"{seed}:{copy}:{target}"))), target
