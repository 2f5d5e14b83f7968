"""What a word stands for: a person by first name or surname, a group, a place, a work or thing, or none of these.

    Ada/first-name Lovelace/surname read Alice/object in Wonderland/object in Austin/place .

The pipeline tags a name as a proper noun and says no more. The reader looks at the pipeline's word vectors, at the
words around, at the lexicons and at the other places of the word in the text, and gives each kind a probability.
Trained by `training/persons/train.py`; how well it reads, by domain: docs/concepts/english-pipeline.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.english import two_layers
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import forms_of
from gec_fair.english.pipeline import WIDTH, has_our_vectors
from gec_fair.english.two_layers import Rows

if TYPE_CHECKING:
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).with_name("persons.npz")
WINDOW = 3
"""Words on either side whose form is looked at."""


class Kind(Enum):
    """What a noun or name stands for."""

    FIRST_NAME = "first name"
    SURNAME = "surname"  # or any other part of a person's name
    PERSON = "person"  # a title or common noun for a person
    GROUP = "group"
    PLACE = "place"
    OBJECT = "object"  # a work, a thing, an event, a time, an idea
    NOTHING = "nothing"  # not a noun or name at all


KINDS = tuple(Kind)
_TAGS = ("NNP", "NNPS", "NN", "NNS", "JJ", "VB", "RB", "IN")
_LISTS = (
    word_list("masculine_titles"),
    word_list("feminine_titles"),
    word_list("titles_of_any_gender"),
    word_list("impersonal_name_words"),
    word_list("endings_of_a_place_name"),
    word_list("beginnings_of_a_place_name"),
    word_list("name_particles"),
    word_list("before_a_place"),
    word_list("before_a_first_name"),
    word_list("before_a_place_or_date"),
    word_list("communication_verbs"),
    word_list("coordinators"),
)
_SIGNS = tuple("the a an of by 's , \" - ( ) : . and who was is said my".split())
ENDINGS = (
    word_list("impersonal_name_words") | word_list("endings_of_a_place_name") | word_list("endings_of_a_thing_name")
)
"""Last words of names of places, groups and things that may hold a person's name."""
_TITLES = word_list("masculine_titles") | word_list("feminine_titles") | word_list("titles_of_any_gender")
_PARTICLES = word_list("name_particles")
_BORDERS = frozenset(["", ".", "!", "?", ":", ";", '"', "“", "``"])
_JOINS = frozenset(["'s", "’s", "and", "&", "of"])
_YEAR = re.compile(r"[12]\d{3}")


def version() -> str:
    """What names the weights in a manifest: `sha256:` and sixteen digits."""
    return two_layers.version(WEIGHTS)


def probabilities(doc: Doc, places: Sequence[int], *kinds: Kind) -> dict[int, float] | None:
    """How likely the word at each place is of one of the kinds; None where the doc has no vectors of our pipeline."""
    rows = read(doc, places)
    return None if rows is None else likelihoods(places, rows, *kinds)


def read(doc: Doc, places: Sequence[int]) -> Rows | None:
    """Probabilities, places × KINDS, for a tagged text; None where the doc has no vectors of our pipeline."""
    if not has_our_vectors(doc):
        return None
    if not places:
        return np.zeros((0, len(KINDS)), dtype=np.float32)
    return two_layers.load(WEIGHTS).probabilities(features(doc, places))


def likelihoods(places: Sequence[int], rows: Rows, *kinds: Kind) -> dict[int, float]:
    """How likely the word at each place is of one of the kinds, from the rows that `read` gave."""
    likely = rows[:, [KINDS.index(kind) for kind in kinds]].sum(axis=1)
    return dict(zip(places, likely.tolist(), strict=True))


def features(doc: Doc, places: Sequence[int]) -> Rows:
    """One row for each place; the columns are the word vectors of three words, the forms and tags of the words around
    and what the whole text says of the word."""
    words = [token.text for token in doc]
    tags = [token.tag_ for token in doc]
    seen = _Seen(words, tags)
    rows = []
    for at in places:
        parts = [_form(words[i]) if 0 <= i < len(words) else _outside() for i in range(at - WINDOW, at + WINDOW + 1)]
        parts += [_tag(tags[i]) if 0 <= i < len(words) else _tag("") for i in range(at - 1, at + 3)]
        rows.append([number for part in parts for number in part] + seen.row(at))
    vectors = np.zeros((len(words) + 2, WIDTH), dtype=np.float32)
    vectors[1:-1] = doc.tensor
    three = np.array(places)[:, None] + np.arange(3)
    return np.concatenate([vectors[three].reshape(len(places), -1), np.array(rows, dtype=np.float32)], axis=1)


class _Seen:
    """What the text says of a word in all its places."""

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self.words, self.tags = words, tags
        self.places: dict[str, list[int]] = {}
        for at, word in enumerate(words):
            if word[:1].isupper():
                self.places.setdefault(word, []).append(at)
        lower = {word.lower() for word in words}
        self.pronouns = float(any(forms_of(word) for word in lower))
        self.runs = runs(words, tags)

    def row(self, at: int) -> list[float]:
        places = self.places.get(self.words[at], [at])
        others = [place for place in places if place != at]
        return [
            self.pronouns,
            min(len(places), 4) / 4,
            self._any(places, -1, _is_capitalised),
            self._any(places, -1, _is_given),
            self._any(places, 1, _is_capitalised),
            self._any(others, -1, _is_given),
            self._any(others, 1, _is_capitalised),
            self._any(others, -1, _is_article),
            float(at == 0 or self.words[at - 1] in ".!?"),
            float(any(self.tags[place] in PROPER_NOUNS for place in others)),
            *self._run(at),
        ]

    def _run(self, at: int) -> list[float]:
        """What the capitalised words say among which the word stands: *Rex/first Allen Cowboy Museum/last*."""
        words = self.words
        start, end = self.runs.get(at, (at, at + 1))
        inner = range(start, end)
        after = words[end : end + 3]
        next_end = self.runs.get(end + 1, (0, 0))[1] if len(after) > 1 and after[0].lower() in _JOINS else 0
        return [
            float(at > start),
            float(at > start + 1),
            float(at < end - 1),
            float(at < end - 2),
            float(end - start > 3),
            float(words[end - 1].lower() in ENDINGS),
            float(any(words[i].lower() in ENDINGS for i in inner if i > at)),
            float(any(words[i].lower() in ENDINGS for i in inner if i < at)),
            float(bool(next_end) and words[next_end - 1].lower() in ENDINGS),
            float(any(words[i].lower() in _TITLES for i in range(start, at))),
            float(at > start and _is_given(words[at - 1])),
            float(at > start and not _is_given(words[at - 1]) and words[at - 1].lower() not in _TITLES),
            float(at + 1 < end and _is_given(words[at + 1])),
            float(any(len(words[i].rstrip(".")) == 1 for i in inner if i != at)),
            float(start > 0 and _is_article(words[start - 1])),
            float(start > 0 and words[start - 1].lower() in ("in", "at", "from", "to", "near", "of")),
            float(len(after) > 1 and after[0] == "," and _is_capitalised(after[1])),
            float(len(after) > 2 and after[0] == "," and after[2:3] in ([","], ["."]) and _is_capitalised(after[1])),
            float(bool(after) and after[0] in ("'s", "’s", "'")),
            float(bool(after) and after[0][:1].islower()),
        ]

    def _any(self, places: Iterable[int], step: int, test: object) -> float:
        last = len(self.words)
        return float(any(0 <= place + step < last and test(self.words[place + step]) for place in places))  # type: ignore[operator]


def runs(words: Sequence[str], tags: Sequence[str]) -> dict[int, tuple[int, int]]:
    """The half-open run of capitalised words around each word that is in one; particles and initials are inside."""
    runs: dict[int, tuple[int, int]] = {}
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (_in_run(words, tags, end) or (end > at and _links(words, tags, end))):
            end += 1
        for i in range(at, end):
            runs[i] = (at, end)
        at = max(end, at + 1)
    return runs


def _in_run(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    if not _is_capitalised(words[at]):
        return False
    if len(words[at]) == 2 and words[at][1] == "." and words[at] != "I.":
        return True  # an initial, which taggers take for a number of a list
    is_first = at == 0 or words[at - 1] in _BORDERS
    return tags[at] in PROPER_NOUNS or (not is_first and tags[at] in ("NN", "NNS", "JJ") and words[at] != "I")


def _links(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """A particle or hyphen between two words of a run: *Ludwig van Beethoven, Jean - Paul*."""
    is_link = words[at].lower() in _PARTICLES or words[at] in ("-", "‐")
    return is_link and at + 1 < len(words) and _in_run(words, tags, at + 1)


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper()


def _is_given(word: str) -> bool:
    return word[:1].isupper() and lexicon.load().names.is_name(word, proper=True)


def _is_article(word: str) -> bool:
    return word.lower() in ("the", "a", "an")


@lru_cache(maxsize=20_000)
def _form(word: str) -> tuple[float, ...]:
    lower = word.lower()
    entry = lexicon.load().names.entries.get(lower)
    share = entry.share if entry is not None and entry.share else 0.0
    row = [
        word.islower(),
        word.istitle(),
        word.isupper() and len(word) > 1,
        len(word.rstrip(".")) == 1 and word[:1].isupper(),
        word[:1].isupper() and not word.istitle() and not word.isupper(),
        word[:1].isdigit(),
        bool(_YEAR.fullmatch(word)),
        not any(letter.isalnum() for letter in word),
        entry is not None and entry.reading == "any",
        entry is not None and entry.reading == "proper",
        entry is not None and entry.reading == "shared",
        entry is not None and entry.surname,
        log(1 + 1000 * share) / 7 if entry is not None else 0.0,
        entry is not None and not share,
        (lower,) in lexicon.load().nouns.terms,
        (lower,) in lexicon.load().nouns.titles,
        bool(forms_of(lower)),
        _person_share(lower),
        *(lower in words for words in _LISTS),
        *(lower.replace("’", "'") == sign for sign in _SIGNS),
        False,
    ]
    return tuple(map(float, row))


@cache
def _outside() -> tuple[float, ...]:
    return (0.0,) * (len(_form("x")) - 1) + (1.0,)


@cache
def _tag(tag: str) -> tuple[float, ...]:
    word_class = tag if tag.startswith("NN") else tag[:2]  # JJR is JJ, VBZ is VB
    return tuple(float(word_class == known) for known in _TAGS)


@cache
def _person_nouns() -> Mapping[str, float]:
    from gec_fair.english.coref import lexical

    return lexical.load().person


def _person_share(word: str) -> float:
    return _person_nouns().get(word, 0.0)
