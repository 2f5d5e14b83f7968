"""First-order coherence: the mean cosine of a sentence and the next one (appendix C.1, Table 11).

overlap           cosine of their word counts: no model is needed; lower than with vectors of meaning
spacy:PIPELINE    means of word vectors; the paper's pipeline is en_core_web_lg
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import UsageError

OVERLAP = "overlap"
_SPACY = "spacy:"

Measure = Callable[[Sequence[Sequence[str]]], "float | None"]
"""Sentences of words → their coherence; None for fewer than two that have a vector."""


def measure(name: str) -> Measure:
    """UsageError for another name, or a pipeline without vectors; MissingResource for one that is not here."""
    if name == OVERLAP:
        return overlap
    if not name.startswith(_SPACY):
        raise UsageError(f"vectors is {name!r}; there are {OVERLAP} and {_SPACY}PIPELINE")
    return _by_vectors(name.removeprefix(_SPACY))


def overlap(sentences: Sequence[Sequence[str]]) -> float | None:
    """Of lower-cased words."""
    counts = [Counter(map(str.lower, words)) for words in sentences if words]
    similarities = [_cosine(one, second) for one, second in pairwise(counts)]
    return fmean(similarities) if similarities else None


def _cosine(one: Counter[str], second: Counter[str]) -> float:
    shared = one.keys() & second.keys()
    if not shared:
        return 0.0
    return float(sum(one[word] * second[word] for word in shared) / (_square(one) * _square(second)) ** 0.5)


def _square(counts: Counter[str]) -> int:
    return sum(number * number for number in counts.values())


@cache
def _by_vectors(name: str) -> Measure:
    from gec_fair.english.pipeline import load

    vocabulary = load(name).vocab
    if not vocabulary.vectors_length:
        raise UsageError(f"{name} has no word vectors; give a pipeline that has (en_core_web_lg), or {OVERLAP}")
    known: dict[str, NDArray[np.float32]] = {}

    def vector(word: str) -> NDArray[np.float32]:
        if word not in known:
            known[word] = np.asarray(vocabulary.get_vector(word), dtype=np.float32)
        return known[word]

    def coherence(sentences: Sequence[Sequence[str]]) -> float | None:
        rows = [np.mean([vector(word) for word in words], axis=0) for words in sentences if words]
        sizes = [float(np.linalg.norm(row)) for row in rows]
        similarities = [
            float(one @ second) / (size * more) if size and more else 0.0
            for (one, size), (second, more) in pairwise(zip(rows, sizes, strict=True))
        ]
        return fmean(similarities) if similarities else None

    return coherence
