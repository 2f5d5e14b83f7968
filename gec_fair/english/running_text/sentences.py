"""Running text as GEC systems read it: one sentence a line, words and punctuation apart by single spaces.

Paragraphs end at an empty line, however their lines are wrapped. Words are spaCy's (*do n't*, *Mr.*), as in BEA-2019.
A sentence ends at . ! ? and what closes after it, unless the next word is in lower case: *"Where?" asked she.* is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.data.text_files import text_lines
from gec_fair.errors import InputError

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer
    from spacy.tokens import Doc, Token

_FINAL = frozenset([".", "!", "?", "…", "...", "?!", "!!", "!?", "!!!", "???"])
_CLOSING = frozenset(["'", '"', "”", "’", ")", "]", "''", "»"])
_DASHES = re.compile(r"-{2,}")
_EMPHASIS = re.compile(r"(?<!\w)_+|_+(?!\w)")  # _so_ in plain-text books
_HEADING = "###"  # the line before each book of a collection


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    import spacy

    return spacy.blank("en").tokenizer


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a text file, plain, .gz, .xz or .zst, without the space around them. InputError where it cannot be
    read, and at the end of a file without a word."""
    has_words = False
    for raw in text_lines(path):
        line = raw.decode("utf-8").strip()
        has_words = has_words or bool(line)
        yield line
    if not has_words:
        raise InputError(f"{path}: is empty; give a file with at least one line of text")


def read_paragraphs(path: Path) -> Iterator[str]:
    """The paragraphs of a text file, each on one line. InputError where it cannot be read."""
    lines: list[str] = []
    for line in read_lines(path):
        if line.startswith(_HEADING):
            continue
        if line:
            lines.append(line)
        elif lines:
            yield " ".join(lines)
            lines = []
    if lines:
        yield " ".join(lines)


def sentences(paragraph: str) -> list[list[str]]:
    """The words of each sentence of a paragraph."""
    return _sentences(_tokenizer()(_plain(paragraph)))


def all_sentences(paragraphs: Iterable[str]) -> Iterator[list[str]]:
    """The words of each sentence of many paragraphs, in order."""
    for paragraph in paragraphs:
        yield from sentences(paragraph)


def _plain(paragraph: str) -> str:
    return _EMPHASIS.sub("", _DASHES.sub(" -- ", paragraph))


def _sentences(doc: Doc) -> list[list[str]]:
    sentences: list[list[str]] = []
    words: list[str] = []
    ended = False
    for token in doc:
        text = token.text.strip()
        if not text:
            continue
        if ended and not _closes(token) and not text[0].islower():
            sentences.append(words)
            words = []
        ended = text in _FINAL or (ended and _closes(token))
        words.append(text)
    return [*sentences, words] if words else sentences


def _closes(token: Token) -> bool:
    """Whether a quotation mark or bracket belongs to what stands before it: no space is between."""
    return token.text in _CLOSING and token.i > 0 and not token.nbor(-1).whitespace_


def is_clean(words: list[str]) -> bool:
    """Whether a sentence can stand as the correct side of a pair: a whole sentence of 4 to 50 words, begun in
    upper case, ended as sentences end, its quotation marks and brackets paired, mostly words."""
    if not 4 <= len(words) <= 50:
        return False
    opening = [word for word in words[:2] if word[0].isalpha()]
    closing = [word for word in words[-2:] if word in _FINAL]
    marks = words.count('"')
    return (
        bool(opening)
        and opening[0][0].isupper()
        and bool(closing)
        and marks % 2 == 0
        and words.count("(") == words.count(")")
        and words.count("“") == words.count("”")
        and sum(word.isalpha() for word in words) >= 0.7 * len(words)  # by hand: 5 of 7, not 4 of 6
        and not (words[0].isupper() and len(words[0]) > 1)
    )
