"""What the reader of people sees of each word: the pipeline's vector and tag, its letters, what the tables say of it,
and what its other places in the text say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from math import log
from typing import TYPE_CHECKING, Any, TypeAlias
from unicodedata import category, normalize
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gec_fair.english import pipeline
from gec_fair.english.inflect import is_word
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts
from gec_fair.people.links import lexical

if TYPE_CHECKING:
    from spacy.tokens import Doc

Rows: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.int64]
WORDS = 30_011
"""Buckets of lower-cased words; the first is for words that the reader shall not know."""
ENDINGS = 4_001
"""Buckets of their last three letters."""
CASES = 8
_FEMININE_MASCULINE = (Gender.FEMININE, Gender.MASCULINE)
_SENTENCE_ENDS = frozenset(".!?")
_ARTICLES = frozenset(["the", "a", "an"])
_TITLES = word_list("masculine_titles") | word_list("feminine_titles") | word_list("titles_of_any_gender")
FRAMES = (
    word_list("verbs_of_giving"),
    word_list("verbs_of_state"),
    word_list("verbs_of_perception"),
    word_list("verbs_with_a_bare_infinitive"),
    word_list("verbs_of_naming"),
)
"""What a verb may have behind it."""
_LISTS = (
    _TITLES,
    word_list("impersonal_name_words"),
    word_list("endings_of_a_place_name"),
    word_list("endings_of_a_thing_name"),
    word_list("beginnings_of_a_place_name"),
    word_list("name_particles"),
    word_list("before_a_place"),
    word_list("before_a_first_name"),
    word_list("before_a_place_or_date"),
    word_list("communication_verbs"),
    *FRAMES,
    word_list("never_after_a_possessive"),
)


@dataclass(frozen=True)
class Seen:
    """What the reader sees of the words of a text."""

    rows: Rows
    """Words × what is a number."""
    tags: Numbers
    cases: Numbers
    words: Numbers
    endings: Numbers

    def part(self, start: int, end: int) -> Seen:
        """What is seen of the words from `start` to `end`."""
        return Seen(*(getattr(self, field.name)[start:end] for field in fields(self)))


class Pieces:
    """Vectors of the sub-words of a pretrained encoder: what it knew of a word before it read a text. `names`: the
    encoder's vocabulary (WordPiece, lower case); `vectors`: one for each."""

    def __init__(self, names: Sequence[str], vectors: Rows) -> None:
        self.names, self.vectors = names, vectors
        self._numbers = {name: number for number, name in enumerate(names)}
        self._known: dict[str, Rows] = {}

    def vector(self, word: str) -> Rows:
        """The mean of the vectors of its sub-words."""
        if word not in self._known:
            if len(self._known) > 100_000:
                self._known.clear()
            self._known[word] = self.vectors[self.cut(word)].mean(axis=0)
        return self._known[word]

    def cut(self, word: str) -> list[int]:
        """The numbers of its sub-words: the longest that the vocabulary has, from the left."""
        plain = "".join(sign for sign in normalize("NFD", word.lower()) if category(sign) != "Mn")
        numbers, at = [], 0
        while at < len(plain):
            mark = "##" if at and plain[at - 1].isalnum() and plain[at].isalnum() else ""
            ends = range(len(plain), at, -1)
            end = next((end for end in ends if mark + plain[at:end] in self._numbers), 0)
            if not end:
                return [self._numbers["[UNK]"]]
            numbers.append(self._numbers[mark + plain[at:end]])
            at = end
        return numbers or [self._numbers["[UNK]"]]


def see(doc: Doc, pieces: Pieces) -> Seen:
    """What the reader sees of a tagged text, at least of one word."""
    doc = with_our_vectors(doc)
    words, tags = texts(doc), tag_numbers()
    numbers, listed = zip(*map(_look_up, words), strict=True)
    known = [row for word, of_tables in zip(words, listed, strict=True) for row in (pieces.vector(word), of_tables)]
    of_words = np.concatenate(known).reshape(len(words), -1)
    cases, buckets, endings = np.array(numbers, np.int64).T
    return Seen(
        np.concatenate([np.asarray(doc.tensor, np.float32), of_words, evidence(words)], axis=1),
        np.array([tags.get(token.tag_, 0) for token in doc], np.int64),
        cases,
        buckets,
        endings,
    )


def with_our_vectors(doc: Doc) -> Doc:
    """The text itself, or, if another pipeline tagged it, as the package's pipeline tags its words."""
    if pipeline.has_our_vectors(doc):
        return doc
    [ours] = pipeline.tag(pipeline.load_shared(), [[token.text for token in doc]])
    return ours


@cache
def tag_numbers() -> Mapping[str, int]:
    """The tags of the package's pipeline, from 1."""
    tagger: Any = pipeline.load_shared().get_pipe("tagger")
    return {tag: number for number, tag in enumerate(tagger.labels, 1)}


@lru_cache(maxsize=50_000)
def _look_up(word: str) -> tuple[tuple[int, int, int], Rows]:
    """What is seen of a word by itself: its case, its bucket and that of its ending, and what the tables say."""
    known, lower = lexicon.load(), word.lower()
    buckets = 1 + crc32(lower.encode()) % (WORDS - 1), crc32(lower[-3:].encode()) % ENDINGS
    names, nouns = known.names, known.nouns
    entry = names.entries.get(lower) if names.is_name(word, proper=True) else None
    of_name = names.gender(word) if entry is not None else None
    term = nouns.terms.get((lower,)) or nouns.titles.get((lower,))
    pronoun = {gender for gender, _ in forms_of(lower)}
    row = [
        entry is not None,
        *(of_name is gender for gender in _FEMININE_MASCULINE),
        entry is not None and entry.reading == "any",
        entry is not None and entry.reading == "shared",
        log(1 + 1000 * (entry.share or 0.0)) / 7 if entry is not None else 0.0,
        names.is_surname(word),
        *(term is not None and term.gender is gender for gender in _FEMININE_MASCULINE),
        *(gender in pronoun for gender in _FEMININE_MASCULINE),
        lower in ("her", "his"),
        lexical.load().person.get(lower, 0.0),
        word.isalpha() and is_word(lower),
        *(lower in words for words in _LISTS),
    ]
    return (case_of(word), *buckets), np.array(row, np.float32)


def evidence(words: Sequence[str]) -> Rows:
    """For each word of a whole text: whether it is elsewhere behind a title or first name, before a capitalised word,
    behind an article, without a capital; how often it is there; whether it begins a sentence."""
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        if word[:1].isupper():
            places.setdefault(word, []).append(at)
    lower = {word for word in words if word.islower()}
    rows = np.zeros((len(words), 6), np.float32)
    for word, ats in places.items():
        rows[ats, 3] = word.lower() in lower
        for at in ats if len(ats) > 1 else ():
            others = [place for place in ats if place != at]
            before = [words[place - 1] for place in others if place]
            rows[at, :3] = (
                any(_look_up(neighbour)[1][0] or neighbour.lower() in _TITLES for neighbour in before),
                any(words[place + 1][:1].isupper() for place in others if place + 1 < len(words)),
                any(neighbour.lower() in _ARTICLES for neighbour in before),
            )
        rows[ats, 4] = min(len(ats) - 1, 3) / 3
    rows[:, 5] = [at == 0 or words[at - 1] in _SENTENCE_ENDS for at in range(len(words))]
    return rows


def case_of(word: str) -> int:
    """Lower, Capitalised, UPPER, Mixed, begins with a digit, punctuation, other, one capital letter."""
    if word.islower():
        return 0
    if word[:1].isupper():
        return 7 if len(word) == 1 else 2 if word.isupper() else 1 if word[1:].islower() else 3
    if word[:1].isdigit():
        return 4
    return 5 if not word[:1].isalnum() else 6
