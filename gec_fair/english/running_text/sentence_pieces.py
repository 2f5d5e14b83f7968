"""Sentences of running text, byte for byte: what an intervention copies, drops or rewrites.

The paper's code cuts behind every . ! ? that white space follows. Here a sentence also ends behind the quotation mark
or bracket that closes it, and does not end behind a title or an initial, nor before a word in lower case.
"""

from __future__ import annotations

import re

from gec_fair.english.lexicons.word_lists import ordered_words

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+(?=\S)")
_GOES_ON = re.compile(r"[\"'“‘«(\[_*]*[a-zà-ÿ]")
_NO_END = re.compile(rf"\b(?:[A-Z]|{'|'.join(ordered_words('abbreviations_inside_a_sentence'))})\.\s*$")


def pieces(text: str) -> list[str]:
    """The sentences, each with the white space behind it; joined they are the text. None of a text without a word."""
    if not text.strip():
        return []
    pieces: list[str] = []
    first = 0
    for match in _END.finditer(text):
        if _GOES_ON.match(text, match.end()) or _NO_END.search(text, first, match.end()):
            continue
        pieces.append(text[first : match.end()])
        first = match.end()
    return [*pieces, text[first:]] if first < len(text) else pieces
