"""Which words of a text may be an animal's: *move the babies to another tank*, *my 5 year old is lame*, *he barks*.

`non_persons` reads pronouns by the animal that stands before them. A text about pets often names its
animal once, late, or by its breed; here the whole text counts, and what may be an animal's is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from gec_fair.english.labels import COMMON_NOUNS, NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.forms import form_of
from gec_fair.people.non_persons import OURS, animals, is_animal, words_of_keeping
from gec_fair.people.reader import SOMEBODY, places_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

IsPerson = Callable[["Token"], bool]
AGES = word_list("ages_of_animals_too")
_SPEAKERS = frozenset(["i", "we", "you", "i'm"])
_LINKS = frozenset(["be", "turn"])
SAID_OF_PETS = word_list("people_words_for_pets")
_BOYS_AND_GIRLS = frozenset(["boy", "boys", "girl", "girls"])
_SAYS = word_list("communication_verbs")
_NEAR = 30
"""Words in which what a pronoun stands for is looked for. Chosen by hand: two sentences, not a paragraph."""
_FEW = 4
"""Words between *I* and the number that is its age. Chosen by hand: *I am almost 61*."""


def is_about_animals(doc: Doc, is_person: IsPerson) -> bool:
    """Whether a text has a word of keeping animals, or speaks of animals much more often than of people."""
    if words_of_keeping(doc):
        return True
    young = AGES - _BOYS_AND_GIRLS
    people = (
        token.tag_ in COMMON_NOUNS and token.lower_ not in young and not is_animal(token) and is_person(token)
        for token in doc
    )
    return len(animals(doc)) > max(1, 2 * sum(people))


def is_of_animals(word: Token, sentence: tuple[int, int], is_person: IsPerson) -> bool:
    """Whether a word for an age, or a number, is of animals: an animal was spoken of before it, and nobody in its
    `sentence`, or the whole text is about animals."""
    doc, (start, end) = word.doc, sentence
    is_number = word.lower_ not in AGES
    before = doc[max(0, word.i - _FEW) : word.i]
    if is_number and any(t.lower_ in _SPEAKERS for t in before) and any(t.lemma_ in _LINKS for t in before):
        return False  # I am 61 now
    if is_number and any(token.lower_ in _BOYS_AND_GIRLS for token in doc[start:end]):
        return False  # a shark bit a 5-year-old boy; the boy, 9, followed a kitten
    if is_about_animals(doc, is_person):
        return True
    if not any(map(is_animal, doc[max(0, word.i - _NEAR) : word.i])):
        return False
    others = [token for token in doc[start:end] if token.i != word.i and token.lower_ not in AGES]
    return not any(token.tag_ in NOUNS and not is_animal(token) and is_person(token) for token in others)


def may_be_an_animals(doc: Doc, chain: Collection[int], is_person: IsPerson) -> bool:
    """Whether the pronouns of a chain without a person may stand for an animal: one was spoken of, or *your dog*
    follows, or animals are kept (*vet*)."""
    are_pets = bool(words_of_keeping(doc))
    others = [doc[i] for i in chain if form_of(doc[i]) is None and not (are_pets and doc[i].lower_ in SAID_OF_PETS)]
    if any(map(is_person, others)):
        return False
    if are_pets:
        return True
    at = min(i for i in chain if form_of(doc[i]) is not None)
    if not animals(doc) or doc[at].head.lemma_.lower() in _SAYS:
        return False
    pets = (token for token in doc[at + 1 : at + _NEAR] if token.i and token.nbor(-1).lower_ in OURS)
    around = (*reversed(doc[max(0, at - _NEAR) : at]), *pets)
    names = [token.i for token in around if token.tag_ in PROPER_NOUNS]
    people = places_of(doc, names, *SOMEBODY)
    for token in around:
        if token.tag_ in NOUNS and (is_person(token) or token.i in people):
            return False
        if is_animal(token):
            return True
    return False
