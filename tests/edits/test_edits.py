"""Edits applied to text with its white space; rewritings; edits in words."""

import pytest

from gec_fair.edits import (
    Edit,
    Edits,
    Rewriting,
    Tokens,
    Undo,
    apply,
    diff,
    edits,
    restore,
    split_spaces,
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
    tokens = split_spaces(text)
    assert apply(edits(changes, len(tokens)), tokens).text == expected


def two_segments():
    words = tuple("She came . He saw her .".split())
    return Tokens(words, (" ",) * 6 + ("",), borders=(3,))


def test_no_edit_crosses_a_segment_border():
    both = two_segments()
    assert both.segments == ("She came .", "He saw her .")
    with pytest.raises(ValueError, match="border"):
        apply(Edits((Edit(2, 4, ("x",)),), len(both)), both)


def test_segments_stay_apart_when_words_come_and_go():
    both = two_segments()
    after = apply(Edits((Edit(1, 2, ("came", "home")), Edit(3, 4, ())), len(both)), both)
    assert after.segments == ("She came home .", "saw her .")


@pytest.mark.parametrize("bad", [[Edit(1, 3, ()), Edit(2, 4, ())], [Edit(2, 9, ())], [Edit(2, 1, ())]])
def test_edits_that_overlap_or_leave_the_text_are_refused(bad):
    with pytest.raises(ValueError, match="token"):
        Edits(tuple(bad), 5)


def test_a_rewriting_has_both_texts_its_pieces_and_its_undo():
    before = Tokens.of("They're  her keys .", ["They", "'re", "her", "keys", "."])
    rewriting = Rewriting.of(before, edits([Edit(0, 1, ("He",)), Edit(1, 2, ("'s",)), Edit(2, 3, ())], 5))
    assert rewriting.after.text == "He's  keys ."
    assert list(rewriting.replacements()) == [("They", "He"), ("'re", "'s"), ("her", "")]
    assert rewriting.undo() == [Undo(0, "He's", "They're"), Undo(6, "keys", "her keys")]
    assert restore("He's  keys .", rewriting.undo()) == "They're  her keys ."


def test_undoing_another_text_is_refused():
    with pytest.raises(ValueError, match="'he' is not at character 0"):
        restore("we went", [Undo(0, "he", "she")])


def test_edits_that_lead_elsewhere_make_no_rewriting():
    with pytest.raises(ValueError, match="do not lead from 'a b' to 'a c'"):
        Rewriting(split_spaces("a b"), Edits((), 2), split_spaces("a c"))


def test_two_rewritings_are_one():
    first = Rewriting.between("he was not able", "he was unable")
    both = first.then(Rewriting.between("he was unable", "they were unable"))
    assert (both.before.text, both.after.text) == ("he was not able", "they were unable")
    assert list(both.replacements()) == [("he was not able", "they were unable")]


def test_words_that_are_not_in_the_text_are_refused():
    with pytest.raises(ValueError, match="substring"):
        Tokens.of("he went", ["he", "goes"])


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
