"""Candidates of the training sentences with their labels, on disk once for all seeds, and batches of them.

candidates.tsv, a sentence a line, to be looked at:

    "He go home ."    {"right": false, "edits": [[1, 2, ["goes"], 2.31, true], [1, 2, ["went"], -0.52, false]]}

`right` is the label of doing nothing; an edit is span, words, ratio of the generator, label. While it is made, it lies
in parts (NAME.partial/parts/), which the next run finds after a kill.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from gec_fair.corpus.formats.pair_lines import Lines, pairs_of
from gec_fair.edits import Edit, diff, split_spaces
from gec_fair.errors import InputError
from gec_fair.evaluate.scoring.texts import is_m2, read_reference
from gec_fair.gec.editscorer.candidates import Candidate, Generator, Words, changes, tidy
from gec_fair.gec.editscorer.gold import judge_candidates
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.models.batching import longest_first, under_budget
from gec_fair.models.digest import tokenizer_text
from gec_fair.progress import bar
from gec_fair.runs.atomic import sync, write_bytes, write_text
from gec_fair.runs.cache import cache_directory
from gec_fair.runs.digests import file_digest
from gec_fair.trainer.arrow_table import alone_at, is_held_out

_FORMAT = "4"  # of the table; a new one makes older tables unfindable
_PART = 4096  # sentences that the generator sees together: what a kill costs at most
_PARTS = "parts"
_BUCKET = 100  # sentences of which batches are made, as in the original


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, its candidates, and for doing nothing and each candidate whether it is right."""

    words: Words
    edits: tuple[Edit, ...]
    labels: tuple[bool, ...]


class Table:
    """Examples by number, read from disk when they are wanted. `sizes` (sentences, 3): pairs, sub-words of the longest
    pair, whether the sentence is held out; of `counts`, `unread` are sentences that were too long for the generator."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = Lines(folder / "candidates.tsv")
        self.sizes: NDArray[np.int64] = np.load(folder / "sizes.npy")
        self.counts: dict[str, Any] = json.loads((folder / "counts.json").read_text(encoding="utf-8"))

    def __getitem__(self, number: int) -> Example:
        source, _, rest = self.lines.text(number).partition("\t")
        said = json.loads(rest)
        edits = tuple(Edit(start, end, tuple(words)) for start, end, words, _, _ in said["edits"])
        return Example(
            split_spaces(json.loads(source)).words, edits, (said["right"], *(edit[-1] for edit in said["edits"]))
        )


class Batches(Dataset[list[Example]]):
    """Sentences in batches of at most `tokens` sub-words with their padding, fixed by the seed; without one, the
    longest first. An item is a whole batch."""

    def __init__(self, table: Table, chosen: NDArray[np.int64], tokens: int, seed: int | None) -> None:
        self.table = table
        self.batches = list(_pack(table.sizes, chosen, tokens, seed))

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, number: int) -> list[Example]:
        return [self.table[row] for row in self.batches[number]]


def collate(items: Sequence[Sequence[Example]], *, reader: Reader) -> dict[str, torch.Tensor]:
    """All candidates of batches of examples as the model's tensors, with their labels."""
    examples = [example for item in items for example in item]
    pairs = [pair for example in examples for pair in reader.pairs(example.words, example.edits)]
    labels = [float(label) for example in examples for label in example.labels]
    return reader.batch(pairs) | {"labels": torch.tensor(labels)}


def sentences(path: Path) -> list[Words]:
    """The sources of pairs or of an M2 file, malformed lines left out."""
    gold = _gold(path)
    return [gold.read(number)[0] for number in range(gold.sentences)]


def prepare(
    path: Path, generator: Generator, reader: Reader, *, add_gold: bool = False, cache: Path | None = None
) -> Table:
    """Propose and label candidates for all sentences of a file, or open what was made before; of several runs that want
    the same table one makes it, and the others wait. InputError for a file without pairs."""
    sha = file_digest(path)["sha256"]
    parts = (_FORMAT, path.suffix, sha, generator.version, tokenizer_text(reader.tokenizer), str(add_gold))
    folder = (cache or cache_directory()) / "editscorer" / sha256("\0".join(parts).encode()).hexdigest()[:32]
    if not folder.exists():
        with alone_at(folder):
            if not folder.exists():
                _make(folder, path, generator, reader, add_gold=add_gold)
    return Table(folder)


def _make(folder: Path, path: Path, generator: Generator, reader: Reader, *, add_gold: bool) -> None:
    """All parts that are not there yet, then the table from them; they have another name until it is whole."""
    gold, fresh = _gold(path), folder.with_name(folder.name + ".partial")
    starts = range(0, gold.sentences, _PART)
    parts = [_Part(fresh / _PARTS, first, min(first + _PART, gold.sentences)) for first in starts]
    with bar("candidates") as update:
        for part in parts:
            if not part.is_complete:
                part.write(gold, generator, reader, add_gold=add_gold)
            update(part.last, gold.sentences)
    sizes = np.concatenate([np.empty((0, 3), np.int64), *(np.load(part.sizes) for part in parts)])
    if not len(sizes):
        raise InputError(f"{path}: all {gold.sentences:,} sentences are longer than the generator's limit; cut them")
    write_bytes(fresh / "candidates.tsv", (part.lines.read_bytes() for part in parts))
    counts = {
        "sentences": gold.sentences,
        "malformed": gold.malformed,
        "first_malformed": gold.complaint,
        "unread": gold.sentences - len(sizes),
    }
    write_text(fresh / "counts.json", json.dumps(counts))
    _save(fresh / "sizes.npy", sizes)
    shutil.rmtree(fresh / _PARTS)
    os.replace(fresh, folder)
    sync(folder.parent)


@dataclass(frozen=True, slots=True)
class _Part:
    """The sentences `first` to `last` (half-open) of a table that is being made."""

    folder: Path
    first: int
    last: int

    @property
    def lines(self) -> Path:
        return self.folder / f"{self.first}-{self.last}.tsv"

    @property
    def sizes(self) -> Path:
        """Written last."""
        return self.folder / f"{self.first}-{self.last}.npy"

    @property
    def is_complete(self) -> bool:
        return self.sizes.exists()

    def write(self, gold: _Gold, generator: Generator, reader: Reader, *, add_gold: bool) -> None:
        sentences_of_part = [gold.read(number) for number in range(self.first, self.last)]
        lines: list[bytes] = []
        sizes: list[tuple[int, int, bool]] = []
        for (words, edits), candidates in zip(
            sentences_of_part, generator([words for words, _ in sentences_of_part]), strict=True
        ):
            if candidates is None:
                continue
            if add_gold:
                candidates = tidy(words, [*candidates, *map(Candidate, edits)])
            proposed = [candidate.edit for candidate in candidates]
            known = list(zip(candidates, judge_candidates(proposed, edits, words), strict=True))
            cut = reader.pairs(words, proposed)
            sizes.append((len(cut), max(len(pair.ids) for pair in cut), is_held_out(" ".join(words))))
            lines.append(_line(words, known, right=not edits))
        write_bytes(self.lines, lines)
        _save(self.sizes, np.asarray(sizes, dtype=np.int64).reshape(-1, 3))


def _save(path: Path, values: NDArray[np.int64]) -> None:
    """As `np.save` does, whole or not at all."""
    written = BytesIO()
    np.save(written, values)
    write_bytes(path, [written.getvalue()])


def _line(words: Words, known: Sequence[tuple[Candidate, bool]], *, right: bool) -> bytes:
    edits = [[c.edit.start, c.edit.end, c.edit.replacement, c.ratio, label] for c, label in known]
    columns = (" ".join(words), {"right": right, "edits": edits})
    return "\t".join(json.dumps(column, ensure_ascii=False) for column in columns).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class _Gold:
    """The sentences of a file by number, each with its gold edits; how many, how many lines are malformed, and what is
    wrong with the first."""

    read: Callable[[int], tuple[Words, list[Edit]]]
    sentences: int
    malformed: int = 0
    complaint: str = ""


def _gold(path: Path) -> _Gold:
    if is_m2(path):
        read = read_reference(path)
        return _Gold(lambda n: (read.sources[n], _changing(read.annotators[n][0], read.sources[n])), len(read))
    lines = pairs_of(path)
    return _Gold(lambda n: _pair(lines.text(n)), len(lines), lines.malformed, lines.complaint())


def _pair(line: str) -> tuple[Words, list[Edit]]:
    source, target = (split_spaces(side).words for side in line.split("\t"))
    return source, list(diff(source, target))


def _changing(edits: Iterable[Edit], source: Words) -> list[Edit]:
    """Annotated edits without their kinds, and without those that only mark a place."""
    return [Edit(edit.start, edit.end, edit.replacement) for edit in edits if changes(edit, source)]


def _pack(sizes: NDArray[np.int64], chosen: NDArray[np.int64], tokens: int, seed: int | None) -> Iterator[list[int]]:
    order = chosen if seed is None else np.random.Generator(np.random.PCG64([seed, 2])).permutation(chosen)
    bucket = len(order) if seed is None else _BUCKET
    for first in range(0, len(order), max(1, bucket)):
        numbers = order[first : first + bucket]
        sorted_numbers = numbers[longest_first(sizes[numbers, 1])]
        yield from under_budget(sorted_numbers.tolist(), sizes[:, 1], tokens, rows=sizes[:, 0])
