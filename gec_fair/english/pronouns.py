"""Which form a he/she word has in its sentence: *her* is *him* or *his*, *his* is *her* or *hers*.

Four of the six words say it themselves. The other two are read off the parse (a possessive modifier or not), which
errs less often than the tagger does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.english.paradigms import Form, forms_of

if TYPE_CHECKING:
    from spacy.tokens import Token

_POSSESSIVE = frozenset({"nmod:poss", "poss"})


def form_of(token: Token) -> Form | None:
    """The form of a he/she pronoun in context; None for every other word."""
    readings = {form for _, form in forms_of(token.lower_)}
    if not readings:
        return None
    if len(readings) == 1:
        return next(iter(readings))
    possessive = token.dep_ in _POSSESSIVE and token.head.i > token.i
    if Form.ACCUSATIVE in readings:
        return Form.DETERMINER if possessive else Form.ACCUSATIVE
    return Form.DETERMINER if possessive or token.tag_ == "PRP$" and token.head.i > token.i else Form.INDEPENDENT
