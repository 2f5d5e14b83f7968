"""Nouns for people that a gender, race or age may be inserted before: *do women cheat → do middle-aged women cheat*."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from gec_fair.english.labels import COMMON_NOUNS, NOUN_MODIFIERS, NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.links.lexical import TITLES
from gec_fair.people.terms.axes import AGE, default_attribute
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.words.perturbable import Finder

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEGINS = frozenset([".", "!", "?", ":", '"', "“"])
_NOT_BEFORE = word_list("nouns_without_an_inserted_attribute")


def insertable(doc: Doc, words: Sequence[PerturbableWord], finder: Finder) -> Iterator[PerturbableWord]:
    """The nouns, once for each axis that nothing says of them. `words`: the perturbable words of the text."""
    stated = {(i, word.axis) for word in words for i in range(word.start, word.end)}
    for token in doc:
        if not _is_a_noun_for_people(token, finder):
            continue
        around = {token.i, *(child.i for child in token.children)}
        for axis in finder.demographics.axes.names:
            if not any((i, axis) in stated for i in around):
                yield PerturbableWord(token.i, token.i + 1, axis, default_attribute(axis), "noun")


def place(noun: Token, axis: str, stated: Collection[int]) -> int:
    """Where an adjective goes: an age before a race, each before the words that are one with the noun (*police
    officers*). `stated`: the places of words of race."""
    same = [child.i for child in noun.children if child.dep_ == "compound" and child.i < noun.i]
    if axis == AGE:
        same += [child.i for child in noun.children if child.i in stated and child.i < noun.i]
    return min([noun.i, *same])


def _is_a_noun_for_people(token: Token, finder: Finder) -> bool:
    if token.tag_ not in COMMON_NOUNS or token.lower_ in _NOT_BEFORE or token.lower_ in TITLES:
        return False
    after = token.nbor() if token.i + 1 < len(token.doc) else None
    before = token.nbor(-1) if token.i else None
    if after is not None and (after.tag_ in NOUNS or after.tag_ in ("POS", "HYPH") or after.text == "-"):
        return False  # women writers, the girl's, man-made
    if before is not None and (before.tag_ in ("HYPH", *PROPER_NOUNS) or before.text == "-"):
        return False
    if token.dep_ in NOUN_MODIFIERS and token.head.i > token.i:
        return False
    if any(child.dep_ == "compound" and child.i and child.nbor(-1).text == "-" for child in token.children):
        return False  # first-time voters
    begins = before is None or before.text in _BEGINS
    return (begins or not token.text[:1].isupper()) and finder.readings.is_person(token)
