"""Signs that a text would say two ages of one person, or what nobody of the new age does.

children , the little ones       children → seniors
when she was born , at seven     seven → 72
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, edited_places
from gec_fair.english.labels import NOUNS, PLURAL_NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.words.axes import AGE
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import PerturbableWord
from gec_fair.perturber.words.sentences import sentence_around

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_AGES = word_list("says_another_age")
_STAGES = word_list("stages_of_life")
_OF_CHILDREN = word_list("bound_to_childhood")
_OF_ADULTS = word_list("bound_to_adulthood")
_YOUNG = frozenset(["child", "young", "adult"])
_OF_YOUTH = word_list("bound_to_youth")
_OF_OLD_AGE = word_list("bound_to_old_age")
_PARENTS = word_list("parents_of_children")
_BABIES = word_list("babies_and_toddlers")
_OF_A_SCHOOL = word_list("seniors_of_a_school")
_CHILDREN = frozenset(["child", "children", "kid", "kids"])
_MAKES_SMALL = word_list("makes_an_age_small")
_CARERS = _PARENTS | {"women", "woman", "family", "families", "wife", "wives"}
_COMPARED = word_list("compared_ages")
_HAVING_CHILDREN = word_list("verbs_of_having_children")
_MONTHS_AND_WEEKS = word_list("units_shorter_than_a_year")
_SHORT = 120
"""Words of a text that counts as about the same people throughout."""


def is_of_another_age(text: ParsedText, choice: Choice, changed: Sequence[Edit]) -> bool:
    """Whether the text says another age of the same people, or sets one against theirs (*children … the little ones,
    the oldest*), or says what nobody of the old or new age does (*when she was born, his widow*)."""
    doc = text.doc
    edited = edited_places(changed)
    near = {token.lower_ for i in edited for token in sentence_around(doc, i)}
    around = {token.lower_ for token in doc} if len(doc) <= _SHORT else near
    if (
        _says_another_age(doc, edited)
        or _leaves_an_age(text, edited)
        or _is_in_a_compound(doc, choice, edited)
        or _is_called_low(doc, choice)
        or _is_said_with_others(doc, choice)
    ):
        return True
    terms = {doc[i].lemma_.lower() for i in edited if choice.word.kind == "term"}
    if terms & _CHILDREN:
        terms |= _CHILDREN
    if any(token.i not in edited and token.lemma_.lower() in terms for token in doc if token.tag_ in NOUNS):
        return True
    if any(child.lower_ in _COMPARED for i in edited for child in doc[i].children if child.i not in edited):
        return True
    if choice.word.kind == "age" and "born" in around:
        return True
    if choice.word.attribute == "senior" and doc[choice.word.end - 1].lemma_ == "senior" and near & _OF_A_SCHOOL:
        return True
    is_young = choice.word.attribute in _YOUNG
    if is_young != (choice.target in _YOUNG) and near & (_OF_YOUTH if is_young else _OF_OLD_AGE):
        return True
    if choice.target == "child":
        return not near.isdisjoint(_OF_ADULTS)
    if choice.word.attribute != "child":
        return False
    if any(doc[i].dep_ == "obj" and doc[i].head.lemma_ in _HAVING_CHILDREN for i in edited):
        return True
    words = {doc[i].lower_ for i in edited}
    is_little = not words.isdisjoint(_BABIES) or choice.target not in ("young", "adult")
    return not near.isdisjoint(_OF_CHILDREN) or (is_little and not around.isdisjoint(_PARENTS))


def _is_in_a_compound(doc: Doc, choice: Choice, edited: Collection[int]) -> bool:
    """*Ring girls, a country girl, the Wesley boys*: a trade, a kind or a family."""
    noun = doc[choice.word.end - 1]
    parts = (child for child in noun.children if child.dep_ == "compound" and child.i not in edited)
    return choice.word.kind == "term" and any(part.tag_ in NOUNS for part in parts)


def _is_called_low(doc: Doc, choice: Choice) -> bool:
    """*She was only seven, just a kid*: an age that its text calls low."""
    before = {token.lower_ for token in doc[max(0, choice.word.start - 2) : choice.word.start]}
    is_young = choice.word.attribute == "child" or (choice.word.attribute == "young" and choice.target != "child")
    return is_young and not before.isdisjoint(_MAKES_SMALL)


def _is_said_with_others(doc: Doc, choice: Choice) -> bool:
    """*women and children, families with kids*: named for those who look after them."""
    noun = doc[choice.word.end - 1]
    if choice.word.attribute != "child" or choice.word.kind != "term" or noun.tag_ not in NOUNS:
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
    return ("with" in cases and noun.head.tag_ in NOUNS) or any(one.lower_ in _CARERS for one in others)


def _says_another_age(doc: Doc, edited: Collection[int]) -> bool:
    """A word for an age anywhere, in one or two tokens, which stays; or what somebody was (*as a teenager*)."""
    for token in doc:
        two = f"{token.lower_} {token.nbor().lower_}" if token.i + 1 < len(doc) else ""
        was = token.i > 1 and token.nbor(-2).lower_ == "as" and token.lower_ in _STAGES
        if token.i not in edited and (
            token.lower_ in _AGES or (two in _AGES and token.i + 1 not in edited) or was or _is_an_age_in_months(token)
        ):
            return True
    return False


def _is_an_age_in_months(token: Token) -> bool:
    """*four months old, at the age of six weeks*"""
    if token.lower_ not in _MONTHS_AND_WEEKS or token.i < 1 or token.nbor(-1).tag_ != "CD":
        return False
    before = [word.lower_ for word in token.doc[max(0, token.i - 3) : token.i - 1]]
    is_old = token.i + 1 < len(token.doc) and token.nbor().lower_ == "old"
    return is_old or before == ["age", "of"]


def _leaves_an_age(text: ParsedText, edited: frozenset[int]) -> bool:
    """Words for an age of several people, or of one that may be the same; and numbers of nobody near (*at age 17*; not
    *the driver, 52, … a 17-year-old*)."""
    doc = text.doc
    left = [word for word in text.words if word.axis == AGE and word.start not in edited]
    changed = [word for word in text.words if word.axis == AGE and word.start in edited]
    lemmas = {doc[word.end - 1].lemma_.lower() for word in changed}
    attributes = {word.attribute for word in changed if word.kind == "term"}
    return any(
        (
            word.kind == "term"
            and (
                _is_plural(doc, word)
                or doc[word.end - 1].lemma_.lower() in lemmas
                or (
                    word.attribute in attributes
                    and "the" in [token.lower_ for token in doc[word.start - 2 : word.start]]
                )
                or not edited.isdisjoint(text.chains.chain_of(word))
            )
        )
        or (word.kind == "age" and not _is_apposed(doc, word))
        for word in left
    )


def _is_plural(doc: Doc, word: PerturbableWord) -> bool:
    last = doc[word.end - 1]
    return last.tag_ in PLURAL_NOUNS or (last.dep_ == "amod" and last.head.tag_ in PLURAL_NOUNS)


def _is_apposed(doc: Doc, age: PerturbableWord) -> bool:
    """*the driver, 52, left; Ann (34)*"""
    before = doc[age.start - 1].text if age.start else ""
    after = doc[age.end].text if age.end < len(doc) else ""
    return before in (",", "(") or after == "-" or "-" in doc[age.start].text
