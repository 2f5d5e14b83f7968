"""A slip of the pen is recognised, and made again in the new word."""

import pytest

from gec_fair.augmentation.planning.spelling import is_slip, same_slip

SLIPS = [
    ("Micheal", "Michael", "kristyn", "krisytn", "two letters swapped, counted from the end"),
    ("girfriend", "girlfriend", "boyfriend", "boyriend", "a letter left out, counted from the front"),
    ("hime", "him", "her", "here", "a letter added at the end"),
    ("brohter", "brother", "sister", "sisetr", "two letters swapped"),
    ("sisterr", "sister", "brother", "brotherr", "a doubled last letter"),
    ("huzband", "husband", "wife", "wize", "a wrong letter in the middle"),
]


@pytest.mark.parametrize(("written", "meant", "word", "expected"), [s[:4] for s in SLIPS], ids=[s[4] for s in SLIPS])
def test_the_same_slip_in_another_word(written, meant, word, expected):
    assert is_slip(written, meant)
    assert same_slip(written, meant, word) == expected


@pytest.mark.parametrize(("written", "meant"), [("Mikal", "Michael"), ("he", "she"), ("girl", "girl"), ("is", "his")])
def test_what_is_no_slip(written, meant):
    assert not is_slip(written, meant)


def test_a_slip_that_changes_nothing_is_refused():
    assert same_slip("siter", "sister", "s") is None
