"""Which form a he/she word has in its sentence: *her* is *him* or *his*, *his* is *her* or *hers*.

Four of the six words say it themselves. The other two are read off the word that follows where that settles it
(*saw her and …*, *gave her the …*: nothing possessed can begin so), and off the parse otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import category

from gec_fair.english.inflect import is_word
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Form, forms_of, unmistakable_neopronouns
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import lowers

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEGINS_ANEW = word_list("never_after_a_possessive")
_EITHER = word_list("coordinators")
_BETWEEN = _EITHER | {"-", "(", ","}
_MARKS = _BETWEEN | {")"}
_CLOSED = {"(": ")", ",": ","}
"""What may open a pair's second half, and what closes it then: *his ( or her ) life*; *his , or her , life*."""
_STARTS = ("s", "wo", "fe")
_FEMININE_ENDINGS = word_list("feminine_endings")
_TITLES = word_list("titles_before_a_surname")
_BEFORE_A_NOUN = frozenset(["a", "an", "the", "my", "your", "his", "her", "our", "their", "dear"])
_BEFORE_HELIUM = frozenset(["liquid", "gaseous", "solid"])
_QUOTES = frozenset(["``", "'", "‘", "“", '"', "«"])


def partner_of(token: Token) -> Token | None:
    """The second pronoun of *his or her own car, his ( her ) car*, which tells what the first one is; *to her and her
    mother* is no such pair."""
    doc = token.doc
    if token.i + 2 >= len(doc) or doc[token.i + 1].lower_ not in _BETWEEN:
        return None
    after = [word.lower_ for word in doc[token.i + 1 : token.i + 5]]
    link = next((link for link in _links() if tuple(after[: len(link)]) == link), ())
    if not link or len(link) >= len(after):
        return None
    if link[0] in _CLOSED and after[len(link) + 1 : len(link) + 2] != [_CLOSED[link[0]]]:
        return None
    partner = token.nbor(len(link) + 1)
    mine, theirs = ({gender for gender, _ in forms_of(t.lower_)} for t in (token, partner))
    if link[0] in ("-", ",") and {f for _, f in forms_of(token.lower_)}.isdisjoint(
        f for _, f in forms_of(partner.lower_)
    ):
        return None  # *I saw him - she was there*
    return partner if theirs and mine != theirs else None


def first_of_pair(token: Token) -> Token | None:
    """The first pronoun of a pair whose second one this is."""
    doc = token.doc
    if token.i < 2 or doc[token.i - 1].lower_ not in _BETWEEN:
        return None
    return next((first for first in doc[max(0, token.i - 3) : token.i - 1] if partner_of(first) == token), None)


@cache
def _links() -> tuple[tuple[str, ...], ...]:
    """What stands between the two pronouns of a pair, the longest first."""
    return (*((sign, word) for sign in _CLOSED for word in _EITHER), *((word,) for word in _BETWEEN - {","}))


def paired_pronouns(doc: Doc) -> set[int]:
    """The places of both pronouns of *he or she*, *his / her*, *he ( she )*: a pair of two genders has none. So have
    *s / he* and *( s ) he*."""
    places: set[int] = set()
    words = lowers(doc)
    if _MARKS.isdisjoint(words):
        return places
    for at, word in enumerate(words):
        if not forms_of(word.rstrip("-")):  # him- or herself
            continue
        token = doc[at]
        partner = partner_of(token) if forms_of(word) else _behind_a_prefix(token)
        if partner is not None:
            places |= {token.i, partner.i}
        if is_half(words, token.i):
            places.add(token.i)
    return places


def _behind_a_prefix(token: Token) -> Token | None:
    pronoun = token.doc[token.i + 2] if token.i + 2 < len(token.doc) else None
    return pronoun if pronoun is not None and token.nbor().lower_ in _EITHER and forms_of(pronoun.lower_) else None


def is_half(words: Sequence[str], at: int) -> bool:
    """Whether a word is the rest of one that names both genders: *s / he, ( s ) he, wo / men*; or has the ending of
    the other gender behind it: *waiter / ess, actor ( ess )*."""
    before = [word.lower() for word in words[max(0, at - 3) : at]]
    after = [word.lower() for word in words[at + 1 : at + 3]]
    is_rest = before[-2:] in [[start, sign] for start in _STARTS for sign in "/-"] or before in [
        ["(", start, ")"] for start in _STARTS
    ]
    return is_rest or (len(after) == 2 and after[0] in ("/", "(", "-") and after[1] in _FEMININE_ENDINGS)


def is_name(words: Sequence[str], at: int) -> bool:
    """Whether *He* or *She* is a surname or an element: *Professor He, He Yan won, liquid He*. *The Dr. He was there*
    lacks a full stop, and *She Skyped me* has a verb."""
    if words[at] not in ("He", "She"):
        return False
    earlier, before, after = (words[i] if 0 <= i < len(words) else "" for i in (at - 2, at - 1, at + 1))
    if before.lower() in _BEFORE_HELIUM:
        return True
    if before.istitle() and before.lower() in _TITLES:
        return earlier.lower() not in _BEFORE_A_NOUN
    if not (after.istitle() and after.isalpha() and len(after) > 1) or not "".join(words[at + 2 : at + 3]).islower():
        return False
    is_known = is_word(after.lower()) or lexicon.load().names.is_name(after, proper=True)
    return not is_known and not after.endswith(("ed", "s", "ing"))


def names_neutral_pronouns(words: Sequence[str]) -> bool:
    """Whether the text says that somebody is neither man nor woman, or goes by other pronouns than *he* and *she*:
    *nonbinary, they / them, xe, goes by they*; not *Fae Dunaway*."""
    if _neutral().search(" ".join(words).lower().replace(" / ", "/").replace(" - ", "-")):
        return True
    neopronouns = [word for word in words if word.lower() in unmistakable_neopronouns()]
    return any(word.islower() or not lexicon.load().names.is_name(word, proper=True) for word in neopronouns)


@cache
def _neutral() -> re.Pattern[str]:
    words = "|".join(map(re.escape, word_list("beyond_two_genders")))
    said = r"goes by they(?= (?:/|and|[.,;!])|$)|pronouns (?:are |: )they|they pronouns"
    return re.compile(rf"(?<![a-z])(?:{words}|{said})(?![a-z])")


def likely_form(word: str, following: Sequence[str]) -> Form:
    """The form of a he/she word in a text that cannot be trusted to parse, by the next two words alone."""
    readings = {form for _, form in forms_of(word.lower())}
    if len(readings) == 1:
        return next(iter(readings))
    if following[1:2] == ("-",):  # *her in - laws*
        return Form.DETERMINER
    if following and Form.ACCUSATIVE in readings and _is_currency(following[0][:1]):  # *paid her $ 20*
        return Form.ACCUSATIVE
    if following and opens_noun_phrase(following[0]):
        return Form.DETERMINER
    return Form.ACCUSATIVE if Form.ACCUSATIVE in readings else Form.INDEPENDENT


def opens_noun_phrase(word: str) -> bool:
    """Whether something possessed may begin with the word (in doubt, yes)."""
    if word in _QUOTES:  # *his " autobiography "*, *told her " no "*
        return True
    return any(c.isalnum() or _is_currency(c) for c in word) and word.lower() not in _BEGINS_ANEW


def _is_currency(sign: str) -> bool:
    return bool(sign) and category(sign) == "Sc"
