"""Whose children people are, and what is made for people: neither says how old anybody is.

my children, the youngest of five children, they have two kids      children's books, a children's hospital
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.english.labels import NOUNS, OBJECTS, POSSESSIVES, PROPER_NOUNS, SUBJECTS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.possessives import is_possessed
from gec_fair.people.links import lexical

if TYPE_CHECKING:
    from spacy.tokens import Token

_KIN_WORDS = word_list("kin_words_without_an_age")
_BESIDE_CHILDREN = frozenset(["wife", "husband", "spouse", "mother", "father", "parents"])
_PARENTHOOD = word_list("verbs_of_parenthood")
_PARENTS = word_list("before_ones_children")
_PEOPLE = word_list("nouns_for_people")
_GOODS = word_list("goods_for_an_age")
_PRONOUNS = word_list("person_pronouns")
_DETERMINES = frozenset({"det", "nummod"}) | POSSESSIVES
_NEAR = 8  # words, chosen by hand: *the mother , who lives in Leeds , of two children*
_PERSON = 0.5  # of a noun's readings in WordNet; chosen by hand: *adult* 0.5, not *fox* 0.45


def is_kin(noun: Token) -> bool:
    """*my children, a senior of mine; they have four children, married with two kids*: whose they are."""
    after = noun.doc[noun.i + 1 : noun.i + 3]
    is_owned = is_possessed(noun) or (len(after) == 2 and after[0].lower_ == "of" and after[1].tag_ != "CD")  # of ten
    return noun.lower_ in _KIN_WORDS and (is_owned or _is_of_parents(noun))


def is_of_goods(noun: Token) -> bool:
    """*children's clothing, a children's book, the children's books*: for whom it is made; not *the boys' room*."""
    after = noun.doc[noun.i + 1 : noun.i + 3]
    is_bare = not any(child.dep_ in _DETERMINES for child in noun.children)
    are_owners = noun.tag_ == "NNS" and len(after) == 2 and after[0].tag_ == "POS"
    return are_owners and ((is_bare and after[1].tag_ in NOUNS) or after[1].lower_ in _GOODS)


def _is_of_parents(noun: Token) -> bool:
    around = [noun.head, *noun.head.children] if noun.dep_ == "conj" else [*noun.children]
    if any(token.lower_ in _BESIDE_CHILDREN for token in around if token != noun):
        return True
    if noun.head.lemma_.lower() in _PARENTHOOD and noun.dep_ in OBJECTS:
        subjects = [child for child in noun.head.children if child.dep_ in SUBJECTS]
        return not subjects or any(map(_may_be_a_parent, subjects))
    counted = [child for child in noun.children if child.tag_ == "CD" and child.i < noun.i]
    if not counted or not counted[0].i or counted[0].nbor(-1).lower_ not in ("with", "of"):
        return False
    before = noun.doc[max(0, counted[0].i - _NEAR) : counted[0].i - 1]
    return any(token.lower_ in _PARENTS for token in before)


def _may_be_a_parent(subject: Token) -> bool:
    lower = subject.lower_
    is_known = lower in _PRONOUNS or lower in _PEOPLE or lower in _PARENTS or subject.tag_ in PROPER_NOUNS
    return is_known or lexical.personhood(lexical.load(), lower) >= _PERSON
