"""Which places of a text are in a bibliographic reference: what it cites would no longer be found under another name.

Keller , Paul , Maria Lindqvist and the Silent Choir , Oldham University Press , 2014 .
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gec_fair.english.lexicons.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

_LIVES = frozenset(["born", "died"])
_NEVER = frozenset(["VBZ", "VBD", "VBP", "MD", "PRP", "PRP$"])
_OF_CITATIONS = word_list("words_of_citations")
_YEAR = re.compile(r"(1[5-9]|20)\d\d[a-z]?")
_FEW = 4
"""Words that are too few for a reference. Chosen by hand: *Smith, Rome, 1998* has two."""
_LONG = 3
"""Letters of words that need no capital in a title. Chosen by hand: *and*, not *from*."""
_CAPITALS = 0.6
"""So many of the longer words have a capital. Chosen by hand: *Smith, How Children learn, Oxford* has 3 of 4."""


def citations(doc: Doc) -> set[int]:
    """The places of sentences that are a reference."""
    if not doc.has_annotation("SENT_START"):
        return set()
    return {token.i for sentence in doc.sents if is_citation(sentence) for token in sentence}


def is_citation(sentence: Span) -> bool:
    """Whether a sentence has no finite verb and no pronoun, mostly words with a capital, and a year or a publisher."""
    words = [token.text for token in sentence if token.text[:1].isalpha()]
    longer = [word for word in words if len(word) > _LONG]
    if len(words) < _FEW or not longer or any(token.tag_ in _NEVER or token.lower_ in _LIVES for token in sentence):
        return False
    is_cited = any(token.lower_ in _OF_CITATIONS or _YEAR.fullmatch(token.text) for token in sentence)
    return is_cited and sum(word[0].isupper() for word in longer) >= _CAPITALS * len(longer)
