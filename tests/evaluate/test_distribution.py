"""Kinds of errors, counted and compared."""

import pytest

from gec_fair.edits.edit import Edit, edits
from gec_fair.errors import UsageError
from gec_fair.evaluate.scoring.distribution import compare, kinds
from gec_fair.evaluate.scoring.texts import Reference, read_reference

A = "S a b c\nA 0 1|||R:NOUN:NUM|||x|||REQUIRED|||-NONE-|||0\nA 2 3|||U:DET||||||REQUIRED|||-NONE-|||0\n"
B = "S a b c\nA 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0\nA 0 1|||UNK|||a|||REQUIRED|||-NONE-|||1\n\nS d\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"  # noqa: E501


def read(tmp_path, text):
    (tmp_path / "x.m2").write_text(text)
    return read_reference(tmp_path / "x.m2")


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (1, [("R", (1, 1)), ("U", (1, 0)), ("UNK", (0, 1))]),
        (2, [("DET", (1, 0)), ("NOUN:NUM", (1, 0)), ("NOUN", (0, 1)), ("UNK", (0, 1))]),
        (3, [("R:NOUN:NUM", (1, 0)), ("U:DET", (1, 0)), ("R:NOUN", (0, 1)), ("UNK", (0, 1))]),
    ],
)
def test_kinds_side_by_side(tmp_path, level, expected):
    rows = compare([read(tmp_path, A), read(tmp_path, B)], level)
    assert [(row.kind, row.counts) for row in rows] == expected
    assert [sum(row.shares[n] for row in rows) for n in (0, 1)] == [100, 100]


def test_nothing_to_correct_has_no_shares():
    empty = Reference("x", (("a",),), ((edits([], 1),),), (frozenset("0"),))
    one = Reference("x", (("a",),), ((edits([Edit(0, 1, ("b",), "R:NOUN")], 1),),), (frozenset("0"),))
    assert [row.shares for row in compare([empty, one], 1)] == [(0.0, 100.0)]
    with pytest.raises(UsageError, match="--cat"):
        kinds(one, 0)
