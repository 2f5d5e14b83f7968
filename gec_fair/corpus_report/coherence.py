"""First-order coherence: the mean cosine of a sentence and the next one (appendix C.1, Table 11).

overlap           cosine of their word counts: no model is needed; lower than with vectors of meaning
spacy:PIPELINE    means of word vectors; the paper's pipeline is en_core_web_lg
glove:FILE        means of word vectors of a text file, as GloVe, fastText and word2vec write them; or of a folder with
                  the rows in *_emb.npy and their words in *_index.parquet
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.data.text_files import text_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.extras import require
from gec_fair.registry import Factory, Registry

OVERLAP = "overlap"
Vector: TypeAlias = NDArray[np.float32]
Measure = Callable[[Sequence[Sequence[str]]], "float | None"]
"""Sentences of words → their coherence; None for fewer than two that have a vector."""


@cache
def measure(name: str) -> Measure:
    """The measure of that name. UsageError for another name, or a pipeline without vectors; MissingResource for a
    pipeline that is not here; InputError for a file that does not hold vectors."""
    return MEASURES.load(name)


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


def _by_vectors(vector: Callable[[str], Vector]) -> Measure:
    """Of means; `vector` gives that of a word, zeros for an unknown one."""
    vector = cache(vector)

    def coherence(sentences: Sequence[Sequence[str]]) -> float | None:
        rows = [np.mean([vector(word) for word in words], axis=0) for words in sentences if words]
        sizes = [float(np.linalg.norm(row)) for row in rows]
        similarities = [
            float(one @ second) / (size * more) if size and more else 0.0
            for (one, size), (second, more) in pairwise(zip(rows, sizes, strict=True))
        ]
        return fmean(similarities) if similarities else None

    return coherence


def _by_pipeline(name: str) -> Measure:
    from gec_fair.english.pipeline import load

    vocabulary = load(name).vocab
    if not vocabulary.vectors_length:
        raise UsageError(f"{name} has no word vectors; give a pipeline that has (en_core_web_lg), or {OVERLAP}")
    return _by_vectors(lambda word: np.asarray(vocabulary.get_vector(word), dtype=np.float32))


def _by_file(name: str) -> Measure:
    """A word that the file does not have is looked up in lower case, as GloVe's words are."""
    rows, width = _read_folder(Path(name)) if Path(name).is_dir() else _read_text(Path(name))

    def vector(word: str) -> Vector:
        row = rows(word)
        row = rows(word.lower()) if row is None else row
        return np.zeros(width, dtype=np.float32) if row is None else row

    return _by_vectors(vector)


def _read_text(path: Path) -> tuple[Callable[[str], Vector | None], int]:
    """The rows of `word number number …`, parsed when they are looked up, and their width."""
    rows: dict[str, tuple[int, bytes]] = {}
    width = 0
    for number, line in enumerate(text_lines(path), 1):
        word, *rest = line.rstrip().split(b" ", 1)
        if number == 1 and len(rest) == 1 and rest[0].isdigit() and word.isdigit():
            continue  # word2vec's and fastText's header: how many rows, and how wide
        size = rest[0].count(b" ") + 1 if rest else 0
        width = width or size
        if size > width:  # a word with spaces
            word, *numbers = line.rstrip().rsplit(b" ", width)
            rest, size = [b" ".join(numbers)], width
        if not size or size != width:
            raise InputError(
                f"{path}:{number}: {size} numbers after a word, and {width} in the first row; give vectors as text"
            )
        rows.setdefault(word.decode(), (number, rest[0]))
    if not rows:
        raise InputError(f"{path}: no vector is in it; give word vectors as text, a word and its numbers a line")

    def look_up(word: str) -> Vector | None:
        if word not in rows:
            return None
        number, numbers = rows[word]
        try:
            row = np.array(numbers.split(b" "), dtype=np.float32)
        except ValueError as fault:
            raise InputError(f"{path}:{number}: {fault}; give word vectors as text") from fault
        if not np.isfinite(row).all():
            raise InputError(f"{path}:{number}: a vector with values that are not numbers; leave the line out")
        return row

    return look_up, width


def _read_folder(folder: Path) -> tuple[Callable[[str], Vector | None], int]:
    require("word vectors in a folder", "parquet", "pyarrow")
    from pyarrow import parquet

    files = [[*folder.glob(pattern)] for pattern in ("*_emb.npy", "*_index.parquet")]
    if [len(matching) for matching in files] != [1, 1]:
        raise InputError(f"{folder}: expected one file *_emb.npy and one *_index.parquet; or give a file of text")
    [[rows_file], [index_file]] = files
    try:
        rows: Any = np.load(rows_file, mmap_mode="r", allow_pickle=False)
        words = parquet.read_table(index_file).column(0).to_pylist()
    except (OSError, ValueError) as fault:
        raise InputError(f"{folder}: its vectors cannot be read ({fault}); copy the folder again") from fault
    if rows.ndim != 2 or len(rows) != len(words):
        raise InputError(f"{folder}: {len(words):,} words for rows of shape {rows.shape}; copy the folder again")
    places = {word: place for place, word in enumerate(words)}
    return lambda word: np.asarray(rows[places[word]], dtype=np.float32) if word in places else None, rows.shape[1]


MEASURES: Registry[Measure] = Registry(
    "vectors",
    {
        OVERLAP: Factory(lambda: overlap),
        "spacy": Factory(_by_pipeline, argument="PIPELINE"),
        "glove": Factory(_by_file, argument="FILE"),
    },
)
