"""A masked language model judges exchanged words."""

from __future__ import annotations

import pytest

from gec_fair.errors import InputError, UsageError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.registry import with_fluency
from gec_fair.razor.rewriting.candidates import Candidate
from gec_fair.razor.rewriting.fluency import Fluency, FluentRewriter, exchange
from tests.gec.gector import tiny

EXCHANGES = [
    ("He saw a film.", "He saw a movie.", ("film", "movie"), "one word"),
    ("He saw a film.", "He saw an old movie.", ("a film", "an old movie"), "up to three"),
    ("The film was out in May.", "In May, the film was out.", None, "a move"),
    ("I think it rains.", "I think that it rains.", None, "an insertion"),
    ("He saw a film.", "He saw a film.", None, "nothing"),
]


@pytest.mark.parametrize(("old", "new", "words", "why"), EXCHANGES, ids=[row[3] for row in EXCHANGES])
def test_what_is_exchanged(old, new, words, why):
    passages = exchange(old, new)
    assert (passages and tuple(passage.text[passage.start : passage.end] for passage in passages)) == words


def test_a_long_text_is_read_around_the_words():
    old, new = exchange("far " * 900 + "film" + " away" * 900, "far " * 900 + "movie" + " away" * 900)
    assert old.text[old.start : old.end] == "film"
    assert new.text[new.start : new.end] == "movie"
    assert len(old.text) < 500


class Fixed:
    """Proposes these texts."""

    version, draws = "fixed", False

    def __init__(self, *texts):
        self.texts = texts

    def propose(self, documents, tries):
        return [[Candidate(text) for text in self.texts] for _ in documents]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fluency") / "model"
    tiny.make_masked(folder)
    return str(folder)


def test_gains_are_opposite_both_ways_and_decide(model):
    fluency = Fluency(model)
    pairs = [
        ("He saw a film.", "He saw a movie."),
        ("He saw a movie.", "He saw a film."),
        ("It rains.", "Now it rains."),
    ]
    gain, loss, moved = fluency.gains(pairs)
    assert gain == pytest.approx(-loss, abs=1e-4)
    assert gain != 0
    assert moved is None
    strict = FluentRewriter(Fixed("He saw a movie.", "Now he saw a film."), fluency, threshold=gain + 0.01)
    document = Document("1", "a", "He saw a film.")
    dropped, passed = strict.propose([document], [0])[0]
    assert (dropped.reason, passed.reason) == ("fluency", "")
    assert "nats" in dropped.detail
    lenient = FluentRewriter(Fixed("He saw a movie."), fluency, threshold=gain - 0.01)
    assert lenient.propose([document], [0])[0][0].reason == ""
    assert strict.version != lenient.version


@pytest.mark.parametrize("name", ["bert", "encoder:", "hf:bert"])
def test_other_names_are_refused(name):
    with pytest.raises(UsageError, match="give encoder:NAME"):
        with_fluency(Fixed(), name)


def test_a_causal_model_is_refused(tmp_path):
    tiny.causal(tmp_path / "causal", tiny.encoder(tmp_path / "words"))
    with pytest.raises(InputError):
        Fluency(str(tmp_path / "causal"))
