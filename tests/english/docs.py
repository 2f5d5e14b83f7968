"""Hand-made parses: one word a line, `word tag label head`, heads by number from 0."""

from __future__ import annotations

import spacy
from spacy.tokens import Doc

_VOCAB = spacy.blank("en").vocab


def doc(table: str) -> Doc:
    """A parsed Doc from a drawn table; the root's head is itself."""
    rows = [line.split() for line in table.strip().splitlines()]
    words, tags, labels, heads = zip(*rows, strict=True)
    return Doc(
        _VOCAB, words=list(words), tags=list(tags), deps=list(labels), heads=[int(h) for h in heads], lemmas=list(words)
    )
