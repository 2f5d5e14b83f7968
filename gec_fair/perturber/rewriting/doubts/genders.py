"""Signs that a person would be left with words of both genders.

men met a guy , and he left     guy → women       *he* stays
fathers are many ; a father …   fathers → parents
the men and their masculinity   men → women
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, edited_places
from gec_fair.english.labels import PLURAL_NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people import reader
from gec_fair.people.reader import Kind
from gec_fair.perturber.words.names import without_accents
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import PerturbableWord
from gec_fair.perturber.words.sentences import sentence_around

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_BODILY = word_list("bound_to_a_gender")
_TITLES = word_list("titles_of_one_gender_alone")
_SUBJECTS = ("nsubj", "nsubj:pass")
_RANKS = word_list("masculine_titles") | word_list("feminine_titles") | {"earl"}
_REFLEXIVES = word_list("singular_reflexives")
_NEAR = 40
"""Words before a pronoun in which its person is looked for."""
_LIKELY = 0.5


def is_half(text: ParsedText, attribute: str, changed: Sequence[Edit]) -> bool:
    """Whether words of the gender `attribute` that `changed` leaves alone are likely of the same people."""
    edited = edited_places(changed)
    words = [word for word in text.gendered if word.attribute == attribute]
    if edited and all(text.doc[i].lower_ in _REFLEXIVES for i in edited):
        return True  # whom *himself* is about has not changed
    return (
        _leaves_a_pronoun(text.doc, words, edited)
        or _leaves_the_next_subject(text.doc, words, edited)
        or _renames_a_surname(text.doc, words, edited)
        or _leaves_its_person(text, words, edited)
        or _leaves_a_noun(text.doc, words, edited)
        or _leaves_a_title(text.doc, edited)
        or any(word.kind == "noun" and _is_a_rank(text.doc, word) for word in words if word.start not in edited)
        or _changes_two_names(text.doc, words, edited)
        or _is_bodily(text.doc, edited)
    )


def _leaves_a_pronoun(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*her* stays, and the woman that was named last before it has changed."""
    people: list[Token] = []
    for word in words:
        token = doc[word.end - 1]
        if word.kind != "pronoun":
            people += [token] if _is_one(token) else []
        elif word.start not in edited:
            near = (one for one in reversed(people) if token.i - one.i < _NEAR and not _are_apart(one, token))
            if (last := next(near, None)) is not None and last.i in edited:
                return True
    return False


def _is_one(noun: Token) -> bool:
    """*A lady, one of the ladies*"""
    if noun.tag_ not in PLURAL_NOUNS:
        return True
    before = [token.lower_ for token in noun.doc[max(0, noun.i - 5) : noun.i]]
    return ("one", "of") in pairwise(before)


def _leaves_the_next_subject(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*He was the son of Edwin Marlow. His mother …*: a pronoun at the beginning of a sentence is likely of the
    subject before it."""
    for word in words:
        token = doc[word.start]
        if word.kind == "pronoun" and word.start not in edited and token.is_sent_start and token.i:
            last = doc[token.i - 1].sent
            if any(child.i in edited for child in last.root.children if child.dep_ in _SUBJECTS):
                return True
    return False


def _renames_a_surname(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*Clinton had signed a treaty*: whether a word that may be a first name is more likely a surname."""
    if any(word.kind == "pronoun" and word.start in edited for word in words):
        return False
    names = [doc[word.start] for word in words if word.kind == "name" and word.start in edited]
    alone = [token.i for token in names if sum(one.tag_ in PROPER_NOUNS for one in _with_neighbours(token)) < 2]
    surname = reader.probabilities(doc, alone, Kind.SURNAME)
    first = reader.probabilities(doc, alone, Kind.FIRST_NAME)
    return any(surname.get(i, 0.0) >= _LIKELY > first[i] for i in alone if i in first)


def _with_neighbours(token: Token) -> Span:
    return token.doc[max(0, token.i - 1) : token.i + 2]


def _are_apart(person: Token, pronoun: Token) -> bool:
    """*Bob laughed at him*: nobody is both subject and object of a verb."""
    return pronoun.dep_ not in POSSESSIVES and (person.head == pronoun.head or person.head == pronoun.head.head)


def _leaves_its_person(text: ParsedText, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """Pronouns alone change, and a person that may be theirs does not: *Emme went on. She lost.*"""
    changed = [word for word in words if word.start in edited]
    if not changed or any(word.kind != "pronoun" for word in changed):
        return False
    doc, first = text.doc, changed[0].start
    away = {word.start for word in text.gendered} - {word.start for word in words}
    before = [token for token in doc[max(0, first - _NEAR) : first] if token.i not in away]
    names = [token.i for token in before if token.tag_ in PROPER_NOUNS]
    likely = reader.probabilities(doc, names, Kind.FIRST_NAME)
    listed = text.finder.demographics.origins
    nouns = {word.start for word in words if word.kind != "pronoun" and _is_one(doc[word.end - 1])}
    return any(
        token.i in nouns
        or likely.get(token.i, 0.0) >= _LIKELY
        or (token.i in likely and without_accents(token.lower_) in listed)
        for token in before
    )


def _leaves_a_noun(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*an Australian woman … an Australian woman, fathers … a father*: the noun stands elsewhere as it was, and nothing
    tells the two apart (*the tall man met the short man*)."""
    nouns = [doc[word.end - 1] for word in words if word.kind == "noun"]
    changed = [noun for noun in nouns if noun.i in edited]
    left = [noun for noun in nouns if noun.i not in edited]
    return any(
        one.lemma_.lower() == second.lemma_.lower() and not _are_told_apart(one, second)
        for one in changed
        for second in left
    )


def _are_told_apart(one: Token, second: Token) -> bool:
    if (one.tag_ in PLURAL_NOUNS) != (second.tag_ in PLURAL_NOUNS):
        return False
    names = any(token.tag_ in PROPER_NOUNS for token in (one, second))
    return names or one.head == second.head or _qualities(one) != _qualities(second)


def _qualities(noun: Token) -> set[str]:
    return {child.lower_ for child in noun.children if child.dep_ in {"amod", "compound", "nummod"} | POSSESSIVES}


def _is_a_rank(doc: Doc, word: PerturbableWord) -> bool:
    """*the Baron Strathcona*: whoever a short text calls so is likely whom it is about."""
    noun = doc[word.start]
    return noun.lower_ in _RANKS and noun.text.istitle() and word.start > 0 and doc[word.start - 1].lower_ == "the"


def _leaves_a_title(doc: Doc, edited: Collection[int]) -> bool:
    """*Sheikh Hassan; his stepfather, the Earl of Leicester*"""
    before = (doc[i - 1] for i in edited if i)
    appositives = (one for i in edited for one in (doc[i].head, *doc[i].children) if "appos" in (one.dep_, doc[i].dep_))
    return any(one.i not in edited and one.lower_ in _TITLES for one in before) or any(
        one.i not in edited and one.lower_ in _RANKS for one in appositives
    )


def _changes_two_names(doc: Doc, words: Sequence[PerturbableWord], edited: Collection[int]) -> bool:
    """*Tom Noonan, known as Sammy Barnathan*: one person has one surname."""
    firsts = [word.end for word in words if word.kind == "name" and word.start in edited]
    lasts = {doc[end].text for end in firsts if end < len(doc) and doc[end].tag_ in PROPER_NOUNS and end not in edited}
    return len(lasts) > 1


def _is_bodily(doc: Doc, edited: Collection[int]) -> bool:
    """A word of the same sentence that only one gender is spoken of with."""
    return any(not _BODILY.isdisjoint(token.lower_ for token in sentence_around(doc, i)) for i in edited)
