"""Which form a he/she word has in its sentence: *her* is *him* or *his*, *his* is *her* or *hers*.

Four of the six words say it themselves. The other two are read off the word that follows where that settles it
(*saw her and …*, *gave her the …*: nothing possessed can begin so), and off the parse otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gec_fair.english import pronoun_forms
from gec_fair.english.labels import POSSESSIVES
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Form, forms_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEGINS_ANEW = word_list("never_after_a_possessive")
_EITHER = word_list("coordinators")
_QUOTES = frozenset(["``", "'", "‘", "“", '"', "«"])


def form_of(token: Token) -> Form | None:
    """The form of a he/she pronoun in a tagged text; None for every other word. *Her* and *his* are read off the
    pipeline's vectors; with a pipeline that is not ours, off the parse."""
    readings = {form for _, form in forms_of(token.lower_)}
    if len(readings) == 1:
        return next(iter(readings))
    if not readings or not pronoun_forms.can_read(token.doc):
        return form_of_parsed(token)
    partner = _partner(token)
    if partner is not None:
        determiner = form_of(partner) is Form.DETERMINER
        return Form.DETERMINER if determiner else _alone(readings)
    following = token.nbor() if token.i + 1 < len(token.doc) else None
    if following is None or not (opens_noun_phrase(following.text) or _is_nominal(following)):
        return _alone(readings)
    return pronoun_forms.read(token.doc, token.i)


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
    """The second pronoun of *his or her own car*, which tells what the first one is; *to her and her mother* is no
    such pair."""
    if token.i + 2 >= len(token.doc) or token.nbor().lower_ not in _EITHER:
        return None
    after_next = token.nbor(2)
    mine, theirs = ({gender for gender, _ in forms_of(t.lower_)} for t in (token, after_next))
    return after_next if theirs and mine != theirs else None


def paired_pronouns(doc: Doc) -> set[int]:
    """The places of both pronouns of *he or she*, *his / her*: a pair of two genders has none."""
    places: set[int] = set()
    for token in doc[1:-1]:
        if token.lower_ in _EITHER:
            left, right = (forms_of(doc[token.i + step].lower_.rstrip("-")) for step in (-1, 1))  # him- or herself
            if left and right and not {g for g, _ in left} & {g for g, _ in right}:
                places |= {token.i - 1, token.i + 1}
    return places


def likely_form(word: str, following: Sequence[str]) -> Form:
    """The form of a he/she word in a text that cannot be trusted to parse, by the next two words alone."""
    readings = {form for _, form in forms_of(word.lower())}
    if len(readings) == 1:
        return next(iter(readings))
    if following[1:2] == ("-",):  # *her in - laws*
        return Form.DETERMINER
    return Form.DETERMINER if following and opens_noun_phrase(following[0]) else _alone(readings)


def _is_nominal(token: Token) -> bool:
    """*his will, her can, his being late, her in - laws*: a function word by its letters alone."""
    hyphenated = token.i + 1 < len(token.doc) and token.nbor().text == "-"
    return hyphenated or token.tag_ in ("NN", "NNS", "NNP", "NNPS", "JJ", "VBG")


def opens_noun_phrase(word: str) -> bool:
    """Whether something possessed may begin with the word (in doubt, yes)."""
    if word in _QUOTES:  # *his " autobiography "*, *told her " no "*
        return True
    return any(c.isalnum() for c in word) and word.lower() not in _BEGINS_ANEW


def _alone(readings: set[Form]) -> Form:
    return Form.ACCUSATIVE if Form.ACCUSATIVE in readings else Form.INDEPENDENT
