"""First-order coherence: the mean cosine of a sentence and the next one (appendix C.1, Table 11).

overlap           cosine of their word counts: no model is needed; lower than with vectors of meaning
spacy:PIPELINE    means of word vectors; the paper's pipeline is en_core_web_lg
glove:FILE        means of word vectors of a text file, as GloVe, fastText and word2vec write them
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from gec_fair.data.text_files import text_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.registry import Factory, Registry

OVERLAP = "overlap"
Measure = Callable[[Sequence[Sequence[str]]], "float | None"]
"""Sentences of words → their coherence; None for fewer than two that have a vector."""


@cache
def measure(name: str) -> Measure:
    """The measure of that name. UsageError for another name, or a pipeline without vectors; MissingResource for a
    pipeline that is not here; InputError for a file that does not hold vectors."""
    return MEASURES.load(name)


def overlap(sentences: Sequence[Sequence[str]]) -> float | None:
    """The overlap of lower-cased words."""
    counts = [Counter(map(str.lower, words)) for words in sentences if words]
    similarities = [_cosine(before, after) for before, after in pairwise(counts)]
    return fmean(similarities) if similarities else None


def _cosine(left: Counter[str], right: Counter[str]) -> float:
    shared = left.keys() & right.keys()
    if not shared:
        return 0.0
    return float(sum(left[word] * right[word] for word in shared) / (_square(left) * _square(right)) ** 0.5)


def _square(counts: Counter[str]) -> int:
    return sum(number * number for number in counts.values())


def _by_pipeline(name: str) -> Measure:
    from gec_fair.english.pipeline import load

    vocabulary = load(name).vocab
    if not vocabulary.vectors_length:
        raise UsageError(f"{name} has no word vectors; give a pipeline that has (en_core_web_lg), or {OVERLAP}")
    return _by_vectors(vocabulary.get_vector)


def _by_file(name: str) -> Measure:
    """A word that the file does not have is looked up in lower case, as GloVe's words are."""
    path, rows, width = Path(name), dict[str, Any](), 0
    for number, line in enumerate(text_lines(path), 1):
        if not line.strip():
            continue
        word, *rest = line.split()
        if number == 1 and len(rest) == 1 and word.isdigit() and rest[0].isdigit():
            continue  # the header of word2vec and fastText: how many rows, and how wide
        width = width or len(rest)
        try:
            row = np.array(rest[-width:], dtype=np.float32)
        except ValueError as fault:
            raise InputError(f"{path}:{number}: {fault}; give vectors as text") from fault
        if not width or len(row) < width or not np.isfinite(row).all():
            raise InputError(f"{path}:{number}: expected a word and {width or 'its'} numbers; give vectors as text")
        rows.setdefault(b" ".join([word, *rest[:-width]]).decode(), row)
    if not rows:
        raise InputError(f"{path}: holds no vectors; give word vectors as text, one word and its numbers per line")
    unknown = np.zeros(width, dtype=np.float32)
    return _by_vectors(lambda word: rows.get(word, rows.get(word.lower(), unknown)))


def _by_vectors(look_up: Callable[[str], Any]) -> Measure:
    """Measure coherence by mean vectors; the vector of an unknown word is zero."""
    vector = cache(look_up)

    def coherence(sentences: Sequence[Sequence[str]]) -> float | None:
        rows = [np.mean([vector(word) for word in words], axis=0) for words in sentences if words]
        sizes = [float(np.linalg.norm(row)) for row in rows]
        similarities = [
            float(before @ after) / (size * more) if size and more else 0.0
            for (before, size), (after, more) in pairwise(zip(rows, sizes, strict=True))
        ]
        return fmean(similarities) if similarities else None

    return coherence


MEASURES: Registry[Measure] = Registry(
    "vectors",
    {
        OVERLAP: Factory(lambda: overlap),
        "spacy": Factory(_by_pipeline, argument="PIPELINE"),
        "glove": Factory(_by_file, argument="FILE"),
    },
)
