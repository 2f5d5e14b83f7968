"""Where a sentence begins and ends, by its marks: texts of forums defeat a parser's borders."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

ENDS = frozenset([".", "!", "?", "\n"])
"""Marks that end a sentence."""
_LONGEST = 100
"""Tokens on one side that are searched."""


def sentence_bounds(doc: Doc, at: int) -> tuple[int, int]:
    """The half-open bounds of the sentence that has the token at `at`."""
    first, last = max(0, at - _LONGEST), min(len(doc), at + _LONGEST)
    start = next((i + 1 for i in range(at - 1, first - 1, -1) if doc[i].text in ENDS), first)
    end = next((i for i in range(at, last) if doc[i].text in ENDS), last)
    return start, end


def sentence_around(doc: Doc, at: int) -> Span:
    """The sentence that has the token at `at`."""
    start, end = sentence_bounds(doc, at)
    return doc[start:end]
