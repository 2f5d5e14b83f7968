"""Harper under Node, where both are here; what it finds in prose carried back to tokens, everywhere."""

from __future__ import annotations

import pytest

from gec_fair.edits import edit_words
from gec_fair.english.running_text.prose import detokenise
from gec_fair.errors import MissingResource
from gec_fair.gec.systems.checker import edits
from gec_fair.gec.systems.harper import Harper

PROSE = [
    ("commas, stops, clitics", "I do n't know , really .", "I don't know, really."),
    ("quotes", "He said `` yes '' .", 'He said "yes".'),
    ("brackets", "It ( the dog ) ran .", "It (the dog) ran."),
    ("an ordinary text", "She is here", "She is here"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("why", "tokens", "prose"), PROSE, ids=[row[0] for row in PROSE])
def test_prose_keeps_every_token_in_place(why, tokens, prose):
    detokenised = detokenise(tokens.split())
    assert detokenised.text == prose
    for word, (start, end) in zip(tokens.split(), detokenised.spans, strict=True):
        assert detokenised.text[start:end].replace(" ", "") in (word, '"')


LINTS = [
    ("a word", "He recieve it .", [("recieve", "receive")], "He receive it ."),
    ("a contraction", "I do n't know .", [("don't", "do not")], "I do not know ."),
    ("two tokens to one", "I am out side now .", [("out side", "outside")], "I am outside now ."),
    ("an insertion", "He went home", [("He went", "He has went")], "He has went home"),
    ("an insertion inside a word", "I dont know .", [("ont", "on't")], "I don't know ."),
    ("a deletion", "I saw the the dog .", [("the the", "the")], "I saw the dog ."),
    ("two lints on one place: the first", "He recieve it .", [("recieve it", "got it"), ("it", "them")], "He got it ."),
    ("a lint that changes nothing", "He is here .", [("is", "is")], "He is here ."),
]


@pytest.mark.parametrize(("why", "tokens", "lints", "expected"), LINTS, ids=[row[0] for row in LINTS])
def test_suggestions_come_back_to_the_tokens(why, tokens, lints, expected):
    words = tokens.split()
    prose = detokenise(words)
    spans = [(prose.text.index(old), prose.text.index(old) + len(old), new) for old, new in lints]
    assert " ".join(edit_words(edits(words, prose, spans, str.split), words)) == expected
    if why == "an insertion inside a word":  # however narrow the span is
        assert " ".join(edit_words(edits(words, prose, [(5, 5, "'")], str.split), words)) == expected


@pytest.fixture(scope="module")
def harper():
    try:
        return Harper()
    except MissingResource as fault:
        pytest.skip(f"needs Node: {fault}")


def test_harper_corrects_and_leaves_tokens_alone(harper):
    assert harper.version.startswith("harper:2.10.0:worker:")
    [spelling, fine, clitic, empty] = harper(["This is an teh test .", "She is here .", "I do n't know , really .", ""])
    assert "teh" not in spelling.split()
    assert (fine, clitic, empty) == ("She is here .", "I do n't know , really .", "")


def test_answers_do_not_hang_on_what_was_asked_before(harper):
    """Harper orders equally good suggestions by what its linter saw first."""
    texts = ["James falled down .", "Each candidate speaked well .", "They has runned home .", "I recieve an teh ."]
    forwards = dict(zip(texts, Harper()(texts), strict=True))
    assert dict(zip(texts[::-1], Harper()(texts[::-1]), strict=True)) == forwards
    assert harper(texts) == list(forwards.values())


def test_what_is_missing_is_said_with_its_remedy(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_HARPER", str(tmp_path))
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/node")
    with pytest.raises(MissingResource, match="make harper"):
        Harper()
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(MissingResource, match="needs Node"):
        Harper()
