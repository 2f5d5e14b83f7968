"""M2 in and out: human spans and types survive."""

import pytest

from gec_fair.edits import rewritten
from gec_fair.edits.m2 import blocks, parse, render

BLOCK = """S He go at home  .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 1 2|||UNK|||go|||REQUIRED|||-NONE-|||1

"""
NOOP = "S Fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"


@pytest.mark.parametrize("text", [BLOCK, NOOP, BLOCK + NOOP])
def test_reading_and_writing_gives_the_file_back(text):
    read = [parse(block) for block in blocks(text.splitlines(keepends=True))]
    assert "".join(render(a.source, a.annotators) for a in read) == text


def test_each_annotator_has_a_target():
    read = parse(next(blocks(BLOCK.splitlines())))
    assert [(who, " ".join(rewritten(their, read.source.words))) for who, their in read.annotators] == [
        ("0", "He goes home ."),
        ("1", "He go at home ."),
    ]


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        (["He go ."], "expected a line 'S "),
        (["S He go .", "A 1 2|||R|||goes"], "expected 'A start end"),
        (["S He go .", "A x y|||R|||goes|||REQUIRED|||-NONE-|||0"], "two token offsets"),
        (["S He go .", "A 2 9|||R|||goes|||REQUIRED|||-NONE-|||0"], "outside the sentence of 3"),
        (
            ["S He go .", "A 0 2|||R|||a|||REQUIRED|||-NONE-|||0", "A 1 3|||R|||b|||REQUIRED|||-NONE-|||0"],
            "edits 0:2 and 1:3 of annotator 0 overlap",
        ),
    ],
)
def test_what_is_wrong_is_said(block, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(block)
