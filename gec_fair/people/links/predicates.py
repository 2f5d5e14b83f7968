"""Whom a noun, an adjective or a number says something about.

he is an actor, she became a judge           the subject
he moved to Rome, working as a waiter        the subject of the clause above (and: *after becoming king, he …*)
she won, and became the first woman to …     the subject of the clause before
he was crowned king, she died a widow        the subject
they made her their queen                    the object
she began her career as an actress           the owner
her name is Ann, the man who is a monk       the owner, the antecedent
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gec_fair.english.clauses import is_copula
from gec_fair.english.labels import FINITE_VERBS, NOUNS, OBJECTS, POSSESSIVES, PREDICATES, RELATIVE_CLAUSES, SUBJECTS
from gec_fair.english.lexicons.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

_SAID = NOUNS | {"JJ", "JJR", "JJS", "CD"}
_BARE_OBJECTS = OBJECTS | {"obl:unmarked", "xcomp"}
_PASSIVE = frozenset({"aux:pass", "auxpass"})
_BECOMES = word_list("linking_verbs")
_APPOINTS = word_list("verbs_of_an_appointment")
_BEFORE_A_ROLE = frozenset(["die", "grow", "end"])
_ROLES = word_list("nouns_of_a_role")
_RELATIVE = word_list("relative_pronouns")
_KINDS = frozenset(["kind", "sort", "type", "one"])
_NAME_NOUNS = frozenset(["name", "nickname", "surname"])
_HIGHEST = 4
"""Clauses that are climbed to a subject. Chosen by hand: *he wants to try to learn to swim* climbs three."""


def predicates(token: Token) -> Iterator[set[int]]:
    """Each of whom a word is said, with what is said."""
    for subject in _said_of(token):
        yield {subject.i, *(said.i for said in walk_list(token)), *(noun.i for noun in _of_whom(token))}
        if subject.lower_ in _RELATIVE:
            yield {subject.i, _antecedent(subject).i}
        if subject.lower_ in _NAME_NOUNS:  # her name is Ann
            yield from ({owner.i, token.i} for owner in of_kind(subject, POSSESSIVES))


def walk_list(token: Token) -> Iterator[Token]:
    """*a father, a teacher and an actor*: what is said beside it, of the same one."""
    yield token
    for child in token.children:
        has_own_subject = any(grandchild.dep_ in SUBJECTS or is_copula(grandchild) for grandchild in child.children)
        if child.dep_ in ("conj", "appos") and child.i > token.i and child.tag_ in NOUNS and not has_own_subject:
            yield from walk_list(child)


def _of_whom(token: Token) -> Iterator[Token]:
    """*he is the kind of man who …, she is one of the best actresses*"""
    if token.lower_ in _KINDS:
        yield from (noun for noun in token.children if any(child.lower_ == "of" for child in noun.children))


def of_kind(head: Token, kinds: frozenset[str]) -> Iterator[Token]:
    """The token's dependents with such a label."""
    return (child for child in head.children if child.dep_ in kinds)


def is_bare(noun: Token) -> bool:
    """Whether a singular noun has no determiner: *an actress and [singer]*."""
    return noun.tag_ == "NN" and not any(child.dep_ == "det" or child.dep_ in POSSESSIVES for child in noun.children)


def _said_of(token: Token) -> Iterator[Token]:
    if token.tag_ not in _SAID:
        return
    verb = token.head
    if any(map(is_copula, token.children)):
        yield from _subjects(token)
    elif token.dep_ in PREDICATES or (verb.lemma_ in _BECOMES and token.dep_ in ("xcomp", *OBJECTS)):
        yield from _subjects(verb)
    elif token.dep_ == "xcomp" or _is_after_as(token):
        yield from _owners_or_doers(token)
    elif token.dep_ in _BARE_OBJECTS and verb.lemma_ in _APPOINTS:
        before = [child for child in of_kind(verb, OBJECTS | {"iobj"}) if child.i < token.i]
        yield from before or (_subjects(verb) if any(of_kind(verb, _PASSIVE)) or verb.lemma_ == "bear" else ())
    elif token.dep_ in OBJECTS and verb.lemma_ in _BEFORE_A_ROLE:
        yield from _subjects(verb)


def _is_after_as(token: Token) -> bool:
    return any(child.lower_ == "as" and child.i < token.i for child in token.children)


def _owners_or_doers(token: Token) -> Iterator[Token]:
    """*she made him a star, he lost his job as a waiter, she worked as a waitress*."""
    above = token.head
    if above.lemma_ in _ROLES and above.tag_ in NOUNS:
        yield from list(of_kind(above, POSSESSIVES)) or _subjects(above.head)
        return
    objects = list(of_kind(above, OBJECTS)) if token.i > above.i else []  # as a man he liked it: not the object
    if objects and objects[-1].lemma_ in _ROLES:
        objects = list(of_kind(objects[-1], POSSESSIVES))
    yield from objects or _subjects(above)


def _subjects(verb: Token, level: int = 0) -> Iterator[Token]:
    """Who does it: the verb's own subject, or that of the clause on which it depends."""
    doers = list(of_kind(verb, SUBJECTS))
    above = verb.head
    if doers or level == _HIGHEST or above == verb:
        yield from doers
    elif verb.dep_ == "conj":
        yield from _subjects(above, level + 1)
    elif verb.dep_ == "xcomp":
        yield from list(of_kind(above, OBJECTS)) or _subjects(above, level + 1)
    elif verb.dep_ == "advcl" and _is_of_the_subject(verb):
        yield from _subjects(above, level + 1)
    elif verb.dep_ == "acl" and above.tag_ in NOUNS:
        owners = list(of_kind(above, POSSESSIVES))
        is_what = any(child.dep_ == "mark" for child in verb.children)  # her dream of becoming a queen
        yield from owners if is_what else (above,)


def _is_of_the_subject(verb: Token) -> bool:
    """*He met a girl, being a boy himself; he left her before becoming king*; not *he hired a man to be his groom*."""
    words = (verb, *(child for child in verb.children if child.dep_ != "punct"))
    first = min(words, key=lambda token: token.i)
    is_apart = (first.i > 0 and first.nbor(-1).text == ",") or first.i < verb.head.i
    has_mark = any(child.dep_ == "mark" and child.tag_ == "IN" for child in verb.children)
    has_object = any(of_kind(verb.head, OBJECTS))
    has_tense = any(token.tag_ in FINITE_VERBS for token in words)
    return not has_tense and (is_apart or has_mark or not has_object)


def _antecedent(who: Token) -> Token:
    """What a relative pronoun stands for, or itself."""
    if who.head.dep_ in RELATIVE_CLAUSES:
        return who.head.head
    before = [token for token in who.doc[max(0, who.i - 2) : who.i] if token.text != ","]
    return before[-1] if before and before[-1].tag_ in NOUNS else who
