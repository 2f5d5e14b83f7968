"""The laws of the ground floor, over random texts."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.edits import (
    Conflict,
    Edit,
    Edits,
    Meeting,
    Rewriting,
    Square,
    Tokens,
    apply,
    carry,
    compose,
    diff,
    edit_words,
    invert,
    join_words,
    pieces_of,
    restore,
    split_spaces,
)

words = st.lists(st.sampled_from(["he", "she", "a", "b", "c", "is", "are", "."]), max_size=12).map(tuple)
raw = st.text(alphabet=st.sampled_from(" \u00a0ab.\t\u2028é"), max_size=30)


@st.composite
def edits_over(draw, length: int) -> Edits:
    points = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    spans = list(zip(points[::2], points[1::2], strict=False))
    return Edits(tuple(Edit(a, b, draw(words)[:3]) for a, b in spans), length)


@given(raw)
def test_text_comes_back_byte_for_byte(text):
    assert split_spaces(text).text == text


@given(words, words)
def test_applying_a_diff_gives_the_other_text(a, b):
    assert edit_words(diff(a, b), a) == b


@given(words, words)
def test_between_two_edits_of_a_diff_stands_a_shared_word(a, b):
    edits = diff(a, b).edits
    assert all(x.end < y.start for x, y in pairwise(edits))


@given(words, words)
def test_undoing_gives_the_text_back(a, b):
    edits = diff(a, b)
    assert edit_words(invert(edits, a), b) == a


@given(st.data(), words)
def test_two_steps_are_one(data, a):
    first = data.draw(edits_over(len(a)))
    middle = edit_words(first, a)
    second = data.draw(edits_over(len(middle)))
    assert edit_words(compose(first, second), a) == edit_words(second, middle)


@given(raw)
def test_no_edits_leave_every_byte(text):
    tokens = split_spaces(text)
    assert apply(Edits((), len(tokens)), tokens) == tokens


@given(st.data(), words)
def test_words_after_applying_do_not_run_together(data, a):
    changes = data.draw(edits_over(len(a)))
    after = apply(changes, join_words(a))
    assert split_spaces(after.text).words == edit_words(changes, a)


@given(raw, raw)
def test_pieces_and_undo_give_both_texts_byte_for_byte(before, after):
    rewriting = Rewriting.between(before, after)
    pieces = list(rewriting.pieces())
    assert "".join(old for old, _ in pieces) == before
    assert "".join(new for _, new in pieces) == after
    assert restore(after, rewriting.undo()) == before
    again = list(pieces_of(after, rewriting.undo()))
    assert ("".join(old for old, _ in again), "".join(new for _, new in again)) == (before, after)


@given(st.data(), raw, words)
def test_edits_over_any_white_space_can_be_undone(data, lead, text):
    gaps = data.draw(st.lists(st.sampled_from(["", " ", "  ", "\n"]), min_size=len(text), max_size=len(text)))
    before = Tokens(text, tuple(gaps), " " * len(lead))
    rewriting = Rewriting.of(before, data.draw(edits_over(len(text))))
    assert restore(rewriting.after.text, rewriting.undo()) == before.text


def keep_source(meeting: Meeting):
    return ()


@given(words, words)
def test_an_empty_plan_changes_nothing(a, b):
    square = carry(Edits((), len(b)), diff(a, b), a, conflicts=keep_source)
    assert isinstance(square, Square)
    assert (square.source, square.target, square.correction) == (a, b, diff(a, b))


@given(st.data(), words)
def test_a_plan_across_no_correction_is_itself(data, a):
    plan = data.draw(edits_over(len(a)))
    square = carry(plan, Edits((), len(a)), a, conflicts=keep_source)
    assert isinstance(square, Square)
    assert square.carried == plan


@settings(max_examples=400)
@given(st.data(), words)
def test_the_square_closes_and_no_correction_goes_unsaid(data, a):
    correction = data.draw(edits_over(len(a)))
    b = edit_words(correction, a)
    plan = data.draw(edits_over(len(b)))
    square = carry(plan, correction, a, conflicts=keep_source)
    if isinstance(square, Conflict):
        assert square.reason == "straddles_correction"
        return
    assert square.target == edit_words(plan, b)
    assert square.source == edit_words(square.carried, a)
    assert len(square.correction) + len(square.lost) == len(correction)
    assert edit_words(square.correction, square.source) == square.target
