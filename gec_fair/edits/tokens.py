"""A text as words and the white space between them: text ⇄ tokens byte for byte.

GEC data is tokenised by single spaces, so a word is whatever stands between spaces (U+0020); every other
character, exotic white space included, belongs to a word. What lies between words is kept as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

_SPACES = re.compile(r"( +)")
_LINE_ENDS = re.compile(r"[\t\r\n]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words, the white space after each of them, the white space before the first, and segment borders.

    `borders` are the token offsets at which a new segment begins (a claim and its evidence, the turns of a
    dialogue); no edit may cross one. Raises ValueError when the columns differ in length.
    """

    words: tuple[str, ...]
    after: tuple[str, ...]
    lead: str = ""
    borders: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.words) != len(self.after):
            raise ValueError(f"{len(self.words)} words but {len(self.after)} white spaces")

    @classmethod
    def of(cls, text: str, words: Iterable[str]) -> Tokens:
        """Tokens of a text whose words are known, in their order; what is between them is white space.

        `Tokens.of(text, words).text == text`. Raises ValueError for a word that is not in the text.
        """
        texts = tuple(words)
        gaps: list[str] = []
        at = 0
        for word in texts:
            start = text.index(word, at)
            gaps.append(text[at:start])
            at = start + len(word)
        lead, *after = [*gaps, text[at:]]
        return cls(texts, tuple(after), lead)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def text(self) -> str:
        """The text, byte for byte as it was read."""
        return self.lead + "".join(w + s for w, s in zip(self.words, self.after, strict=True))

    @property
    def segments(self) -> tuple[str, ...]:
        """The text of each segment, without the white space around it."""
        edges = (0, *self.borders, len(self))
        return tuple(
            "".join(w + s for w, s in zip(self.words[a:b], self.after[a:b], strict=True)).strip(" ")
            for a, b in pairwise(edges)
        )


def split_spaces(text: str) -> Tokens:
    """Tokens of a text that is tokenised by spaces: `spaced(text).text == text` for every text."""
    words = text.split(" ")
    if "" not in words:  # no double, leading or trailing space: nearly every line
        return Tokens(tuple(words), (" ",) * (len(words) - 1) + ("",))
    parts = _SPACES.split(text)  # words at even places, white space at odd ones
    lead = ""
    if parts[0] == "":
        lead = parts[1] if len(parts) > 1 else ""
        parts = parts[2:]
    if parts and parts[-1] == "":
        parts.pop()
    gaps = parts[1::2]
    texts = parts[0::2]
    return Tokens(tuple(texts), (*gaps, *[""] * (len(texts) - len(gaps))), lead)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a tokenised text in memory. Line ends, as of `file.readlines()`, and tabs are white space too."""
    return split_spaces(_LINE_ENDS.sub(" ", text)).words


def join_words(words: Iterable[str]) -> Tokens:
    """Tokens with one space between the given words."""
    texts = tuple(words)
    return Tokens(texts, (" ",) * (len(texts) - 1) + ("",) if texts else ())
