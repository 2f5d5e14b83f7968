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
from typing import Any

import numpy as np

from gec_fair.errors import UsageError
from gec_fair.registry import Factory, Registry

OVERLAP = "overlap"
Measure = Callable[[Sequence[Sequence[str]]], "float | None"]
"""Sentences of words → their coherence; None for fewer than two that have a vector."""


@cache
def measure(name: str) -> Measure:
    """The measure of that name. UsageError for another name, or a pipeline without vectors; MissingResource for a
    pipeline that is not here."""
    return MEASURES.load(name)


def overlap(sentences: Sequence[Sequence[str]]) -> float | None:
    """The overlap of lower-cased words."""
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


def _by_pipeline(name: str) -> Measure:
    """Measure coherence by mean vectors; the vector of an unknown word is zero."""
    from gec_fair.english.pipeline import load

    vocabulary = load(name).vocab
    if not vocabulary.vectors_length:
        raise UsageError(f"{name} has no word vectors; give a pipeline that has (en_core_web_lg), or {OVERLAP}")
    vector: Callable[[str], Any] = cache(vocabulary.get_vector)

    def coherence(sentences: Sequence[Sequence[str]]) -> float | None:
        rows = [np.mean([vector(word) for word in words], axis=0) for words in sentences if words]
        sizes = [float(np.linalg.norm(row)) for row in rows]
        similarities = [
            float(one @ second) / (size * more) if size and more else 0.0
            for (one, size), (second, more) in pairwise(zip(rows, sizes, strict=True))
        ]
        return fmean(similarities) if similarities else None

    return coherence


MEASURES: Registry[Measure] = Registry(
    "vectors",
    {
        OVERLAP: Factory(lambda: overlap),
        "spacy": Factory(_by_pipeline, argument="PIPELINE"),
    },
)
