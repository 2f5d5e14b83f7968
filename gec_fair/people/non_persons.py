"""Which *he* and *she* of a text stand for an animal, a ship, a country or another thing, and not for a person.

    I have a dog . He/animal sleeps on his/animal back .      My brother has a dog . He loves it .

A pronoun is an animal's where an animal was spoken of before it and nobody who could be meant; but whom the dog bit is
somebody else. *It* shows that the writer does not call the animal he or she. Ships, countries and institutions count
for *she* alone, and not behind a preposition. A name behind *called* or *named* is the animal's too. In a text
about pets (*the leash*, and an animal) only who says something, or is called a man or a woman, is somebody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from gec_fair.english.inflect import verb_lemma
from gec_fair.english.labels import FINITE_VERBS, NOUNS, PROPER_NOUNS, SINGULAR_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Form, Gender, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import lowers, once_a_text
from gec_fair.people.forms import form_of
from gec_fair.people.links import lexical
from gec_fair.people.reader import SOMEBODY, places_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ANIMALS = word_list("animals_called_he_or_she")
_VESSELS = word_list("things_called_she")
_BEFORE_A_SHIPS_NAME = frozenset(["ship", "boat", "yacht", "steamer", "uss", "hms"])
_NOT_HERE = word_list("animals_in_wordnet_alone")
_SOMEBODY = word_list("indefinite_persons")
_NEUTER = frozenset(["it", "its", "itself"])
_OF_A_KIND = frozenset(["male", "female", "males", "females"])
_NAMING = word_list("before_an_animals_name")
_NAMED = frozenset(["called", "named", "name", "("])
_KEEPING = word_list("words_of_keeping_animals")
_DOGS = word_list("dogs_of_a_nationality")
_SAYS = word_list("communication_verbs")
_IS = frozenset(["is", "was", "'s"])
_WHO = frozenset(["who", "that", "which"])
OURS = frozenset(["my", "your", "our"])
_OWNS = frozenset(["PRP$", "POS"])
_DETERMINERS = _OWNS | {"DT"}
_DESCRIBES = frozenset(["JJ", "NN", "CD", "VBN", "VBG"])
_BORDERS = frozenset(["CC", ",", ":", ".", "PRP", "WDT", "WP", "WRB", "``"])
"""Tags of words that may begin another clause; *if* has the tag of a preposition."""
_SUBORDINATE = word_list("subordinators")
_FAR = 6
"""Words between an animal and its name. Chosen by hand: *a dog whose name is Max* has three."""
LIKELY = 0.5
"""Share of a noun's readings (WordNet) from which it is an animal or a person. Chosen by hand: *donkey*, not *fox*."""
NEAR = 60
"""Words after which an animal is forgotten. Chosen by hand: three sentences, not a page."""


@dataclass(frozen=True, slots=True)
class NonPersons:
    """Places of pronouns, names and adjectives that belong to no person, and the word that says so."""

    places: frozenset[int] = frozenset()
    word: str = ""


@dataclass(frozen=True, slots=True)
class _Person:
    at: int
    gender: Gender | None


def find_non_persons(doc: Doc, lexicon: Lexicon) -> NonPersons:
    """The places that are not a person's. Linear in words."""
    tagged = enumerate((token.lower_, token.tag_) for token in doc)
    kinds = {at: kind for at, (lower, tag) in tagged if tag in NOUNS and (kind := _kind(lower, tag))}
    keeping = words_of_keeping(doc)
    if not kinds and not keeping:
        return NonPersons()
    spoken_of = {doc[at].lower_ for at in (*keeping, *(at for at, kind in kinds.items() if kind == "animal"))}
    is_about_pets = bool(keeping) and len(spoken_of) > 1
    names = {at for place, kind in kinds.items() for at in _names_of(doc, place, kind)}
    people = {person.at: person for person in _people(doc, lexicon, kinds.keys() | names)}
    named = frozenset(Gender) if is_about_pets else {lexicon.names.gender(doc[at].text) for at in names}
    places = _pronouns(doc, kinds, people, named, is_about_pets) | names
    places |= {t.i for t in doc if t.lower_ in _OF_A_KIND and _describes(doc, t.i, kinds, people)}
    return NonPersons(frozenset(places), doc[min(kinds or keeping)].text if places else "")


@once_a_text
def words_of_keeping(doc: Doc) -> list[int]:
    """The places of words of keeping animals: *vet, leash, spayed*; *a German Shepherd*."""
    return [
        at
        for at, word in enumerate(lowers(doc))
        if word in _KEEPING or (word in _DOGS and at and doc[at - 1].text.istitle())
    ]


def is_animal(token: Token) -> bool:
    """Whether a noun is one for an animal."""
    return _kind(token.lower_, token.tag_) == "animal"


@once_a_text
def animals(doc: Doc) -> list[Token]:
    """The nouns of a text that are for an animal."""
    return list(filter(is_animal, doc))


def _pronouns(
    doc: Doc,
    kinds: dict[int, str],
    people: dict[int, _Person],
    named: Collection[Gender | None],
    is_about_pets: bool,
) -> set[int]:
    """The pronouns before which something was spoken of, or which stand in a text about pets, and nobody of their
    gender. Where an animal has a name of it
    (one of `named`), a person of unknown gender is not meant: *my cat Bella went to the vet, for she was ill*."""
    seen = list(_speakers(doc)) if is_about_pets else []
    topics: dict[str, int] = {}
    places: set[int] = set()
    for token in doc:
        if token.i in kinds and _is_singular(token) and _is_determined(doc, token.i, kinds[token.i]):
            topics[kinds[token.i]] = token.i
        elif token.lower_ == "she" and kinds.get(_predicate(token)) == "thing":
            topics["thing"] = token.i
            places.add(token.i)
        elif token.i in people:
            seen.append(people[token.i])
        elif genders := {gender for gender, _ in forms_of(token.lower_)}:
            gender = next(iter(genders))
            meant = any(who.gender == gender or (who.gender is None and gender not in named) for who in seen)
            candidates = ("animal", "thing") if gender is Gender.FEMININE else ("animal",)
            near = [topics[kind] for kind in candidates if kind in topics and token.i - topics[kind] <= NEAR]
            if not meant and (is_about_pets or (near and not _is_acted_on(token, max(near)))):
                places.add(token.i)
            else:
                seen.append(_Person(token.i, gender))
    first = min(topics.values(), default=0)
    is_pet = is_about_pets or any(at and doc[at - 1].lower_ in OURS for at in topics.values())
    is_it = any(token.lower_ in _NEUTER and token.i > first for token in doc)
    return set() if is_it and not is_pet else places


def _speakers(doc: Doc) -> Iterator[_Person]:
    """*He thinks the dog barks*: whoever says or thinks something."""
    for token in doc[:-1]:
        if verb_lemma(token.nbor().lower_) in _SAYS:
            yield from (_Person(token.i, gender) for gender, _ in forms_of(token.lower_))


def _is_singular(token: Token) -> bool:
    """By its tag; *cow* is one although the tagger calls it a plural at times."""
    return token.tag_ in SINGULAR_NOUNS or _singular(token.lower_) == token.lower_


def _is_acted_on(pronoun: Token, at: int) -> bool:
    """*The dog bit him, the ship took her to Malta*: the object of a verb whose subject the animal or thing is."""
    between = pronoun.doc[at + 1 : pronoun.i]
    if not len(between) or not (between[0].tag_ in FINITE_VERBS or between[0].lower_ in _WHO):
        return False
    inner = between[1:] if between[0].lower_ in _WHO else between
    is_clause = any(token.tag_ in FINITE_VERBS for token in inner) and not any(
        token.tag_ in _BORDERS or token.lower_ in _SUBORDINATE for token in inner
    )
    return is_clause and form_of(pronoun) is Form.ACCUSATIVE


def _is_determined(doc: Doc, at: int, kind: str) -> bool:
    """*a dog, my old cat, the ship; England*; but not *fish for dinner*, and a thing not behind a preposition."""
    start = _start_of_phrase(doc, at)
    before = doc[start - 1] if start else None
    if kind == "thing":
        is_named = doc[at].tag_ == "NNP"
        outer = before if is_named or start < 2 else doc[start - 2]
        return (is_named or (before is not None and before.tag_ in _DETERMINERS)) and (
            outer is None or outer.tag_ not in ("IN", "TO", "RP")
        )
    return before is not None and before.tag_ in _DETERMINERS


def _start_of_phrase(doc: Doc, noun: int) -> int:
    """Where the adjectives before a noun begin."""
    return next((at for at in range(noun, 0, -1) if doc[at - 1].tag_ not in _DESCRIBES), 0)


@lru_cache(maxsize=20_000)
def _kind(lower: str, tag: str) -> str:
    """`animal`, `thing` or ""."""
    if tag not in NOUNS or lower in _OF_A_KIND:
        return ""
    lemma = _singular(lower) if tag == "NNS" else lower
    if lemma in _ANIMALS:
        return "animal"
    if lemma in _VESSELS or lemma in _BEFORE_A_SHIPS_NAME:
        return "thing"
    known = lexical.load()
    if tag in PROPER_NOUNS or lemma in _NOT_HERE or lexical.noun_gender(known, lemma):
        return ""  # WordNet's *queen* is a bee or a cat
    return "animal" if known.animal.get(lemma, 0.0) >= LIKELY > known.person.get(lemma, 0.0) else ""


def _singular(word: str) -> str:
    from lemminflect import getLemma

    return next(iter(getLemma(word, "NOUN", lemmatize_oov=False)), word)


def _people(doc: Doc, lexicon: Lexicon, skip: Collection[int]) -> Iterator[_Person]:
    """Singular nouns and names for a person, with their gender where words say it."""
    known = lexical.load()
    proper = [t.i for t in doc if t.tag_ == "NNP" and t.text[:1].isupper() and t.i not in skip]
    names = places_of(doc, proper, *SOMEBODY)
    for token in doc:
        lower = token.lower_
        if token.i in skip or forms_of(lower):
            continue
        if lower in _SOMEBODY:
            yield _Person(token.i, None)
        elif token.tag_ == "NN" and lexical.personhood(known, lower) >= LIKELY:
            yield _Person(token.i, lexical.noun_gender(known, lower))
        elif token.i in names:
            yield _Person(token.i, lexicon.names.gender(token.text))


def _predicate(pronoun: Token) -> int:
    """The place of what *she* is: *she is a fine ship*; -1 for none."""
    after = pronoun.doc[pronoun.i + 1 : pronoun.i + 6]
    if len(after) < 3 or after[0].lower_ not in _IS or after[1].tag_ != "DT":
        return -1
    nouns = takewhile(lambda token: token.tag_ in ("JJ", "RB", "NN"), after[2:])
    return max((token.i for token in nouns if token.tag_ == "NN"), default=-1)


def _names_of(doc: Doc, noun: int, kind: str) -> Iterator[int]:
    """*a dog called Max, our dog Max, his name is Max, a cat whose name is Tom, a rat ( Al ), the ship Maria*: wherever
    the text has the name."""
    at = noun + 1
    if kind == "thing":
        is_before = doc[noun].lower_ in _BEFORE_A_SHIPS_NAME
        if is_before and at < len(doc) and doc[at].tag_ == "NNP" and _is_determined(doc, noun, kind):
            yield from (i for i in range(at, len(doc)) if doc[i].text == doc[at].text)
        return
    while at < len(doc) and at - noun <= _FAR and doc[at].lower_ in _NAMING:
        at += 1
    said = {doc[i].lower_ for i in range(noun + 1, at)}
    owner = doc[max(0, _start_of_phrase(doc, noun) - 1)]
    is_named = not _NAMED.isdisjoint(said) or (at == noun + 1 and owner.tag_ in _OWNS)
    if is_named and at < len(doc) and (doc[at].tag_ == "NNP" or doc[at].text.istitle()):
        yield from (token.i for token in doc if token.text == doc[at].text)


def _describes(doc: Doc, at: int, kinds: dict[int, str], people: dict[int, _Person]) -> bool:
    """*a male penguin; the males are bigger*, where only animals are spoken of."""
    following = next((i for i in range(at + 1, min(at + 4, len(doc))) if doc[i].tag_ in NOUNS), None)
    if following is not None and doc[at].tag_.startswith("JJ"):
        return kinds.get(following) == "animal"
    return "animal" in kinds.values() and not people
