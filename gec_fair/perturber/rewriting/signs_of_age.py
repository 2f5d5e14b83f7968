"""Signs that an age would be left, or that the words around are said of one age alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.english.labels import NOUNS, PLURAL_NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.terms.axes import AGE
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.rewriting.sampling import Draft

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_AGES = word_list("says_another_age")
_STAGES = word_list("stages_of_life")
_OF_CHILDREN = word_list("bound_to_childhood")
_OF_ADULTS = word_list("bound_to_adulthood")
_OF_YOUTH = word_list("bound_to_youth")
_OF_OLD_AGE = word_list("bound_to_old_age")
_PARENTS = word_list("parents_of_children")
_BABIES = word_list("babies_and_toddlers")
_OF_A_SCHOOL = word_list("seniors_of_a_school")
_MAKES_SMALL = word_list("makes_an_age_small")
_COMPARED = word_list("compared_ages")
_HAVING_CHILDREN = word_list("verbs_of_having_children")
_MONTHS_AND_WEEKS = word_list("units_shorter_than_a_year")
_CHILDREN = frozenset(["child", "children", "kid", "kids"])
_CARERS = _PARENTS | {"women", "woman", "family", "families", "wife", "wives"}
_YOUNG = frozenset(["child", "young", "adult"])
_SHORT = 120
"""Words of a text that counts as about the same people throughout."""


def _says_another_age(draft: Draft) -> bool:
    """A word for an age anywhere, in one or two tokens, which stays; or what somebody was (*as a teenager*)."""
    for token in draft.left:
        after = token.nbor() if token.i + 1 < len(draft.text.doc) else None
        two = f"{token.lower_} {after.lower_}" if after is not None and after.i not in draft.edited else ""
        was = token.i > 1 and token.nbor(-2).lower_ == "as" and token.lower_ in _STAGES
        if token.lower_ in _AGES or two in _AGES or was or _is_an_age_in_months(token):
            return True
    return False


def _is_an_age_in_months(token: Token) -> bool:
    """*four months old, at the age of six weeks*"""
    if token.lower_ not in _MONTHS_AND_WEEKS or token.i < 1 or token.nbor(-1).tag_ != "CD":
        return False
    before = [word.lower_ for word in token.doc[max(0, token.i - 3) : token.i - 1]]
    is_old = token.i + 1 < len(token.doc) and token.nbor().lower_ == "old"
    return is_old or before == ["age", "of"]


def _leaves_an_age(draft: Draft) -> bool:
    """Words for an age of several people, or of one that may be the same; and numbers of nobody near (*at age 17*; not
    *the driver, 52, … a 17-year-old*)."""
    doc, chains = draft.text.doc, draft.text.chains
    ages = [word for word in draft.text.words if word.axis == AGE]
    changed = [word for word in ages if word.start in draft.edited]
    lemmas = {doc[word.end - 1].lemma_.lower() for word in changed}
    attributes = {word.attribute for word in changed if word.kind == "term"}

    def may_be_the_same(word: PerturbableWord) -> bool:
        last = doc[word.end - 1]
        is_known = word.attribute in attributes and "the" in [
            token.lower_ for token in doc[word.start - 2 : word.start]
        ]
        is_plural = {last.tag_, last.head.tag_ if last.dep_ == "amod" else ""} & PLURAL_NOUNS
        return (
            bool(is_plural) or last.lemma_.lower() in lemmas or is_known or bool(draft.edited & chains.chain_of(word))
        )

    return any(
        (word.kind == "term" and may_be_the_same(word)) or (word.kind == "age" and not _is_apposed(doc, word))
        for word in ages
        if word.start not in draft.edited
    )


def _is_apposed(doc: Doc, age: PerturbableWord) -> bool:
    """*the driver, 52, left; Ann (34)*"""
    before = doc[age.start - 1].text if age.start else ""
    after = doc[age.end].text if age.end < len(doc) else ""
    return before in (",", "(") or after == "-" or "-" in doc[age.start].text


def _is_in_a_compound(draft: Draft) -> bool:
    """*Ring girls, a country girl, the Wesley boys*: a trade, a kind or a family."""
    parts = (child for child in draft.text.doc[draft.choice.word.end - 1].children if child.dep_ == "compound")
    return draft.choice.word.kind == "term" and any(part.tag_ in NOUNS and part.i not in draft.edited for part in parts)


def _is_said_with_others(draft: Draft) -> bool:
    """*women and children, families with kids*: named for those who look after them."""
    doc, noun = draft.text.doc, draft.text.doc[draft.choice.word.end - 1]
    if draft.choice.word.attribute != "child" or draft.choice.word.kind != "term" or noun.tag_ not in NOUNS:
        return False
    if noun.dep_ in POSSESSIVES and noun.head.lower_ in _PARENTS:
        return True  # the child's parents
    before = [token.lower_ for token in doc[max(0, noun.i - 3) : noun.i]]
    if before[:2] == ["one", "of"] and len(before) > 2 and doc[noun.i - 1].tag_ == "CD":
        return True  # one of seven children
    after = doc[noun.i + 1 : noun.i + 3]
    if len(after) == 2 and after[0].lower_ == "of" and after[1].tag_ in PROPER_NOUNS:
        return True  # the ninth child of John Tyler
    cases = {child.lower_ for child in noun.children if child.i < noun.i}
    others = [noun.head, *noun.head.children] if noun.dep_ == "conj" else []
    others += [child for child in noun.children if child.dep_ == "conj"]
    return ("with" in cases and noun.head.tag_ in NOUNS) or any(noun.lower_ in _CARERS for noun in others)


def _is_of_a_stage(draft: Draft) -> bool:
    """Whether the words around say what nobody of the old or new age does: *when she was born, his widow*."""
    doc, edited, word, target = draft.text.doc, draft.edited, draft.choice.word, draft.choice.target
    near = {token.lower_ for token in draft.near}
    around = {token.lower_ for token in doc} if len(doc) <= _SHORT else near
    terms = {doc[i].lemma_.lower() for i in edited if word.kind == "term"}
    if terms & _CHILDREN:
        terms |= _CHILDREN
    before = {token.lower_ for token in doc[max(0, word.start - 2) : word.start]}
    is_young = word.attribute in _YOUNG
    if (
        any(token.lemma_.lower() in terms for token in draft.left if token.tag_ in NOUNS)
        or any(child.lower_ in _COMPARED for i in edited for child in doc[i].children if child.i not in edited)
        or (word.kind == "age" and "born" in around)
        or (word.attribute == "senior" and doc[word.end - 1].lemma_ == "senior" and near & _OF_A_SCHOOL)
        or (is_young != (target in _YOUNG) and near & (_OF_YOUTH if is_young else _OF_OLD_AGE))
        or (word.attribute in ("child", "young") and target != "child" and before & _MAKES_SMALL)
    ):
        return True
    if target == "child":
        return bool(near & _OF_ADULTS)
    if word.attribute != "child":
        return False
    is_little = any(doc[i].lower_ in _BABIES for i in edited) or target not in ("young", "adult")
    has_a_child = any(doc[i].dep_ == "obj" and doc[i].head.lemma_ in _HAVING_CHILDREN for i in edited)
    return has_a_child or bool(near & _OF_CHILDREN) or (is_little and bool(around & _PARENTS))


SIGNS = (_says_another_age, _leaves_an_age, _is_in_a_compound, _is_said_with_others, _is_of_a_stage)
