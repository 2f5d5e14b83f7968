"""Training pairs as numbers, on disk once for all seeds: an Arrow table in the cache, named by what decides it.

columns   ids (sub-words), starts (first sub-word of each word), labels (one a word, `$START` first), wrong (any)
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, Features, List, Value, disable_progress_bars, load_from_disk
from numpy.typing import NDArray

from gec_fair.augment.mix import Lines
from gec_fair.corpus.atomic import sync
from gec_fair.errors import InputError
from gec_fair.evaluate.store import cache_directory
from gec_fair.gec.gector.checkpoint import Tagger, tokenizer_text
from gec_fair.gec.gector.tagging import tagged
from gec_fair.gec.gector.words import Row, batch

_FORMAT = "2"  # of the table; a new one makes older tables unfindable
_FEATURES = {"ids": "int32", "starts": "int16", "labels": "int16"}


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
    if not (folder / "counts.json").exists():
        _make(folder, path, tagger, len(lines), workers)
    counts = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    table = load_from_disk(str(folder / "table"))
    return Prepared(table, len(lines), lines.malformed, counts["cut"])


def kept(table: Dataset, seed: int, tp_prob: float, tn_prob: float) -> NDArray[np.int64]:
    """The rows that train: each erroneous sentence with tp_prob, each correct one with tn_prob, drawn by seed."""
    if tp_prob == tn_prob == 1:
        return np.arange(len(table))
    wrong = np.asarray(table.with_format("numpy")["wrong"])
    draw = np.random.Generator(np.random.PCG64([seed, 1])).random(len(table))
    return np.flatnonzero(draw < np.where(wrong, tp_prob, tn_prob))


def lengths(table: Dataset) -> NDArray[np.int64]:
    """Sub-words of each row."""
    column = table.with_format("arrow")["size"]
    return np.asarray(column, dtype=np.int64)


def held_out(source: str, one_in: int = 50) -> bool:
    """Whether a sentence is held out for validation: a function of its text, so that all its pairs go one way."""
    return int.from_bytes(sha256(source.encode("utf-8", "surrogatepass")).digest()[:8], "big") % one_in == 0


def _make(folder: Path, path: Path, tagger: Tagger, pairs: int, workers: int) -> None:
    """Written under another name first: a killed run leaves no table that looks whole."""
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    disable_progress_bars()
    edges = np.linspace(0, pairs, max(1, min(workers * 4, pairs // 1000 + 1)) + 1).astype(int).tolist()
    spans = list(pairwise(edges))
    features = Features({name: List(Value(kind)) for name, kind in _FEATURES.items()}
                        | {"size": Value("int32"), "wrong": Value("bool"), "cut": Value("bool"),
                           "held": Value("bool")})  # fmt: skip
    table = Dataset.from_generator(
        _rows,
        features=features,
        cache_dir=str(fresh / "made"),
        gen_kwargs={"spans": spans, "path": [str(path)] * len(spans), "tagger": _Fixed(tagger)},
        num_proc=workers if workers > 1 and len(spans) > 1 else None,
    )
    table.save_to_disk(str(fresh / "table"))
    cut = int(np.asarray(table.with_format("numpy")["cut"]).sum())
    (fresh / "counts.json").write_text(json.dumps({"pairs": pairs, "cut": cut}), encoding="utf-8")
    del table
    shutil.rmtree(fresh / "made")
    sync(fresh)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(fresh, folder)
    sync(folder.parent)


class _Fixed:
    """A tagger without its weights, for worker processes; `datasets` need not look into it to name its own cache."""

    def __init__(self, tagger: Tagger) -> None:
        self.pieces, self.labels, self.verbs = tagger.pieces, tagger.labels, tagger.verbs

    def __reduce__(self) -> Any:
        return (_restored, (self.pieces, self.labels, self.verbs))


def _restored(*parts: Any) -> _Fixed:
    made = object.__new__(_Fixed)
    made.pieces, made.labels, made.verbs = parts
    return made


def _rows(spans: Sequence[tuple[int, int]], path: Sequence[str], tagger: _Fixed) -> Iterator[dict[str, Any]]:
    lines = Lines(Path(path[0]))
    for first, last in spans:
        for number in range(first, last):
            yield row_of(lines[number].decode("utf-8", "replace"), tagger)


def row_of(line: str, tagger: _Fixed | Tagger) -> dict[str, Any]:
    """One pair as a row of the table; `$START` counts among max_words, as in the original."""
    source, _, target = line.partition("\t")
    before, after = source.split(), target.split()
    tags = tagged(before, after, tagger.verbs)
    most = tagger.pieces.options.max_words
    ids, starts = tagger.pieces.sentence(before[: most - 1])
    labels = tagger.labels.numbers(tags[:most])
    return {
        "ids": ids,
        "starts": starts,
        "labels": labels,
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
