"""The spaCy component: found by its name, one text for each document, the document unchanged."""

from __future__ import annotations

import pytest
import spacy

import gec_fair as gf
from gec_fair.errors import UsageError

TEXTS = ["Anna lost her keys.", "It rained.", "", "He  and his dog\nleft.", "Maria sang.", "Eva sang."]


@pytest.mark.parametrize(("method", "options"), [("fm", {}), ("st", {"gate": "none"}), ("fm", {"names": "draw"})])
def test_a_pipeline_rewrites_as_the_function_does(method, options):
    nlp = spacy.blank("en")
    nlp.add_pipe("gec_fair_rewriter", config={"method": method, "options": options})
    expected = gf.rewrite(TEXTS, method, **options)
    assert [doc._.rewritten for doc in nlp.pipe(TEXTS, batch_size=2)] == expected
    doc = nlp(TEXTS[0])
    assert (doc.text, doc._.rewritten) == (TEXTS[0], expected[0])


def test_an_unknown_option_is_refused():
    nlp = spacy.blank("en")
    with pytest.raises(UsageError, match="did you mean gate"):
        nlp.add_pipe("gec_fair_rewriter", config={"options": {"gat": "none"}})
