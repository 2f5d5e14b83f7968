"""Which form a he/she word has in its sentence: *her* is *him* or *his*, *his* is *her* or *hers*.

Four of the six words say it themselves. The other two are read off the word that follows where that settles it
(*saw her and …*, *gave her the …*: nothing possessed can begin so), and off the parse otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from unicodedata import category

from gec_fair.english import pronoun_forms
from gec_fair.english.labels import ADJECTIVES, NOUNS, POSSESSIVES
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Form, forms_of
from gec_fair.english.pipeline import has_our_vectors

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEGINS_ANEW = word_list("never_after_a_possessive")
_BRINGING = word_list("verbs_of_bringing")
_EITHER = word_list("coordinators")
_BETWEEN = _EITHER | {"-", "(", ","}
_MARKS = _BETWEEN | {")"}
_CLOSED = {"(": ")", ",": ","}
"""What may open a pair's second half, and what closes it then: *his ( or her ) life*; *his , or her , life*."""
_STARTS = ("s", "wo", "fe")
_BE = word_list("forms_of_be")
_PREPOSITIONS_IN_ING = word_list("prepositions_in_ing")
_FEMININE_ENDINGS = word_list("feminine_endings")
_QUOTES = frozenset(["``", "'", "‘", "“", '"', "«"])


def form_of(token: Token) -> Form | None:
    """The form of a he/she pronoun in a tagged text; None for every other word. *Her* and *his* are read off the
    pipeline's vectors; with a pipeline that is not ours, off the parse."""
    readings = {form for _, form in forms_of(token.lower_)}
    if len(readings) == 1:
        return next(iter(readings))
    if not readings or not has_our_vectors(token.doc):
        return form_of_parsed(token)
    partner = _partner(token)
    if partner is not None:
        determiner = form_of(partner) is Form.DETERMINER
        return Form.DETERMINER if determiner else _alone(readings)
    first = _first_of_pair(token)
    if first is not None and len(forms := {form for _, form in forms_of(first.lower_)} & readings) == 1:
        return next(iter(forms))  # *him ( or her ) today*
    following = _follows(token)
    if following is None:
        return _alone(readings)
    possesses = _is_a_gerund(following, token) or _is_currency(following.text[:1])
    if possesses and Form.ACCUSATIVE not in readings:  # *his € 9 fee*
        return Form.DETERMINER
    if not (opens_noun_phrase(following.text) or _is_nominal(following)):
        return _alone(readings)
    if following.lower_ == "home" and Form.ACCUSATIVE in readings and _is_brought(token):
        return _alone(readings)
    if following.i > token.i + 1:
        return Form.DETERMINER if following.tag_ in NOUNS | ADJECTIVES else _alone(readings)
    return pronoun_forms.read(token.doc, token.i)


def _is_a_gerund(following: Token, his: Token) -> bool:
    """*his entering the world*; not *the house is his following the divorce, an uncle of his owning a farm*."""
    before = his.doc[his.i - 1] if his.i else None
    stands_alone = before is not None and (before.lower_ == "of" or before.lower_ in _BE)
    return following.tag_ == "VBG" and following.lower_ not in _PREPOSITIONS_IN_ING and not stands_alone


def _is_brought(token: Token) -> bool:
    """*they dropped her home*; not *they saw her home town*."""
    after = token.doc[token.i + 2] if token.i + 2 < len(token.doc) else None
    return (
        token.i > 0 and (after is None or after.tag_ not in NOUNS) and bool(_lemmas(token.nbor(-1).lower_) & _BRINGING)
    )


@lru_cache(maxsize=10_000)
def _lemmas(word: str) -> frozenset[str]:
    from lemminflect import getLemma

    return frozenset(getLemma(word, "VERB", lemmatize_oov=False))


def form_of_parsed(token: Token) -> Form | None:
    """The form of a he/she pronoun in a parsed text, by the word that follows and the parse; None for other words."""
    readings = {form for _, form in forms_of(token.lower_)}
    if not readings:
        return None
    if len(readings) == 1:
        return next(iter(readings))
    partner = _partner(token)
    if partner is not None:
        determiner = form_of_parsed(partner) is Form.DETERMINER
        return Form.DETERMINER if determiner else _alone(readings)
    following = token.nbor() if token.i + 1 < len(token.doc) else None
    if following is None or following.tag_ == "VB":  # *made her stand up*
        return _alone(readings)
    if not opens_noun_phrase(following.text) and not _is_nominal(following):
        return _alone(readings)
    possessive = token.dep_ in POSSESSIVES and token.head.i > token.i
    if Form.ACCUSATIVE in readings:
        return Form.DETERMINER if possessive else Form.ACCUSATIVE
    return Form.DETERMINER if possessive or (token.tag_ == "PRP$" and token.head.i > token.i) else Form.INDEPENDENT


def _partner(token: Token) -> Token | None:
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
    second = token.nbor(len(link) + 1)
    mine, theirs = ({gender for gender, _ in forms_of(t.lower_)} for t in (token, second))
    if link[0] in ("-", ",") and {f for _, f in forms_of(token.lower_)}.isdisjoint(
        f for _, f in forms_of(second.lower_)
    ):
        return None  # *I saw him - she was there*
    return second if theirs and mine != theirs else None


def _first_of_pair(token: Token) -> Token | None:
    """The first pronoun of a pair whose second one this is."""
    doc = token.doc
    if token.i < 2 or doc[token.i - 1].lower_ not in _BETWEEN:
        return None
    return next((first for first in doc[max(0, token.i - 3) : token.i - 1] if _partner(first) == token), None)


@cache
def _links() -> tuple[tuple[str, ...], ...]:
    """What stands between the two pronouns of a pair, the longest first."""
    return (*((sign, word) for sign in _CLOSED for word in _EITHER), *((word,) for word in _BETWEEN - {","}))


def paired_pronouns(doc: Doc) -> set[int]:
    """The places of both pronouns of *he or she*, *his / her*, *he ( she )*: a pair of two genders has none. So have
    *s / he* and *( s ) he*."""
    places: set[int] = set()
    words = [token.lower_ for token in doc]
    if _MARKS.isdisjoint(words):
        return places
    for at, word in enumerate(words):
        if not forms_of(word.rstrip("-")):  # him- or herself
            continue
        token = doc[at]
        partner = _partner(token) if forms_of(word) else _behind_a_prefix(token)
        if partner is not None:
            places |= {token.i, partner.i}
        if is_half(words, token.i):
            places.add(token.i)
    return places


def _behind_a_prefix(token: Token) -> Token | None:
    second = token.doc[token.i + 2] if token.i + 2 < len(token.doc) else None
    return second if second is not None and token.nbor().lower_ in _EITHER and forms_of(second.lower_) else None


def is_half(words: Sequence[str], at: int) -> bool:
    """Whether a word is the rest of one that names both genders: *s / he, ( s ) he, wo / men*; or has the ending of
    the other gender behind it: *waiter / ess, actor ( ess )*."""
    before = [word.lower() for word in words[max(0, at - 3) : at]]
    after = [word.lower() for word in words[at + 1 : at + 3]]
    is_rest = before[-2:] in [[start, sign] for start in _STARTS for sign in "/-"] or before in [
        ["(", start, ")"] for start in _STARTS
    ]
    return is_rest or (len(after) == 2 and after[0] in ("/", "(", "-") and after[1] in _FEMININE_ENDINGS)


def _follows(token: Token) -> Token | None:
    """The word behind a pronoun; behind the bracket, for the second one of *his ( her ) name*."""
    after = token.doc[token.i + 1 : token.i + 3]
    before = token.doc[max(0, token.i - 2) : token.i].text
    if len(after) == 2 and after[0].text == ")" and "(" in before:
        return after[1]
    return after[0] if len(after) else None


def likely_form(word: str, following: Sequence[str]) -> Form:
    """The form of a he/she word in a text that cannot be trusted to parse, by the next two words alone."""
    readings = {form for _, form in forms_of(word.lower())}
    if len(readings) == 1:
        return next(iter(readings))
    if following[1:2] == ("-",):  # *her in - laws*
        return Form.DETERMINER
    if following and Form.ACCUSATIVE in readings and _is_currency(following[0][:1]):  # *paid her $ 20*
        return Form.ACCUSATIVE
    return Form.DETERMINER if following and opens_noun_phrase(following[0]) else _alone(readings)


def _is_nominal(token: Token) -> bool:
    """*his will, her can, his being late, her in - laws*: a function word by its letters alone."""
    hyphenated = token.i + 1 < len(token.doc) and token.nbor().text == "-"
    return hyphenated or token.tag_ in ("NN", "NNS", "NNP", "NNPS", "JJ", "VBG")


def opens_noun_phrase(word: str) -> bool:
    """Whether something possessed may begin with the word (in doubt, yes)."""
    if word in _QUOTES:  # *his " autobiography "*, *told her " no "*
        return True
    return any(c.isalnum() or _is_currency(c) for c in word) and word.lower() not in _BEGINS_ANEW


def _is_currency(sign: str) -> bool:
    return bool(sign) and category(sign) == "Sc"


def _alone(readings: set[Form]) -> Form:
    return Form.ACCUSATIVE if Form.ACCUSATIVE in readings else Form.INDEPENDENT
