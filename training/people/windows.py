"""Texts as the reader of people gets them: windows of whole sentences, sub-words, their case, and evidence.

The evidence of a word is what the name table says of it, and what its other places in the whole text say: windows are
short, texts are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.features import case_of

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 120
"""Sub-words of a window of whole sentences."""
MOST_SUB_WORDS = 8
"""Of one word; the rest is not read."""
EVIDENCE = 12
_ENDS = frozenset(".!?")
_ARTICLES = frozenset(["the", "a", "an"])
_TITLES = word_list("masculine_titles") | word_list("feminine_titles") | word_list("titles_of_any_gender")

Batch: TypeAlias = dict[str, NDArray[Any]]


@lru_cache(maxsize=50_000)
def _listed(word: str) -> tuple[float, ...]:
    """What the tables say of a word: a first name, of which gender, a surname, a title, also a place or month."""
    names = lexicon.load().names
    is_name = names.is_name(word, proper=True)
    gender = names.gender(word) if is_name else None
    return (
        float(is_name),
        float(names.is_surname(word)),
        float(gender is Gender.FEMININE),
        float(gender is Gender.MASCULINE),
        float(word.lower() in _TITLES),
        float(names.reading(word) == "shared"),
    )


def evidence(words: Sequence[str]) -> list[list[float]]:
    """For each word of a whole text (words × EVIDENCE): what the tables say; whether it is elsewhere behind a title or
    first name, before a capitalised word, behind an article, without a capital; how often it is there; whether it
    begins a sentence."""
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        if word[:1].isupper():
            places.setdefault(word, []).append(at)
    lower = {word for word in words if word.islower()}
    rows = []
    for at, word in enumerate(words):
        others = [place for place in places.get(word, ()) if place != at]
        before = [words[place - 1] for place in others if place]
        rows.append(
            [
                *_listed(word),
                float(any(_listed(one)[0] or _listed(one)[4] for one in before)),
                float(any(words[place + 1][:1].isupper() for place in others if place + 1 < len(words))),
                float(any(one.lower() in _ARTICLES for one in before)),
                float(word[:1].isupper() and word.lower() in lower),
                min(len(others), 3) / 3,
                float(at == 0 or words[at - 1] in _ENDS),
            ]
        )
    return rows


@dataclass(frozen=True)
class Window:
    """Half-open, in words of a text; a sentence longer than `LONGEST` is cut."""

    words: Sequence[str]
    start: int
    end: int
    rows: Sequence[Sequence[float]]
    """Evidence of all words of the text."""


class Batcher:
    """Cuts texts into windows, and windows into arrays; `tokenizer` is a file of the tokenizers library."""

    def __init__(self, tokenizer: Path) -> None:
        self.file = tokenizer
        self._known: dict[str, list[int]] = {}

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.file))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _id(self, sign: str) -> int:
        number = self._tokenizer.token_to_id(sign)
        assert number is not None, f"{self.file}: no {sign}"
        return number

    def sub_words(self, word: str) -> list[int]:
        """Their numbers, at least one and at most `MOST_SUB_WORDS`."""
        if word not in self._known:
            if len(self._known) > 200_000:
                self._known.clear()
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:MOST_SUB_WORDS]
            self._known[word] = ids or [self._id("[UNK]")]
        return self._known[word]

    def windows(self, words: Sequence[str], starts: Sequence[int], longest: int = LONGEST) -> Iterator[Window]:
        """`starts` are the places at which sentences begin."""
        lengths = [len(self.sub_words(word)) for word in words]
        rows = evidence(words)
        borders = [*starts, len(lengths)]
        start = total = 0
        for sentence, end in pairwise(borders):
            if total and total + sum(lengths[sentence:end]) > longest:
                yield Window(words, start, sentence, rows)
                start, total = sentence, 0
            for at in range(sentence, end):
                if total and total + lengths[at] > longest:
                    yield Window(words, start, at, rows)
                    start, total = at, 0
                total += lengths[at]
        if start < len(lengths):
            yield Window(words, start, len(lengths), rows)

    def batch(self, windows: Sequence[Window]) -> Batch:
        """`ids`, `attention`, `cases` (windows × sub-words); `first`, `last`, `word_cases` (windows × words);
        `evidence` (windows × words × EVIDENCE)."""
        parts = [[self.sub_words(word) for word in window.words[window.start : window.end]] for window in windows]
        size = (len(windows), max(sum(map(len, words)) for words in parts) + 2)
        batch: Batch = {name: np.zeros(size, dtype=np.int64) for name in ("ids", "attention", "cases")}
        batch["ids"][:] = self._id("[PAD]")
        size = (len(windows), max(map(len, parts)))
        batch |= {name: np.zeros(size, dtype=np.int64) for name in ("first", "last", "word_cases")}
        batch["evidence"] = np.zeros((*size, EVIDENCE), dtype=np.float32)
        for row, (window, words) in enumerate(zip(windows, parts, strict=True)):
            flat = [self._id("[CLS]"), *(number for word in words for number in word), self._id("[SEP]")]
            cases = [case_of(word) for word in window.words[window.start : window.end]]
            spread = [case for case, word in zip(cases, words, strict=True) for _ in word]
            ends = np.cumsum([len(word) for word in words])
            batch["ids"][row, : len(flat)] = flat
            batch["attention"][row, : len(flat)] = 1
            batch["cases"][row, 1 : len(spread) + 1] = spread
            batch["last"][row, : len(words)] = ends
            batch["first"][row, : len(words)] = [1, *(ends[:-1] + 1)]
            batch["word_cases"][row, : len(words)] = cases
            batch["evidence"][row, : len(words)] = window.rows[window.start : window.end]
        return batch
