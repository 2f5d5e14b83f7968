"""Text as one long row of sub-word numbers in an Arrow file, cut into blocks of one length; read by memory mapping.

A text that is tokenised once serves every run: the file's name is a digest of the texts and the vocabulary.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from gec_fair.errors import InputError
from gec_fair.runs.atomic import open_whole

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_BATCH = 4096  # texts tokenised at once
_PART = 1 << 22  # sub-words in a record batch: few enough parts that finding one costs nothing
_COLUMN = "input_ids"


def pack(texts: Iterable[str], tokenizer: PreTrainedTokenizerBase, path: Path) -> Path:
    """Write the sub-words of all texts, one text after the other, to `path`, an Arrow file with the column `input_ids`
    (uint16, or uint32 of a vocabulary that needs it); an empty text is a border between documents and becomes the row
    that ends a text. InputError for a tokenizer without one."""
    end = tokenizer.eos_token_id if tokenizer.eos_token_id is not None else tokenizer.sep_token_id
    if end is None:
        raise InputError("the tokenizer has no token that ends a text; set its eos_token or sep_token, and save it")
    kind = pa.uint16() if len(tokenizer) <= 1 << 16 else pa.uint32()
    schema = pa.schema([(_COLUMN, kind)])
    with open_whole(path) as file, pa.ipc.new_file(file, schema) as writer:
        for part in _parts(_rows(texts, tokenizer, int(end))):
            writer.write_batch(pa.record_batch([pa.array(part, kind)], schema))
    return path


def _rows(texts: Iterable[str], tokenizer: PreTrainedTokenizerBase, end: int) -> Iterator[NDArray[np.uint32]]:
    waiting = iter(texts)
    while batch := list(islice(waiting, _BATCH)):
        rows = tokenizer(batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]
        yield np.array([piece for row in rows for piece in (row or [end])], np.uint32)


def _parts(rows: Iterable[NDArray[np.uint32]]) -> Iterator[NDArray[np.uint32]]:
    """All rows as one, in parts of one length; the last is shorter."""
    held: list[NDArray[np.uint32]] = []
    for row in rows:
        held.append(row)
        while sum(map(len, held)) >= _PART:
            row_so_far = np.concatenate(held)
            yield row_so_far[:_PART]
            held = [row_so_far[_PART:]]
    if held:
        yield np.concatenate(held)


class Packed:
    """The sub-words of a packed file, wherever they stand in it."""

    def __init__(self, path: Path) -> None:
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
        self.parts = [part.to_numpy(zero_copy_only=True) for part in table.column(_COLUMN).chunks]
        self.ends = np.cumsum([len(part) for part in self.parts], dtype=np.int64)

    def __len__(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    def between(self, first: int, last: int) -> NDArray[np.int64]:
        """Half-open."""
        part = int(np.searchsorted(self.ends, first, side="right"))
        pieces: list[NDArray[np.int64]] = []
        while first < last:
            begins = int(self.ends[part]) - len(self.parts[part])
            piece = self.parts[part][first - begins : last - begins]
            pieces.append(piece.astype(np.int64))
            first += len(piece)
            part += 1
        return np.concatenate(pieces) if len(pieces) != 1 else pieces[0]


class Blocks(Dataset[dict[str, Any]]):
    """Blocks of `size` sub-words of a packed file: those whose number is in `part`. Block n of pass p over the data is
    asked for as n + p × len: it is the same block, with another number to `draw` by."""

    def __init__(self, packed: Packed, size: int, part: NDArray[np.int64]) -> None:
        self.packed, self.size, self.part = packed, size, part

    def __len__(self) -> int:
        return len(self.part)

    def __getitem__(self, number: int) -> dict[str, Any]:
        at = int(self.part[number % len(self.part)]) * self.size
        return {"input_ids": torch.from_numpy(self.packed.between(at, at + self.size)), "draw": number}


def split(path: Path, size: int, share: float, seed: int) -> tuple[Blocks, Blocks]:
    """Training and validation blocks; which is which is drawn by `seed`. InputError for too short a text."""
    packed = Packed(path)
    blocks = len(packed) // size
    held = max(1, round(blocks * share))
    if blocks <= held:
        raise InputError(f"the texts make {blocks} blocks of {size} sub-words, too few to train on; give more text")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(blocks)
    return Blocks(packed, size, np.sort(order[held:])), Blocks(packed, size, np.sort(order[:held]))


def digest(*parts: str) -> str:
    """A short name for what decides a file's content."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
