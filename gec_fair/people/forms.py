"""Which form a he/she word has in its sentence: *her* is *him* or *his*, *his* is *her* or *hers*.

Four of the six words say it themselves. Of the other two, the words right around (`around`) and the reader of the whole
text say it together; of a pair, both are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gec_fair.english.lexicons.paradigms import Form, forms_of
from gec_fair.english.once import once_a_text
from gec_fair.english.pronouns import first_of_pair, partner_of
from gec_fair.people import around, reader
from gec_fair.people.around import FORMS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SHARE = 0.7
"""The share of the words right around in the mixture; chosen on the sets of `benchmarks/people.py`, part d."""
CERTAIN = 0.99
"""From here on the words right around decide alone: the reader would have to be surer than 45,000 to 1."""


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
    likely = probabilities(token.doc, token.i)
    return max(likely, key=likely.__getitem__)


@once_a_text
def probabilities(doc: Doc, at: int) -> Mapping[Form, float]:
    """The probabilities of the two forms that the *her* or *his* at a place may have."""
    alternative = Form.ACCUSATIVE if doc[at].lower_ == "her" else Form.INDEPENDENT
    by_words = around.read(doc, at)
    likely = {form: by_words[form] for form in (Form.DETERMINER, alternative)}
    if max(likely.values()) < CERTAIN * sum(likely.values()):
        by_text = reader.read(doc).forms[at].tolist()
        likely = {form: p**SHARE * by_text[FORMS.index(form)] ** (1 - SHARE) for form, p in likely.items()}
    return {form: p / sum(likely.values()) for form, p in likely.items()}
