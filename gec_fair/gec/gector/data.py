"""Training pairs as numbers, on disk once for all seeds: an Arrow table in the cache, named by what decides it.

columns   ids (sub-words), starts (first sub-word of each word), labels (one a word, `$START` first), wrong (any)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, Features, List, Value
from numpy.typing import NDArray

from gec_fair.augment.mix import Lines
from gec_fair.errors import InputError
from gec_fair.evaluate.store import cache_directory
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.labels import Labels
from gec_fair.gec.gector.tagging import tagged
from gec_fair.gec.gector.verbs import VerbForms
from gec_fair.gec.gector.words import Pieces, Row, batch
from gec_fair.gec.table import column, held_out, stored
from gec_fair.pretrain.hub import tokenizer_text

_FORMAT = "3"  # of the table; a new one makes older tables unfindable
_FEATURES = Features(
    {name: List(Value(kind)) for name, kind in (("ids", "int32"), ("starts", "int16"), ("labels", "int16"))}
    | {"size": Value("int32")}
    | {name: Value("bool") for name in ("wrong", "cut", "held")}
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The table, and what became of the file's lines."""

    table: Dataset
    lines: int
    malformed: int
    cut: int
    """Sentences longer than max_words, of which the beginning trains."""


class Collator:
    """Rows of the table as a padded batch."""

    def __init__(self, padding: int) -> None:
        self.padding = padding

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        return batch([Row(row["ids"], row["starts"], row["labels"]) for row in rows], self.padding)


def prepare(path: Path, tagger: Tagger, *, workers: int = 1, cache: Path | None = None) -> Prepared:
    """Tag and cut all pairs of a file, or open what was tagged and cut before. InputError for a file without pairs."""
    lines = Lines(path)
    if not len(lines):
        raise InputError(lines.complaint() or f"{path}: holds no pairs")
    folder = (cache or cache_directory()) / "gector" / _name(lines, tagger)
    rows = PairRows(path, tagger.pieces, tagger.labels, tagger.verbs)
    table = stored(folder, rows, len(lines), _FEATURES, workers=workers)
    return Prepared(table, len(lines), lines.malformed, int(column(table, "cut").sum()))


def kept(table: Dataset, seed: int, tp_prob: float, tn_prob: float) -> NDArray[np.int64]:
    """The rows that train: each erroneous sentence with tp_prob, each correct one with tn_prob, drawn by seed."""
    if tp_prob == tn_prob == 1:
        return np.arange(len(table))
    wrong = column(table, "wrong")
    draw = np.random.Generator(np.random.PCG64([seed, 1])).random(len(table))
    return np.flatnonzero(draw < np.where(wrong, tp_prob, tn_prob))


def lengths(table: Dataset) -> NDArray[np.int64]:
    """Sub-words of each row."""
    return column(table, "size").astype(np.int64)


@dataclass(frozen=True, slots=True)
class PairRows:
    """Makes the rows of the table; goes to worker processes, so the weights stay behind."""

    path: Path
    pieces: Pieces
    labels: Labels
    verbs: VerbForms

    def __call__(self, spans: Sequence[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        lines = Lines(self.path)
        for first, last in spans:
            for number in range(first, last):
                yield row_of(lines[number].decode("utf-8", "replace"), self)


def row_of(line: str, tagger: PairRows | Tagger) -> dict[str, Any]:
    """One pair as a row of the table; `$START` counts among max_words, as in the original."""
    source, _, target = line.partition("\t")
    before, after = source.split(), target.split()
    tags = tagged(before, after, tagger.verbs)
    most = tagger.pieces.options.max_words
    ids, starts = tagger.pieces.sentence(before[: most - 1])
    return {
        "ids": ids,
        "starts": starts,
        "labels": tagger.labels.numbers(tags[:most]),
        "size": len(ids),
        "wrong": before != after,
        "cut": len(tags) > most,
        "held": held_out(source),
    }


def _name(lines: Lines, tagger: Tagger) -> str:
    parts = (
        _FORMAT,
        lines.sha256(),
        "\n".join(tagger.labels.tags),
        tokenizer_text(tagger.pieces.tokenizer),
        json.dumps(asdict(tagger.pieces.options), sort_keys=True),
        "\n".join(tagger.verbs.lines()),
    )
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
