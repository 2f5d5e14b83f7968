"""Texts as words, and equation 7's weight of each occurrence of one (Yang et al. 2024, §3.2).

S(t) = n(t, d)/|d| · ln(|D|/df(t)): how often a word stands in its document, and how rare it is in the data set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def words(text: str) -> list[str]:
    """Words and marks, in lower case."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The words of several texts in one row: those of text i are `ids[starts[i] : starts[i + 1]]`."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(texts): how many words each has."""
        return np.diff(self.starts)

    @property
    def texts(self) -> NDArray[np.int64]:
        """(words): the number of the text that each stands in."""
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)

    @property
    def places(self) -> NDArray[np.int64]:
        """(words): where in its text each stands, from 0."""
        return np.arange(len(self.ids)) - np.repeat(self.starts[:-1], self.sizes)

    @property
    def repeats(self) -> NDArray[np.int64]:
        """(words): n(t, d), how often each stands in its text."""
        _, word_numbers, often = np.unique(
            self.keys(int(self.ids.max(initial=0)) + 1), return_inverse=True, return_counts=True
        )
        return np.asarray(often[word_numbers])

    def keys(self, width: int) -> NDArray[np.int64]:
        """(words): one number for each pair of text and word, of `width` words."""
        return self.texts * width + self.ids


class Vocabulary:
    """The words of a data set, with how many of its documents hold each. It grows by the words of texts that are not in
    it: they count as if one document held them (df = 1)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._numbers: dict[str, int] = {}
        self.size = len(texts)
        self.whole = self.number_words(texts)
        width = max(len(self._numbers), 1)
        self._df = np.bincount(np.unique(self.whole.keys(width)) % width, minlength=len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def words(self) -> list[str]:
        """The words, in the order of their numbers."""
        return list(self._numbers)

    def number_words(self, texts: Sequence[str]) -> Occurrences:
        """The texts' words as numbers; a new word gets the next one."""
        numbers = self._numbers
        rows = [[numbers.setdefault(word, len(numbers)) for word in words(text)] for text in texts]
        starts = np.cumsum([0, *map(len, rows)])
        return Occurrences(np.fromiter((n for row in rows for n in row), np.int64, int(starts[-1])), starts)

    def weights(self, occurrences: Occurrences) -> NDArray[np.float64]:
        """(words): S of each occurrence, equation 7."""
        df = np.ones(len(self._numbers))
        df[: len(self._df)] = np.maximum(self._df, 1)
        share = occurrences.repeats / np.repeat(occurrences.sizes, occurrences.sizes)
        return np.asarray(share * np.log(max(self.size, 1) / df)[occurrences.ids])
