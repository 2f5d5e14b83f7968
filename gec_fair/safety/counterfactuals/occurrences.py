"""What a term of an identity is where it stands: an adjective or a person, of people or of a thing, or somebody's name.

a Muslim man            adjective       a devout Muslim       one
Chinese students        people          Chinese noodles, she speaks Chinese: a dish, a language
Black lives             people          a white wall
Elizabeth Bishop        a name
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.referents import is_animal
from gec_fair.english import persons
from gec_fair.english.coref import lexical
from gec_fair.english.labels import COMMON_NOUNS, NOUNS, OBJECTS, PLURAL_NOUNS, PREDICATES, PROPER_NOUNS, SUBJECTS
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.persons import Kind

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from gec_fair.english.lexicons.names import Names

_SINGULAR = word_list("singular_determiners")
_DETERMINERS = word_list("determiners_before_an_identity")
_TITLES = word_list("masculine_titles") | word_list("feminine_titles")
_BEFORE_ADJECTIVES = word_list("before_an_identity_adjective")
_ADVERBS = word_list("adverbs_behind_a_person")
_BEHIND_A_PERSON = frozenset({"VBZ", "VBD", "MD", "IN", "WP", "DT", "RB", "TO", ".", "PRP"})
_PLURAL_VERBS = word_list("plural_verbs_after_a_group")
_THEY = word_list("they_words")
_OF_A_LIFE = word_list("what_people_have")
_OF_A_PEOPLE = word_list("behind_a_people_and_a_hyphen")
_BODIES = word_list("bodies_of_people")
_COLOURS = word_list("colours_of_people_and_things")
_MAY_BE_A_PERSON = 0.25
_LIKELY = 0.5
"""So probably a capitalised word is somebody's name, and names no group."""


def is_adjective(doc: Doc, first: int, last: int) -> bool:
    """*a Muslim man, she is Muslim*; not *a devout Muslim, a Muslim's vote, a Muslim or Jew*."""
    token = doc[last]
    after = doc[last + 1] if last + 1 < len(doc) else None
    determiner = determined(doc, first)
    if after is not None and determiner and (after.tag_ in _BEHIND_A_PERSON or after.lower_ in _ADVERBS):
        return False
    if not determiner and first and doc[first - 1].lemma_ in _BEFORE_ADJECTIVES and token.tag_ not in PLURAL_NOUNS:
        return True
    if after is not None and after.tag_ in COMMON_NOUNS and after.dep_ != "conj":
        return not (after.tag_ == "NNS" and determiner in _SINGULAR)  # a verb that was taken for a noun: a Muslim prays
    if token.dep_ in ("amod", "compound") and token.head.i > token.i:
        return True
    if determiner or (after is not None and after.tag_ == "POS"):
        return False
    if token.dep_ == "conj" and token.head.i < first:
        return is_adjective(doc, token.head.i, token.head.i)
    said_of = token.dep_ in ("acomp", "attr", "oprd") or any(child.dep_ == "cop" for child in token.children)
    return token.tag_.startswith("JJ") or said_of


def determined(doc: Doc, at: int) -> str:
    """The determiner that stands before it, or before the adjectives before it; "" where there is none."""
    before = at - 1
    while before >= 0 and doc[before].tag_.startswith(("JJ", "RB")) and doc[before].lower_ not in _DETERMINERS:
        before -= 1
    return str(doc[before].lower_) if before >= 0 and doc[before].lower_ in _DETERMINERS else ""


def is_of_what_people_have(doc: Doc, last: int) -> bool:
    """*Black lives*, *her black throat*; *a Black-owned shop*: said of a thing, and of people by it."""
    after = [token.lower_ for token in doc[last + 1 : last + 3]]
    if after[:1] == ["-"]:
        return len(after) == 2 and after[1] in _OF_A_PEOPLE
    return bool(after) and (after[0] in _OF_A_LIFE or after[0].lstrip("-") in _OF_A_PEOPLE)


def stands_for_people(doc: Doc, first: int, last: int, slot: str) -> bool:
    """*Hispanics vote, a Pakistani was elected*: a noun by its form and the words around, whatever its tag; not a
    colour."""
    if doc[last].lower_ in _COLOURS or doc[first].lower_ in _COLOURS:
        return False
    if slot == "people":
        return doc[last].lower_.endswith("s")
    after = doc[last + 1] if last + 1 < len(doc) else None
    is_alone = after is None or not (after.tag_ in NOUNS or after.tag_.startswith("JJ") or after.text == "-")
    return slot == "person" and is_alone and determined(doc, first) in _SINGULAR


def may_be_a_person(noun: Token) -> bool:
    """*a Tamil cleaner*: so many of its readings in WordNet are people's that an identity before it is of people."""
    if noun.lower_ in _BODIES:
        return True
    personhood = lexical.personhood(lexical.load(), noun.lemma_.lower())
    return noun.lower_ not in _COLOURS and personhood >= _MAY_BE_A_PERSON and not is_animal(noun)


def is_a_hue(doc: Doc, at: int) -> bool:
    """*white as a sheet*; *her skin is black*: said of a colour, and nobody is named."""
    token = doc[at]
    if at + 1 < len(doc) and doc[at + 1].lower_ in ("as", "with"):
        return True
    subjects = [child for part in (token, token.head) for child in part.children if child.dep_ in SUBJECTS]
    is_predicate = token.dep_ in PREDICATES or any(child.dep_ == "cop" for child in token.children)
    return is_predicate and any(subject.tag_ in COMMON_NOUNS and not may_be_a_person(subject) for subject in subjects)


def are_many(doc: Doc, first: int, last: int) -> bool:
    """*The Cherokee lost their land*: a people by its name, with *the* and a verb or a *they* of several."""
    if determined(doc, first) != "the" or doc[last].lower_.endswith("s"):
        return False
    after = doc[last + 1] if last + 1 < len(doc) else None
    if after is not None and (after.tag_ == "VBP" or after.lower_ in _PLURAL_VERBS):
        return True
    is_subject = after is not None and after.tag_ in ("VBD", "MD", "RB")
    return is_subject and any(token.lower_ in _THEY for token in doc[last + 1 :])


def has_object(verb: Token) -> bool:
    """Whether something is done to somebody: a word that is a slur as a noun is none there."""
    return any(child.dep_ in OBJECTS for child in verb.children)


def is_a_personal_name(doc: Doc, at: int, *, alone: bool) -> bool:
    """*Elizabeth Bishop, Mr Church, Christian Weber*: a capitalised word beside a first name, a title or a surname;
    `alone`: by itself as well, where it is likely somebody's name (*Christian plays bass*)."""
    token = doc[at]
    if not token.text.istitle() or token.tag_ not in PROPER_NOUNS:
        return False
    names = lexicon.load().names
    before = doc[at - 1] if at else None
    if before is not None and (before.lower_ in _TITLES or _is_a_first_name(before, names)):
        return True
    if not alone or determined(doc, at):
        return False
    after = doc[at + 1] if at + 1 < len(doc) else None
    if (
        after is not None
        and after.tag_ in NOUNS
        and not (after.text.istitle() and names.is_name(token.text, proper=True))
    ):
        return False
    likely = persons.probabilities(doc, [at], Kind.FIRST_NAME, Kind.SURNAME) or {}
    return likely.get(at, 0.0) >= _LIKELY


def _is_a_first_name(token: Token, names: Names) -> bool:
    return token.text.istitle() and token.tag_ in PROPER_NOUNS and names.is_name(token.text, proper=True)
