"""The possessive of a word: *'s*, or the apostrophe alone behind an *s*.

    James' brother, James's brother     Jennifer's sister      both ways stand after one person's name in s
    the ladies' room                    the gentlemen's room   a plural in s has the apostrophe alone
    the actress 's dress                the actor 's dress     in tokenised text the mark is a word

What is no possessive of its word (*the ladies's room*, *the actor' dress*) is an error of the writer's, and stays.

Behind an opening quotation mark, an apostrophe behind an *s* is a possessive or closes the quotation:

    'James' is here' …           closes it: a verb has no owner
    He called 'James' brother    closes it: nothing else does
    'James' brother is here'     a possessive: the last sign closes the quotation
    'James' loves are few'       unclear: *loves* may be a verb
    My car and James' is blue    unclear: a quotation may begin
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gec_fair.english.inflect import is_singular
from gec_fair.english.labels import POSSESSIVES, SINGULAR_NOUNS
from gec_fair.english.letters import APOSTROPHES, OPENING_MARKS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SIBILANTS = ("s", "x", "z", "se", "ce")
"""Behind these some writers leave the *s* out: *Max' brother, the Chinese' food*."""
_OPENING, _CLOSING = "``", "''"
_CLOSING_SIGNS = frozenset('.,;:!?)]}”»"')
_YEAR = re.compile(r"\d\ds?")
_OWNED = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD"})
_MAYBE_OWNED = frozenset({"RB", "VBG", "VBN"})
"""Tags of the word behind a possessive: *James' dog*; *James' broken leg*, and *'James' broken …*"""


def is_possessed(noun: Token) -> bool:
    """*my teenager*; not *the teenagers of today*."""
    return any(child.dep_ in POSSESSIVES for child in noun.children)


def possessive(word: str, *, is_plural: bool, is_bare: bool = False, sign: str = "'") -> str:
    """The mark behind a word. `is_bare`: the apostrophe alone after one person's name in s; `sign`: the apostrophe."""
    return sign if word[-1:].lower() == "s" and (is_plural or is_bare) else f"{sign}s"


def is_mark(word: str) -> bool:
    """Whether a word can be the mark of a possessive: *'s*, or an apostrophe, which may be a quotation mark too."""
    return word[:1] in [*APOSTROPHES] and word[1:].lower() in ("", "s")


def new_mark(mark: str, old: str, new: str, *, is_plural: bool, is_bare: bool = False) -> str:
    """The mark behind `new` where `old` had `mark`, in the way of the writer, whose errors stay."""
    has_s, ends_in_s = len(mark) > 1, old[-1:].lower() == "s"
    is_error = has_s if is_plural and ends_in_s else not has_s and not old.lower().endswith(_SIBILANTS)
    if is_error:
        return mark
    is_bare = not has_s if ends_in_s else is_bare
    right = possessive(new, is_plural=is_plural, is_bare=is_bare, sign=mark[0])
    if len(right) == len(mark):
        return mark
    return right.upper() if len(old) > 1 and old.isupper() else right


def mark_behind(doc: Doc, end: int, *, is_plural: bool) -> str:
    """The mark of the possessive that ends before `end`, which is one word of the doc; "" where there is none, or it is
    unclear."""
    mark = doc[end] if 0 < end < len(doc) else None
    if mark is None or not is_mark(mark.text):
        return ""
    if len(mark.text) > 1:
        return mark.text if is_plural or mark.tag_ == "POS" else ""
    return mark.text if _is_possessive(doc, end) else ""


def unclear_mark(doc: Doc, ends: Iterable[int]) -> str:
    """A word that ends before one of `ends`, with an apostrophe that may be a possessive or a closing quotation mark;
    "" where there is none."""
    places = (end for end in ends if 0 < end < len(doc) and doc[end].text in [*APOSTROPHES])
    return next((doc[end - 1].text + doc[end].text for end in places if _is_possessive(doc, end) is None), "")


def leaves_s_out(doc: Doc) -> bool:
    """Whether the writer writes *James' brother* or *Max' brother* somewhere, with one person's word."""
    return any(
        mark_behind(doc, at + 1, is_plural=False) in [*APOSTROPHES]
        for at, word in enumerate(doc[:-1])
        if word.lower_.endswith(_SIBILANTS) and word.tag_ in SINGULAR_NOUNS
    )


def _is_possessive(doc: Doc, at: int) -> bool | None:
    """Whether a lone apostrophe is a possessive; None where it is unclear."""
    is_open = False
    signs = [word.i for word in doc if word.text in [*APOSTROPHES]]
    for number, sign in enumerate(signs):
        is_behind_noun = sign > 0 and doc[sign - 1].lower_.endswith(_SIBILANTS)
        if is_open:
            answer = _is_possessive_inside(doc, signs[number:]) if is_behind_noun else False
            is_open = answer is not False
        else:
            answer = doc[sign].tag_ == "POS" or _is_no_quotation_mark(doc, sign)
            is_open = not answer and (doc[sign].text in OPENING_MARKS or doc[sign].tag_ == _OPENING)
            is_open = is_open and _may_open(doc[sign])
        if sign == at:
            return answer
    return False


def _is_possessive_inside(doc: Doc, signs: Sequence[int]) -> bool | None:
    """The same for the first of `signs`, which is behind an *s* inside a quotation; None where it is unclear."""
    first, *others = signs
    owned = doc[first + 1] if first + 1 < len(doc) else None
    is_last = not others or doc[others[0]].text in OPENING_MARKS or doc[others[0]].tag_ == _OPENING
    if owned is None or is_last or owned.tag_ not in _OWNED | _MAYBE_OWNED:
        return False
    around = [doc[place].is_alpha for place in (others[0] - 1, others[0] + 1) if place < len(doc)]
    is_closed_once = len(others) == 1 and around != [True, True]
    return True if is_closed_once and owned.tag_ in _OWNED and not is_singular(owned.text) else None


def _is_no_quotation_mark(doc: Doc, at: int) -> bool | None:
    """Whether a lone apostrophe that is tagged as a quotation mark is none, as nothing opens a quotation: *it is
    James' .*; or is one too many: *my boss ' wife*; or all of them stand behind such nouns: *the boss ' wife hates the
    waitress ' husband, it is James ' , not Max ' .* None where it is unclear."""
    if at == 0 or not doc[at - 1].lower_.endswith(_SIBILANTS):
        return False
    signs = [word for word in doc if word.text in [*APOSTROPHES]]
    tags = [sign.tag_ for sign in signs]
    if not any(_may_open(sign) for sign in signs if sign.i <= at):
        return True
    if _is_before_a_verb(doc[at]):
        return None if len(signs) == 1 else False
    if at + 1 < len(doc) and doc[at + 1].is_alpha and tags.count(_OPENING) != tags.count(_CLOSING):
        return True
    return all(sign.i and _is_sibilant_noun(doc[sign.i - 1]) and not _is_before_a_verb(sign) for sign in signs)


def _may_open(sign: Token) -> bool:
    """Whether a sign can begin a quotation: something to quote is behind it, and no year, as in *the '90s*."""
    word = sign.doc[sign.i + 1].text if sign.i + 1 < len(sign.doc) else "."
    return word[0] not in _CLOSING_SIGNS and not _YEAR.fullmatch(word)


def _is_before_a_verb(sign: Token) -> bool:
    """Whether a verb, which nobody owns, stands behind the sign: *he asked James ' is it here '*."""
    tag = sign.doc[sign.i + 1].tag_ if sign.i + 1 < len(sign.doc) else ""
    return tag.startswith(("VB", "MD")) and tag not in _MAYBE_OWNED


def _is_sibilant_noun(word: Token) -> bool:
    return word.lower_.endswith(_SIBILANTS) and word.tag_.startswith("NN")
