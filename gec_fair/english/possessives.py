"""The possessive of a word: *'s*, or the apostrophe alone behind an *s*.

    James' brother, James's brother     Jennifer's sister      both ways stand after one person's name in s
    the ladies' room                    the gentlemen's room   a plural in s has the apostrophe alone
    the actress 's dress                the actor 's dress     in tokenised text the mark is a word

What is no possessive of its word (*the ladies's room*, *the actor' dress*) is an error of the writer's, and stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.english.labels import SINGULAR_NOUNS
from gec_fair.english.letters import APOSTROPHES

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SIBILANTS = ("s", "x", "z")
"""Behind these some writers leave the *s* out: *Max' brother*."""
_OPENING, _CLOSING = "``", "''"


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
    """The mark of the possessive that ends before `end`, which is one word of the doc; "" where there is none."""
    mark = doc[end] if 0 < end < len(doc) else None
    if mark is None or not is_mark(mark.text):
        return ""
    is_possessive = mark.tag_ == "POS" or (is_plural if len(mark.text) > 1 else _is_no_quotation_mark(doc, end))
    return mark.text if is_possessive else ""


def leaves_s_out(doc: Doc) -> bool:
    """Whether the writer writes *James' brother* or *Max' brother* somewhere, with one person's word."""
    return any(
        mark_behind(doc, at + 1, is_plural=False) in [*APOSTROPHES]
        for at, word in enumerate(doc[:-1])
        if word.lower_.endswith(_SIBILANTS) and word.tag_ in SINGULAR_NOUNS
    )


def _is_no_quotation_mark(doc: Doc, at: int) -> bool:
    """Whether a lone apostrophe that is tagged as a quotation mark is one too many: *my boss ' wife*. Before a sign all
    of them must stand behind such nouns: *it is James ' , not Max ' .*"""
    if not doc[at - 1].lower_.endswith(_SIBILANTS):
        return False
    signs = [word for word in doc if word.text in [*APOSTROPHES]]
    if at + 1 < len(doc) and doc[at + 1].is_alpha:
        tags = [sign.tag_ for sign in signs]
        return tags.count(_OPENING) != tags.count(_CLOSING)
    return all(sign.i and _is_sibilant_noun(doc[sign.i - 1]) for sign in signs)


def _is_sibilant_noun(word: Token) -> bool:
    return word.lower_.endswith(_SIBILANTS) and word.tag_.startswith("NN")
