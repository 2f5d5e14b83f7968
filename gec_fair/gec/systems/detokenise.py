"""Tokens as prose, and where each token lies in it: for tools that read prose (NLTK's Treebank detokeniser)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gec_fair.extras import require

_QUOTES = ("``", "''")


@dataclass(frozen=True, slots=True)
class Prose:
    """`spans`: half-open character offsets of each token in `text`."""

    text: str
    spans: tuple[tuple[int, int], ...]


def detokenise(words: Sequence[str]) -> Prose:
    """Prose that differs from the tokens in white space, and in Treebank quotes made straight; where NLTK changes
    more, the tokens with spaces between them."""
    straightened = ['"' if word in _QUOTES else word for word in words]
    text = _detokenizer().detokenize(list(words))
    if text.replace(" ", "") != "".join(straightened):
        text = " ".join(straightened)
    spans, at = [], 0
    for word in straightened:
        start = at = _next(text, at)
        for letter in word:  # white space may have gone inside a word or come between two
            at = _next(text, at)
            assert text[at] == letter
            at += 1
        spans.append((start, at))
    return Prose(text, tuple(spans))


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


@cache
def _detokenizer() -> Any:
    require("detokenising", "evaluate", "nltk")
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    return TreebankWordDetokenizer()
