"""Training pairs as numbers, on disk once for all seeds: an Arrow table in the cache, named by what decides it.

columns   ids (sub-words), starts (first sub-word of each word), labels (one a word, `$START` first), wrong (any),
          pair (a number for its text), cut (its end is not there), held (validates where no file does)
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

from gec_fair.corpus.formats.pair_lines import Lines, pairs_of
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.labels import Labels
from gec_fair.gec.gector.tagging import tag_sentence
from gec_fair.gec.gector.tags import KEEP
from gec_fair.gec.gector.verbs import VerbForms
from gec_fair.gec.gector.words import Pieces, Row, batch
from gec_fair.models.digest import tokenizer_text
from gec_fair.runs.cache import cache_directory
from gec_fair.trainer.arrow_table import Prepared, column, is_held_out, load_or_make_table

_FORMAT = "6"  # of the table; a new one makes older tables unfindable
_FEATURES = Features(
    {name: List(Value(kind)) for name, kind in (("ids", "int32"), ("starts", "int32"), ("labels", "int32"))}
    | {"size": Value("int32"), "pair": Value("int64")}
    | {name: Value("bool") for name in ("wrong", "cut", "held")}
)


def collate(rows: Sequence[dict[str, Any]], *, padding: int) -> dict[str, Any]:
    """Rows of the table as a padded batch: ids, the starts of words, and labels."""
    return batch([Row(row["ids"], row["starts"], row["labels"]) for row in rows], padding)


def prepare(path: Path, tagger: Tagger, *, workers: int = 1, cache: Path | None = None) -> Prepared:
    """Tag and cut all pairs of a file, or open what was tagged and cut before; of sentences that are `cut`, longer than
    max_words or than the encoder reads, the beginning trains. InputError for a file without pairs."""
    lines = pairs_of(path)
    folder = (cache or cache_directory()) / "gector" / _name(lines, tagger)
    rows = PairRows(path, tagger.pieces, tagger.labels, tagger.verbs)
    table = load_or_make_table(folder, rows, len(lines), _FEATURES, workers=workers)
    malformed = {"malformed": lines.malformed, "first_malformed": lines.complaint()}
    return Prepared(table, {"lines": len(lines), **malformed, "cut": int(column(table, "cut").sum())})


def draw_rows(table: Dataset, seed: int, tp_prob: float, tn_prob: float) -> NDArray[np.int64]:
    """The rows that train: each erroneous sentence with tp_prob, each correct one with tn_prob, drawn by seed and pair:
    other pairs before, behind or between change nothing."""
    if tp_prob == tn_prob == 1:
        return np.arange(len(table))
    shares = np.where(column(table, "wrong"), tp_prob, tn_prob)
    return np.flatnonzero(draw_numbers(column(table, "pair"), seed) < shares)


def draw_numbers(items: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    """A number in [0, 1) for each item, by seed: the finaliser of SplitMix64 (Steele et al. 2014)."""
    mixed = items.astype(np.uint64) + np.uint64(_number(f"tp tn {seed}"))  # wraps around
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True, slots=True)
class PairRows:
    """Makes the rows of the table; goes to worker processes, so the weights stay behind."""

    path: Path
    pieces: Pieces
    labels: Labels
    verbs: VerbForms

    def __call__(self, spans: Sequence[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        """The tagged sentences of some spans of lines, in order."""
        lines = Lines(self.path)
        for first, last in spans:
            for number in range(first, last):
                yield row_of(lines.text(number), self)


def row_of(line: str, tagger: PairRows | Tagger) -> dict[str, Any]:
    """One pair as a row of the table; `$START` counts among max_words, as in the original. What is cut off counts for
    nothing: a sentence whose errors all stand there is a correct one."""
    source, _, target = line.partition("\t")
    before, after = source.split(), target.split()
    tags = tag_sentence(before, after, tagger.verbs)
    words = before[: tagger.pieces.options.max_words - 1]
    words = words[: tagger.pieces.room(words)]
    left = tags[: len(words) + 1]
    ids, starts = tagger.pieces.sentence(words)
    return {
        "ids": ids,
        "starts": starts,
        "labels": tagger.labels.numbers(left),
        "size": len(ids),
        "pair": _number(line),
        "wrong": any(tag != KEEP for tag in left),
        "cut": len(left) < len(tags),
        "held": is_held_out(source),
    }


def _number(text: str) -> int:
    """63 bits that stand for a text; Arrow's writer takes no more."""
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


def _name(lines: Lines, tagger: Tagger) -> str:
    parts = (
        _FORMAT,
        lines.sha256(),
        "\n".join(tagger.labels.tags),
        tokenizer_text(tagger.pieces.tokenizer),
        json.dumps(asdict(tagger.pieces.options), sort_keys=True),
        str(tagger.pieces.positions),
        "\n".join(tagger.verbs.lines()),
    )
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
