"""Edits applied to text with its white space; touching and telling."""

import pytest

from gec_fair.edits import (
    Edit,
    Edits,
    apply,
    diff,
    edits,
    segmented,
    spaced,
    touch,
    unchanged_positions,
    written_positions,
)
from gec_fair.edits.explain import as_json, explain

SPACING = [
    ("a  b c ", [Edit(1, 2, ("X",))], "a  X c ", "a replaced word keeps its white space"),
    ("a b c", [Edit(3, 3, ("X",))], "a b c X", "an appended word gets a space"),
    ("a b c", [Edit(2, 3, ())], "a b", "a deleted last word leaves no trailing space"),
    ("a b  c", [Edit(1, 2, ("X", "Y"))], "a X Y  c", "the end of a replaced span keeps its white space"),
    (" a b", [Edit(0, 0, ("X",))], " X a b", "leading white space stays at the front"),
    ("a b", [Edit(0, 2, ())], "", "everything can go"),
]


@pytest.mark.parametrize(("text", "changes", "expected"), [s[:3] for s in SPACING], ids=[s[3] for s in SPACING])
def test_white_space_around_edits(text, changes, expected):
    tokens = spaced(text)
    assert apply(edits(changes, len(tokens)), tokens).text == expected


def test_no_edit_crosses_a_segment_border():
    both = segmented(["She came .", "He saw her ."])
    assert both.segments == ("She came .", "He saw her .")
    with pytest.raises(ValueError, match="border"):
        apply(Edits((Edit(2, 4, ("x",)),), len(both)), both)


def test_segments_stay_apart_when_words_come_and_go():
    both = segmented(["She came .", "He saw her ."])
    after = apply(Edits((Edit(1, 2, ("came", "home")), Edit(3, 4, ())), len(both)), both)
    assert after.segments == ("She came home .", "saw her .")


@pytest.mark.parametrize("bad", [[Edit(1, 3, ()), Edit(2, 4, ())], [Edit(2, 9, ())], [Edit(2, 1, ())]])
def test_edits_that_overlap_or_leave_the_text_are_refused(bad):
    with pytest.raises(ValueError, match="token"):
        Edits(tuple(bad), 5)


def test_touch_finds_shared_tokens_only():
    changes = edits([Edit(0, 1, ("x",)), Edit(2, 2, ("y",)), Edit(4, 6, ())], 8)
    assert list(touch(changes, [(0, 2), (1, 3), (5, 7), (6, 8)])) == [(0, 0), (1, 1), (2, 2)]


def test_edits_in_words():
    before, after = ["he", "go", "home"], ["he", "goes", "home", "."]
    edits = diff(before, after)
    assert explain(edits, before) == "he [-go-] {+goes+} home {+.+}"
    assert explain(edits, before, style="html") == "he <del>go</del> <ins>goes</ins> home <ins>.</ins>"
    assert as_json(edits, before)[0] == {"start": 1, "end": 2, "old": "go", "new": "goes"}


def test_what_edits_leave_alone_and_what_they_wrote():
    before, after = "a b c d".split(), "x a c c e".split()
    changes = diff(before, after)
    assert all(before[old] == after[new] for old, new in unchanged_positions(changes).items())
    assert len(unchanged_positions(changes)) + len(written_positions(changes)) == len(after)
    assert written_positions(changes).isdisjoint(unchanged_positions(changes).values())
