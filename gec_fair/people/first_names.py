"""Which words of a text are first names of persons, and of which gender.

    Victor/first Hugo/- met Grace/first in Grace/- Road .
    Oberon/first uses his magic .                    no table lists him: his text says the gender

A word that stands in several places is read in all of them together: one of them may show what it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.english.labels import NOUNS, PLURAL_NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons import lexicon as lexicons
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import lowers, once_a_text, texts
from gec_fair.people import reader
from gec_fair.people.reader import GENDERS, KINDS, SOMEBODY, Kind, places_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LIKELY = 0.54
"""The least mean probability over the places of a word. Chosen on the sets of `benchmarks/people.py`, part a."""
POSSIBLE = LIKELY / 2
"""The least probability in its own place. Chosen by hand."""
UNLISTED = 0.75
"""The least mean probability of a name that no table lists. Chosen by hand."""
CERTAIN = 0.97
"""The least mean probability of its gender. Chosen by hand."""
SHORTEST = 3  # letters of such a name; chosen by hand
UNISEX = word_list("unisex_names")
_THEY = word_list("they_words")
_SEVERAL = PLURAL_NOUNS | {"CC"}
_PRONOUNS = frozenset({"PRP", "PRP$"})
_NO_OTHERS = frozenset({"i", "me", "my", "you", "your", "it", "its"})


def first_names(doc: Doc, lexicon: Lexicon, *, skip: Collection[int] = ()) -> dict[Token, Gender | None]:
    """The first names of a text, with their gender; None for one that both have. One that the table does not list is
    there only if its text says a gender. The places in `skip` are something else."""
    words, known = texts(doc), lexicon.names
    places = [
        at
        for at, word in enumerate(words)
        if at not in skip and (word[:1].isupper() or known.reading(word) == "any") and known.is_name(word, proper=True)
        if not lexicon.nouns.is_fixed(words, at)  # Tom, Dick and Harry
    ]
    names = {doc[at]: known.gender(words[at]) for at in _likely_places(doc, places, LIKELY)}
    if any(_says_a_gender(word.lower(), lexicon) for word in words):
        places = [at for at in range(len(words)) if at not in skip and _may_be_one(doc[at], words, lexicon)]
        names |= _with_genders(doc, _likely_places(doc, places, UNLISTED))
    return names


@once_a_text
def who_go_by_they(doc: Doc) -> frozenset[str]:
    """*Alex said they love it*: the first names behind which *they* can stand for nobody else. Nobody else was spoken
    of before it, and no group and nothing in the plural; and nobody is *he* or *she*."""
    if _THEY.isdisjoint(lowers(doc)) or any(forms_of(token.lower_) for token in doc):
        return frozenset()
    names = places_of(doc, [token.i for token in doc if token.tag_ in PROPER_NOUNS], Kind.FIRST_NAME)
    return frozenset(doc[at].text for at in names if _goes_by_they(doc, at))


def _goes_by_they(doc: Doc, at: int) -> bool:
    they = next((token.i for token in doc[at + 1 :] if token.lower_ in _THEY), 0)
    before = doc[:they]
    others = [token.i for token in before if token.tag_ in NOUNS and token.i != at]
    return (
        they > at
        and not any(token.tag_ in _SEVERAL for token in before)
        and not any(token.tag_ in _PRONOUNS and token.lower_ not in _NO_OTHERS for token in before)
        and not places_of(doc, others, Kind.FIRST_NAME, Kind.PERSON, Kind.GROUP)
    )


def _may_be_one(token: Token, words: Sequence[str], lexicon: Lexicon) -> bool:
    lower = token.lower_
    return (
        len(lower) >= SHORTEST
        and token.text.istitle()
        and token.tag_ in PROPER_NOUNS
        and lower not in words
        and lower not in lexicon.names.entries
        and lower not in UNISEX
        and not _says_a_gender(lower, lexicon)
        and not lexicon.nouns.is_fixed(words, token.i)  # Mother Nature
    )


def _says_a_gender(word: str, lexicon: Lexicon) -> bool:
    return bool(forms_of(word)) or (word,) in lexicon.nouns.terms or (word,) in lexicon.nouns.titles


def _likely_places(doc: Doc, places: Sequence[int], least: float) -> list[int]:
    """The places of words that are first names of persons, with at least this mean probability."""
    likely, by_word = likelihoods(doc, places), _by_word(doc, places)
    mean = {word: sum(likely[at] for at in ats) / len(ats) for word, ats in by_word.items()}
    return [at for at in places if likely[at] >= POSSIBLE and mean[doc[at].text] >= least]


def _by_word(doc: Doc, places: Sequence[int]) -> dict[str, list[int]]:
    by_word: dict[str, list[int]] = {}
    for at in places:
        by_word.setdefault(doc[at].text, []).append(at)
    return by_word


def _with_genders(doc: Doc, places: Sequence[int]) -> Iterator[tuple[Token, Gender]]:
    """The names at these places whose gender the text says."""
    for ats in _by_word(doc, places).values():
        means = reader.read(doc).genders[ats].mean(axis=0)
        gender = GENDERS[int(np.argmax(means))]
        if gender is not None and means.max() >= CERTAIN:
            yield from ((doc[at], gender) for at in ats)


def likelihoods(doc: Doc, places: Sequence[int]) -> dict[int, float]:
    """How likely the word at each place is the first name of a person: read as one, or, if a table lists it, as another
    name where nobody's name or title stands before it (*called Martin*)."""
    if not places:
        return {}
    rows, listed = reader.read(doc).kinds, lexicons.load().names.entries
    somebody = rows[:, [KINDS.index(kind) for kind in SOMEBODY]].sum(axis=1)
    first, surname = KINDS.index(Kind.FIRST_NAME), KINDS.index(Kind.SURNAME)

    def begins(at: int) -> bool:
        before = doc[at - 1].text if at else ""
        is_first = not before[:1].isalpha() or not before[:1].isupper() or bool(somebody[at - 1] < reader.LIKELY)
        return is_first and doc[at].lower_ in listed

    return {at: float(rows[at, first] + rows[at, surname] * begins(at)) for at in places}
