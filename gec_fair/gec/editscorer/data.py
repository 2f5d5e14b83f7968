"""Candidates of the training sentences with their labels, on disk once for all seeds, and batches of them.

candidates.tsv, a sentence a line, to be looked at:

    "He go home ."    {"right": false, "edits": [[1, 2, ["goes"], 2.31, true], [1, 2, ["went"], -0.52, false]]}

`right` is the label of doing nothing; an edit is span, words, ratio of the generator, label.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from gec_fair.augment.mix import Lines
from gec_fair.corpus.atomic import sync, write_bytes, write_text
from gec_fair.edits import Edit, diff, spaced
from gec_fair.errors import InputError
from gec_fair.evaluate.store import cache_directory
from gec_fair.evaluate.texts import read_reference
from gec_fair.gec.editscorer.candidates import Candidate, Generator, Words, changes, tidy
from gec_fair.gec.editscorer.gold import right
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.gec.table import held_out
from gec_fair.pretrain.hub import tokenizer_text
from gec_fair.pretrain.runs import file_digest

_FORMAT = "1"  # of the table; a new one makes older tables unfindable
_AT_ONCE = 4096  # sentences that the generator sees together
_BUCKET = 100  # sentences of which batches are made, as in the original


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, its candidates, and for doing nothing and each candidate whether it is right."""

    words: Words
    edits: tuple[Edit, ...]
    labels: tuple[bool, ...]


class Table:
    """Examples by number, read from disk when they are wanted. `sizes` (sentences, 3): pairs, sub-words of the longest
    pair, whether the sentence is held out; `unread`: sentences that were too long for the generator."""

    def __init__(self, folder: Path) -> None:
        self.lines = Lines(folder / "candidates.tsv")
        self.sizes: NDArray[np.int64] = np.load(folder / "sizes.npy")
        counts = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
        self.sentences, self.malformed, self.unread = counts["sentences"], counts["malformed"], counts["unread"]

    def __getitem__(self, number: int) -> Example:
        source, _, rest = self.lines[number].decode().partition("\t")
        said = json.loads(rest)
        edits = tuple(Edit(start, end, tuple(words)) for start, end, words, _, _ in said["edits"])
        return Example(spaced(json.loads(source)).words, edits, (said["right"], *(edit[-1] for edit in said["edits"])))


class Batches(Dataset[list[Example]]):
    """Sentences in batches of at most `tokens` sub-words with their padding, fixed by the seed; without one, the
    longest first. An item is a whole batch."""

    def __init__(self, table: Table, chosen: NDArray[np.int64], tokens: int, seed: int | None) -> None:
        self.table = table
        self.batches = list(_packed(table.sizes, chosen, tokens, seed))

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, number: int) -> list[Example]:
        return [self.table[int(row)] for row in self.batches[number]]


class Collator:
    """Batches of examples as the model's tensors."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def __call__(self, items: Sequence[Sequence[Example]]) -> dict[str, torch.Tensor]:
        examples = [example for item in items for example in item]
        pairs = [pair for example in examples for pair in self.reader.pairs(example.words, example.edits)]
        labels = [float(label) for example in examples for label in example.labels]
        return self.reader.batch(pairs) | {"labels": torch.tensor(labels)}


def sentences(path: Path) -> list[Words]:
    """The sources of pairs or of an M2 file, malformed lines left out."""
    return [words for words, _ in _gold(path)[0]]


def prepare(
    path: Path, generator: Generator, reader: Reader, *, add_gold: bool = False, cache: Path | None = None
) -> Table:
    """Propose and label candidates for all sentences of a file, or open what was made before. InputError for a file
    without pairs."""
    sha = file_digest(path)["sha256"]
    parts = (_FORMAT, path.suffix, sha, generator.version, tokenizer_text(reader.tokenizer), str(add_gold))
    folder = (cache or cache_directory()) / "editscorer" / sha256("\0".join(parts).encode()).hexdigest()[:32]
    if not folder.exists():
        # under another name first, one for each process: a killed run leaves no table that looks whole
        fresh = folder.with_name(f"{folder.name}.{os.getpid()}.partial")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        try:
            _make(fresh, path, generator, reader, add_gold=add_gold)
            os.replace(fresh, folder)
        except OSError:
            if not folder.exists():  # else another process was quicker, and made the same
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        sync(folder.parent)
    return Table(folder)


def labelled(
    words: Words, candidates: Sequence[Candidate], gold: Sequence[Edit], *, add_gold: bool
) -> list[tuple[Candidate, bool]]:
    """Each candidate, with `add_gold` each gold edit too, and whether it is right."""
    if add_gold:
        candidates = tidy(words, [*candidates, *(Candidate(edit) for edit in gold)])
    return list(zip(candidates, right([each.edit for each in candidates], gold, words), strict=True))


def _make(fresh: Path, path: Path, generator: Generator, reader: Reader, *, add_gold: bool) -> None:
    pairs, number, malformed = _gold(path)
    sizes: list[tuple[int, int, bool]] = []

    def lines() -> Iterator[bytes]:
        while some := list(islice(pairs, _AT_ONCE)):
            for (words, gold), candidates in zip(some, generator([words for words, _ in some]), strict=True):
                if candidates is None:
                    continue
                known = labelled(words, candidates, gold, add_gold=add_gold)
                cut = reader.pairs(words, [each.edit for each, _ in known])
                sizes.append((len(cut), max(len(pair.ids) for pair in cut), held_out(" ".join(words))))
                yield _line(words, known, right=not gold)

    write_bytes(fresh / "candidates.tsv", lines())
    if not sizes:
        raise InputError(f"{path}: all {number:,} sentences are longer than the generator's limit; cut them")
    np.save(fresh / "sizes.npy", np.asarray(sizes, dtype=np.int64))
    counts = {"sentences": number, "malformed": malformed, "unread": number - len(sizes)}
    write_text(fresh / "counts.json", json.dumps(counts))


def _line(words: Words, known: Sequence[tuple[Candidate, bool]], *, right: bool) -> bytes:
    edits = [[c.edit.start, c.edit.end, c.edit.replacement, c.ratio, label] for c, label in known]
    columns = (" ".join(words), {"right": right, "edits": edits})
    return "\t".join(json.dumps(column, ensure_ascii=False) for column in columns).encode() + b"\n"


def _gold(path: Path) -> tuple[Iterator[tuple[Words, list[Edit]]], int, int]:
    """Each sentence with its gold edits, how many there are, and how many lines are malformed."""
    if path.suffix == ".m2":
        read = read_reference(path)
        known = zip(read.sources, read.annotators, strict=True)
        return ((source, _changing(their[0], source)) for source, their in known), len(read), 0
    lines = Lines(path)
    if not len(lines):
        raise InputError(lines.complaint() or f"{path}: holds no pairs")
    pairs = (lines[number].decode("utf-8", "replace").split("\t") for number in range(len(lines)))
    words = ((spaced(source).words, spaced(target).words) for source, target in pairs)
    return ((source, list(diff(source, target))) for source, target in words), len(lines), lines.malformed


def _changing(edits: Iterable[Edit], source: Words) -> list[Edit]:
    """Annotated edits without their kinds, and without those that only mark a place."""
    return [Edit(edit.start, edit.end, edit.replacement) for edit in edits if changes(edit, source)]


def _packed(
    sizes: NDArray[np.int64], chosen: NDArray[np.int64], tokens: int, seed: int | None
) -> Iterator[NDArray[np.int64]]:
    order = chosen if seed is None else np.random.Generator(np.random.PCG64([seed, 2])).permutation(chosen)
    bucket = len(order) if seed is None else _BUCKET
    for first in range(0, len(order), max(1, bucket)):
        some = order[first : first + bucket]
        some = some[np.argsort(-sizes[some, 1], kind="stable")]
        at = 0
        while at < len(some):
            room = np.cumsum(sizes[some[at:], 0]) * sizes[some[at], 1] <= tokens
            size = max(1, int(room.sum()))
            yield some[at : at + size]
            at += size
