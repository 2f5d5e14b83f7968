"""Names: proper nouns beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from gec_fair.english.labels import PROPER_NOUNS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def proper_runs(doc: Doc) -> Iterator[list[Token]]:
    """Proper nouns beside each other."""
    for proper, run in groupby(doc, key=lambda token: token.tag_ in PROPER_NOUNS):
        if proper:
            yield list(run)


def without_accents(word: str) -> str:
    """*hernández → hernandez*"""
    return "".join(letter for letter in normalize("NFD", word) if not combining(letter))
