"""Texts as chunks of whole sentences, of about one length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gec_fair.corpus_report.options import TOKENS
from gec_fair.data.text_files import text_lines
from gec_fair.english.running_text.sentence_pieces import pieces

_TOKEN = re.compile(r"\w+|[^\w\s]")  # near enough to a tokenizer's, and ten times as quick


@dataclass(frozen=True, slots=True)
class Chunk:
    """`first`: how many sentences came before. `is_complete`: it has the full length."""

    first: int
    sentences: tuple[str, ...]
    is_complete: bool


def chunks(paths: Iterable[Path], tokens: int = TOKENS, *, wrapped: bool = False) -> Iterator[Chunk]:
    """In order; a chunk ends with the sentence that fills it, the last where the text ends. Raises as
    `data.text_files` does."""
    held: list[str] = []
    size = first = 0
    for path in paths:
        for line in text_lines(path, wrapped=wrapped):
            for piece in pieces(line.decode("utf-8")):
                held.append(piece.strip())
                size += len(_TOKEN.findall(piece))
                if size >= tokens:
                    yield Chunk(first, tuple(held), True)
                    first += len(held)
                    held, size = [], 0
    if held:
        yield Chunk(first, tuple(held), False)
