"""Signs that an age would be left, or that the words around are said of one age alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from gec_fair.english.labels import NOUNS, PLURAL_NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.terms.axes import AGE
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.rewriting.sampling import Draft

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Sign = Callable[[Draft], bool]
_AGES = word_list("says_another_age")
_STAGES = word_list("stages_of_life")
_OF_CHILDREN = word_list("bound_to_childhood")
_OF_YOUTH = word_list("bound_to_youth")
_YOUNG = frozenset(["child", "young", "adult"])
_PARENTS = word_list("parents_of_children")
_BABIES = word_list("babies_and_toddlers")
_OF_A_SCHOOL = word_list("seniors_of_a_school")
_MAKES_SMALL = frozenset(["only", "just", "barely", "still", "merely", "mere"])
_COMPARED = word_list("compared_ages")
_HAVING_CHILDREN = word_list("verbs_of_having_children")
_MONTHS_AND_WEEKS = word_list("units_shorter_than_a_year")
_CHILDREN = frozenset(["child", "children", "kid", "kids"])
_CARERS = _PARENTS | {"women", "woman", "family", "families", "wife", "wives"}
_SHORT = 120
"""Words of a text that counts as about the same people throughout. Chosen by hand: a paragraph, not an article."""


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


def _leaves_the_noun(draft: Draft) -> bool:
    """*a girl left, for the other girls had gone*"""
    doc, word = draft.text.doc, draft.choice.word
    nouns = {doc[i].lemma_.lower() for i in draft.edited if word.kind == "term"}
    nouns |= _CHILDREN if nouns & _CHILDREN else set()
    return any(token.lemma_.lower() in nouns for token in draft.left if token.tag_ in NOUNS)


def _is_compared(draft: Draft) -> bool:
    """*a boy younger than her*"""
    children = (child for i in draft.edited for child in draft.text.doc[i].children)
    return any(child.lower_ in _COMPARED and child.i not in draft.edited for child in children)


def _says_a_birth(draft: Draft) -> bool:
    """*born in 1928, at the age of 40; the infant was born*"""
    return any(token.lower_ == "born" for token in _around(draft))


def _is_a_pupil(draft: Draft) -> bool:
    """*graduating seniors*"""
    word = draft.choice.word
    is_senior = word.attribute == "senior" and draft.text.doc[word.end - 1].lemma_ == "senior"
    return is_senior and any(token.lower_ in _OF_A_SCHOOL for token in draft.near)


def _is_made_small(draft: Draft) -> bool:
    """*a mere boy, as young as six*"""
    word, is_child = draft.choice.word, draft.choice.target == "child"
    before = draft.text.doc[max(0, word.start - 2) : word.start]
    return word.attribute in ("child", "young") and not is_child and any(t.lower_ in _MAKES_SMALL for t in before)


def _is_had(draft: Draft) -> bool:
    """*they wanted a child*"""
    objects = [draft.text.doc[i] for i in draft.edited if draft.text.doc[i].dep_ == "obj"]
    return _grows_up(draft) and any(noun.head.lemma_ in _HAVING_CHILDREN for noun in objects)


def _is_said_of_children(draft: Draft) -> bool:
    """*the infant was born*"""
    return _grows_up(draft) and any(token.lower_ in _OF_CHILDREN for token in draft.near)


def _is_said_of_youth(draft: Draft) -> bool:
    """*a girl joined the academy*, of a senior"""
    is_young = draft.choice.word.attribute in _YOUNG and draft.choice.target not in _YOUNG
    return is_young and any(token.lower_ in _OF_YOUTH for token in draft.near)


def _has_parents(draft: Draft) -> bool:
    """*the boy's mother took him along*"""
    is_little = any(draft.text.doc[i].lower_ in _BABIES for i in draft.edited)
    is_old = draft.choice.target not in ("young", "adult")
    return _grows_up(draft) and (is_little or is_old) and any(token.lower_ in _PARENTS for token in _around(draft))


def _grows_up(draft: Draft) -> bool:
    return draft.choice.word.attribute == "child" != draft.choice.target


def _around(draft: Draft) -> Iterable[Token]:
    """A short text, or the sentences of the edits."""
    return draft.text.doc if len(draft.text.doc) <= _SHORT else draft.near


SIGNS: Mapping[str, Sign] = {
    "the text says another age": _says_another_age,
    "an age stays that may be the person's": _leaves_an_age,
    "the noun stands elsewhere as it was": _leaves_the_noun,
    "somebody's age is compared": _is_compared,
    "the text has a birth": _says_a_birth,
    "a pupil may be meant": _is_a_pupil,
    "the age counts as little": _is_made_small,
    "somebody has the child": _is_had,
    "children are spoken of so": _is_said_of_children,
    "the young are spoken of so": _is_said_of_youth,
    "parents are near": _has_parents,
    "the word may be of a trade, a kind or a family": _is_in_a_compound,
    "children are named with those who look after them": _is_said_with_others,
}
