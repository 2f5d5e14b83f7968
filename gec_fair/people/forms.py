"""Which form a he/she word has in its sentence: *her* is *him* or *his*, *his* is *her* or *hers*.

Four of the six words say it themselves. The other two are read by the reader; of a pair, both are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gec_fair.english.paradigms import Form, forms_of
from gec_fair.english.pronouns import first_of_pair, partner_of
from gec_fair.people import reader

if TYPE_CHECKING:
    from spacy.tokens import Token


def form_of(token: Token) -> Form | None:
    """The form of a he/she pronoun; None for every other word."""
    readings = {form for _, form in forms_of(token.lower_)}
    if len(readings) < 2:
        return next(iter(readings), None)
    partner = partner_of(token)
    if partner is not None:  # *his or her own car*
        alone = Form.ACCUSATIVE if Form.ACCUSATIVE in readings else Form.INDEPENDENT
        return Form.DETERMINER if form_of(partner) is Form.DETERMINER else alone
    first = first_of_pair(token)
    if first is not None and len(forms := {form for _, form in forms_of(first.lower_)} & readings) == 1:
        return next(iter(forms))  # *him ( or her ) today*
    return reader.form_of(token.doc, token.i)
