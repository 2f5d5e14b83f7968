"""Decoding: laws over random sentences, candidates and scores; no model."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_fair.edits import Edits, compose, diff, edit_words, edits
from gec_fair.errors import UsageError
from gec_fair.gec.editscorer.candidates import Candidate, overlap
from gec_fair.gec.editscorer.decode import decode, rank
from gec_fair.gec.editscorer.options import Decoding
from tests.gec.editscorer.small import candidate, score_by_chance
from tests.gec.editscorer.test_candidates import LAW, an_edit, words

EAGER = Decoding(threshold=1e-4, alpha=0.1)
MODES = ("stagewise", "simultaneous")


@st.composite
def a_case(draw):
    text = draw(words)
    ratios = st.one_of(st.none(), st.floats(-3, 6))
    return text, draw(st.lists(st.builds(Candidate, an_edit(len(text)), ratios), max_size=10))


cases = st.lists(a_case(), max_size=4)


def decode_cases(drawn, decoding, score=score_by_chance):
    return decode([text for text, _ in drawn], [candidates for _, candidates in drawn], score, decoding)


@pytest.mark.parametrize("mode", MODES)
@LAW
@given(drawn=cases)
def test_no_two_applied_edits_overlap_and_all_were_proposed(mode, drawn):
    for (_, candidates), done in zip(drawn, decode_cases(drawn, replace(EAGER, mode=mode)), strict=True):
        applied = done.applied
        assert not any(overlap(a, b) for n, a in enumerate(applied) for b in applied[:n])
        assert set(applied) <= {c.edit for c in candidates}
        assert len(done.edits) == len(applied) <= 8


@LAW
@given(cases)
def test_every_stage_is_the_source_after_composed_edits(drawn):
    seen = []

    def score(requests):
        seen.extend(text for text, _ in requests)
        return score_by_chance(requests)

    for case, done in zip(drawn, decode_cases(drawn, EAGER), strict=True):
        seen.clear()
        (alone,) = decode_cases([case], EAGER, score)
        assert alone == done  # a sentence is corrected as if there were no others
        text, composed = case[0], Edits((), len(case[0]))
        for stage, (before, now) in enumerate(pairwise(seen), start=1):
            composed = compose(composed, diff(before, now))
            assert now == edit_words(composed, text) == edit_words(edits(done.applied[:stage], len(text)), text)


@pytest.mark.parametrize("mode", MODES)
@LAW
@given(drawn=cases, order=st.randoms())
def test_the_order_of_the_candidates_does_not_matter(mode, drawn, order):
    shuffled = [(text, order.sample(candidates, len(candidates))) for text, candidates in drawn]
    decoding = replace(EAGER, mode=mode)
    assert decode_cases(drawn, decoding) == decode_cases(shuffled, decoding)


@pytest.mark.parametrize("mode", MODES)
@LAW
@given(drawn=cases)
def test_with_a_threshold_above_every_score_nothing_changes(mode, drawn):
    for done in decode_cases(drawn, replace(EAGER, mode=mode, threshold=2.0, alpha=0.0)):
        assert done.applied == ()


@LAW
@given(drawn=cases)
def test_each_round_applies_one_edit_and_rounds_are_limited(drawn):
    for rounds in (1, 2):
        short, long = decode_cases(drawn, replace(EAGER, rounds=rounds)), decode_cases(drawn, EAGER)
        assert [done.applied for done in short] == [done.applied[:rounds] for done in long]


def answer_with(*scores: float):
    """Probabilities, of doing nothing first, as a `Score` answers them; the same in every round."""
    return lambda requests: [np.log(scores[: len(edits) + 1]) for _, edits in requests]


RANKING = [
    ([0.1, 0.9], [None], True, "sure and better than doing nothing"),
    ([0.1, 0.8], [None], True, "as sure as T"),
    ([0.1, 0.79], [None], False, "less sure than T"),
    ([0.95, 0.9], [None], False, "doing nothing is surer"),
    ([0.9, 0.9], [None], False, "in doubt, nothing is done"),
    ([0.1, 0.8], [1.0], True, "a ratio of 1 is what the threshold expects"),
    ([0.1, 0.8], [0.5], False, "GECToR doubts, and so does the sum"),
    ([0.1, 0.75], [2.0], True, "GECToR is sure: log .75 + .2 ≥ log .8 + .1"),
    ([0.95, 0.9], [1.0], True, "the ratio counts against doing nothing, whose ratio is 0"),
]


@pytest.mark.parametrize(("scores", "ratios", "expected", "why"), RANKING, ids=[row[3] for row in RANKING])
def test_what_may_be_applied(scores, ratios, expected, why):
    candidates = [candidate(0, 1, "x", ratio) for ratio in ratios]
    ranking = rank(candidates, np.log(scores), Decoding(), cap=math.inf)
    assert (ranking == [0]) == expected


def test_conflicts_are_scored_anew_on_the_new_text():
    text = ("he", "go", "to", "home")
    candidates = [candidate(1, 2, "goes"), candidate(1, 2, "went"), candidate(2, 3, ""), candidate(3, 4, "house")]
    seen = []

    def score(requests):
        seen.extend((text, [(e.start, e.end, e.replacement) for e in edits]) for text, edits in requests)
        sure = {("goes",): 0.95, (): 0.9, ("house",): 0.7 if len(seen) == 1 else 0.2}
        return [np.log([0.1, *(sure.get(e.replacement, 0.5) for e in requests[0][1])])]

    (done,) = decode([text], [candidates], score, Decoding(threshold=0.6))
    assert edit_words(done.edits, text) == ("he", "goes", "home")
    assert seen == [
        (text, [(1, 2, ("goes",)), (1, 2, ("went",)), (2, 3, ()), (3, 4, ("house",))]),
        (("he", "goes", "to", "home"), [(2, 3, ()), (3, 4, ("house",))]),  # went wanted the same word
        (("he", "goes", "home"), [(2, 3, ("house",))]),  # moved, and no longer likely
    ]


def test_only_changed_sentences_with_candidates_left_see_the_next_round():
    texts = [("a", "b"), ("c",), ("d",), ("e",)]
    candidates = [[candidate(0, 1, "x"), candidate(1, 2, "y")], [candidate(0, 1, "z")], [], [candidate(0, 1, "no")]]
    seen = []

    def score(requests):
        seen.append([text for text, _ in requests])
        return [np.log([0.1, *(0.2 if e.replacement == ("no",) else 0.9 for e in edits)]) for _, edits in requests]

    done = decode(texts, candidates, score, Decoding())
    assert seen == [[("a", "b"), ("c",), ("e",)], [("x", "b")]]
    assert [len(sentence.applied) for sentence in done] == [2, 1, 0, 0]


def test_simultaneous_decoding_scores_once_caps_ratios_and_leaves_touching_edits_out():
    text = ("a", "b", "c", "d", "e")
    candidates = [
        candidate(0, 1, "x", 9.0),
        candidate(1, 2, "y", 5.0),
        candidate(3, 4, "z", 1.0),
        candidate(4, 4, "w", 1),
    ]
    decoding = Decoding(mode="simultaneous", threshold=0.5)
    (done,) = decode([text], [candidates], answer_with(0.1, 0.8, 0.9, 0.9, 0.6), decoding)
    assert [e.replacement for e in done.applied] == [("y",), ("z",)]  # y before x: 9 counts as 5, .9 is more than .8
    (one,) = decode([text], [candidates], answer_with(0.1, 0.8, 0.9, 0.9, 0.6), replace(decoding, edits=1))
    assert [e.replacement for e in one.applied] == [("y",)]


@pytest.mark.parametrize("mode", MODES)
def test_a_sentence_that_is_too_long_is_left_alone_and_says_so(mode):
    (done,) = decode([("a",)], [[candidate(0, 1, "x")]], lambda requests: [None], Decoding(mode=mode))
    assert (done.applied, done.too_long) == ((), True)


def test_a_sentence_that_grows_too_long_keeps_what_was_done():
    answers = iter([answer_with(0.1, 0.9, 0.9), lambda requests: [None]])
    (done,) = decode([("a",)], [[candidate(0, 1, "x y"), candidate(1, 1, "z")]], lambda a: next(answers)(a), Decoding())
    assert (len(done.applied), done.too_long) == (1, False)


@pytest.mark.parametrize("wrong", [{"threshold": 0.0}, {"rounds": 0}, {"mode": "stagewise", "tokens": 0}], ids=str)
def test_decoding_that_cannot_be_meant_is_refused(wrong):
    with pytest.raises(UsageError, match="must be"):
        Decoding(**wrong)
