"""Text as one long row of sub-word numbers on disk, cut into blocks of one length; read by memory mapping.

A text that is tokenised once serves every run: the file's name is a digest of the texts and the vocabulary.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from gec_fair.corpus.atomic import write_bytes
from gec_fair.errors import InputError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

_BATCH = 4096  # texts tokenised at once


def pack(texts: Iterable[str], tokenizer: PreTrainedTokenizerFast, path: Path) -> Path:
    """Write the sub-words of all texts, one text after the other, to `path` (little-endian uint16); an empty text is a
    border between documents and becomes the end-of-sequence row."""
    if len(tokenizer) > 1 << 16:
        raise InputError(f"a vocabulary of {len(tokenizer):,} rows does not fit in 16 bits; make it 65,536 at most")
    border = np.array([tokenizer.eos_token_id], "<u2").tobytes()

    def parts() -> Iterator[bytes]:
        waiting = iter(texts)
        while batch := list(islice(waiting, _BATCH)):
            rows = tokenizer(batch, add_special_tokens=False, return_attention_mask=False)["input_ids"]
            yield b"".join(np.array(row, "<u2").tobytes() if row else border for row in rows)

    write_bytes(path, parts())
    return path


class Blocks(Dataset[dict[str, Any]]):
    """Blocks of `size` sub-words of a packed file: those whose number is in `part`. Block n of pass p over the data is
    asked for as n + p × len: it is the same block, with another number to `draw` by."""

    def __init__(self, path: Path, size: int, part: NDArray[np.int64]) -> None:
        self.path, self.size, self.part = path, size, part
        self.rows = np.memmap(path, "<u2", "r")

    def __len__(self) -> int:
        return len(self.part)

    def __getitem__(self, number: int) -> dict[str, Any]:
        at = int(self.part[number % len(self.part)]) * self.size
        return {"input_ids": torch.from_numpy(self.rows[at : at + self.size].astype(np.int64)), "draw": number}


def split(path: Path, size: int, share: float, seed: int) -> tuple[Blocks, Blocks]:
    """Training and validation blocks; which is which is drawn by `seed`. InputError for too short a text."""
    blocks = path.stat().st_size // 2 // size
    held = max(1, round(blocks * share))
    if blocks <= held:
        raise InputError(f"the texts make {blocks} blocks of {size} sub-words, too few to train on; give more text")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(blocks)
    return Blocks(path, size, np.sort(order[held:])), Blocks(path, size, np.sort(order[:held]))


def digest(*parts: str) -> str:
    """A short name for what decides a file's content."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
