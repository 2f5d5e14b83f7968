"""Which *he* and *she* of a text stand for an animal, a ship, a country or another thing, and not for a person.

    I have a dog . He/animal sleeps on his/animal back .      My brother has a dog . He loves it .

A pronoun is an animal's where an animal was spoken of before it and nobody who could be meant; *it* shows that the
writer does not call the animal he or she. Ships, countries and institutions count for *she* alone, and not behind a
preposition. A name behind *called* or *named*, or in apposition, is the animal's too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from gec_fair.english import persons
from gec_fair.english.coref import lexical
from gec_fair.english.labels import NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender, forms_of
from gec_fair.english.persons import Kind

if TYPE_CHECKING:
    from spacy.tokens import Doc

_ANIMALS = word_list("animals_called_he_or_she")
_VESSELS = word_list("things_called_she")
_SOMEBODY = word_list("indefinite_persons")
_NEUTER = frozenset(["it", "its", "itself"])
_OF_A_KIND = frozenset(["male", "female", "males", "females"])
_NAMING = word_list("before_an_animals_name")
LIKELY = 0.5
"""Share of a noun's readings (WordNet) from which it is an animal or a person."""
NEAR = 60
"""Words after which an animal is forgotten."""
_GENDERS = {lexical.FEMININE: Gender.FEMININE, lexical.MASCULINE: Gender.MASCULINE}


@dataclass(frozen=True, slots=True)
class Others:
    """Places of pronouns, names and adjectives that belong to no person, and the word that says so."""

    places: frozenset[int] = frozenset()
    word: str = ""


NOBODY_ELSE = Others()


@dataclass(frozen=True, slots=True)
class _Person:
    at: int
    gender: Gender | None


def others(doc: Doc, lexicon: Lexicon) -> Others:
    """The places that are not a person's. Linear in words."""
    things = {token.i: _kind(token.lower_, token.tag_) for token in doc}
    things = {at: kind for at, kind in things.items() if kind}
    if not things:
        return Others()
    names = {at: thing for thing in things for at in _names_of(doc, thing)}
    people = {person.at: person for person in _people(doc, lexicon, things.keys() | names.keys())}
    seen: list[_Person] = []
    last: dict[str, int] = {}
    places: set[int] = set()
    for token in doc:
        if token.i in things and not (things[token.i] == "thing" and _is_behind_a_preposition(doc, token.i)):
            last[things[token.i]] = token.i
        elif token.i in people:
            seen.append(people[token.i])
        elif genders := {gender for gender, _ in forms_of(token.lower_)}:
            gender = next(iter(genders))
            meant = any(person.gender in (None, gender) for person in seen)
            kinds = ("animal", "thing") if gender is Gender.FEMININE else ("animal",)
            if not meant and any(token.i - last[kind] <= NEAR for kind in kinds if kind in last):
                places.add(token.i)
            else:
                seen.append(_Person(token.i, gender))
    if places and any(token.lower_ in _NEUTER and token.i > min(last.values()) for token in doc):
        places = set()
    places |= names.keys()
    places |= {at for at, word in enumerate(doc) if word.lower_ in _OF_A_KIND and _describes(doc, at, things, people)}
    word = next((doc[at].text for at in sorted(things)), "")
    return Others(frozenset(places), word) if places else Others()


@lru_cache(maxsize=20_000)
def _kind(lower: str, tag: str) -> str:
    """`animal`, `thing` or ""."""
    if tag not in NOUNS:
        return ""
    lemma = _singular(lower) if tag == "NNS" else lower
    if lemma in _ANIMALS:
        return "animal"
    if lemma in _VESSELS:
        return "thing"
    known = lexical.load()
    is_animal = known.animal.get(lemma, 0.0) >= LIKELY > known.person.get(lemma, 0.0)
    return "animal" if is_animal and tag not in PROPER_NOUNS else ""


def _singular(word: str) -> str:
    from lemminflect import getLemma

    return next(iter(getLemma(word, "NOUN", lemmatize_oov=False)), word)


def _people(doc: Doc, lexicon: Lexicon, taken: object) -> Iterator[_Person]:
    """Singular nouns and names for a person, with their gender where words say it."""
    known = lexical.load()
    proper = [t.i for t in doc if t.tag_ == "NNP" and t.text[:1].isupper() and t.i not in taken]  # type: ignore[operator]
    likely = persons.probabilities(doc, proper, Kind.FIRST_NAME, Kind.SURNAME, Kind.PERSON)
    for token in doc:
        lower = token.lower_
        if token.i in taken or forms_of(lower):  # type: ignore[operator]
            continue
        if lower in _SOMEBODY:
            yield _Person(token.i, None)
        elif token.tag_ == "NN" and lexical.personhood(known, lower) >= LIKELY:
            yield _Person(token.i, _GENDERS.get(lexical.noun_gender(known, lower) or ""))
        elif token.tag_ == "NNP":
            is_name = lexicon.names.is_name(token.text, proper=True)
            if is_name if likely is None else likely.get(token.i, 0.0) >= LIKELY:
                yield _Person(token.i, lexicon.names.gender(token.text))


def _names_of(doc: Doc, thing: int) -> Iterator[int]:
    """*a dog called Max, my cat , Tom , …, our dog 's name is Max*."""
    at = thing + 1
    while at < len(doc) and at - thing <= 6 and doc[at].lower_ in _NAMING:
        at += 1
    if at > thing + 1 and at < len(doc) and doc[at].tag_ == "NNP":
        yield from (i for i in range(thing + 1, len(doc)) if doc[i].text == doc[at].text)


def _describes(doc: Doc, at: int, things: dict[int, str], people: dict[int, _Person]) -> bool:
    """*a male penguin; the males are bigger*, where only animals are spoken of."""
    following = next((i for i in range(at + 1, min(at + 4, len(doc))) if doc[i].tag_ in NOUNS), None)
    if following is not None and doc[at].tag_.startswith("JJ"):
        return things.get(following) == "animal"
    return "animal" in things.values() and not people


def _is_behind_a_preposition(doc: Doc, at: int) -> bool:
    before = [doc[i].tag_ for i in range(max(0, at - 3), at)]
    while before and before[-1] in ("DT", "JJ", "PRP$"):
        before.pop()
    return bool(before) and before[-1] in ("IN", "TO")
