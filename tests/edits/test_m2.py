"""M2 in and out: human spans and types survive."""

import pytest

from gec_fair.edits import edit_words
from gec_fair.edits.m2 import blocks, parse, render

BLOCK = """S He go at home  .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 1 2|||UNK|||go|||REQUIRED|||-NONE-|||1

"""
NOOP = "S Fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"


ALTERNATIVES = """S He go to home .
A 1 2|||Vform|||goes||went||had gone|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||-NONE-||at|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||homes||-NONE-|||REQUIRED|||-NONE-|||0

"""


@pytest.mark.parametrize("text", [BLOCK, NOOP, BLOCK + NOOP, ALTERNATIVES])
def test_reading_and_writing_gives_the_file_back(text):
    read = [parse(block) for block in blocks(text.splitlines(keepends=True))]
    assert "".join(render(a.source, a.annotators) for a in read) == text


@pytest.mark.parametrize(
    ("written", "replacement", "alternatives", "why"),
    [
        ("goes", "goes", [], "one"),
        ("goes||went", "goes", ["went"], "two, as in CoNLL-2014"),
        ("goes || went", "goes", ["went"], "with spaces"),
        ("goes||is going||went", "goes", ["is going", "went"], "three, one of two words"),
        ("goes||goes", "goes", [], "the same twice"),
        ("", "", [], "a deletion"),
        ("-NONE-", "", [], "a deletion as ERRANT writes it"),
        ("the||", "the", [""], "a word or nothing"),
        ("||the", "", ["the"], "nothing or a word"),
        ("the||-NONE-", "the", [""], "a word or nothing, with its name"),
        ("a | b", "a | b", [], "a separate bar is a word"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else None,
)
def test_bars_separate_replacements_that_are_equally_right(written, replacement, alternatives, why):
    ((_, (edit,)),) = parse(["S He go .", f"A 1 2|||R|||{written}|||REQUIRED|||-NONE-|||0"]).annotators
    assert [" ".join(variant.replacement) for variant in edit.variants()] == [replacement, *alternatives]


SHAPES = {
    "as it should be": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\nS d\n\n",
    "no blank lines": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\nS d\n",
    "no final newline": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\nS d",
    "many blank lines": "\n\nS a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n \n\nS d\n\n\n",
    "blanks at the ends": "S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0 \n\nS d\n\n",
    "CRLF": "S a b\r\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\r\n\r\nS d\r\n\r\n",
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_a_sentence_begins_with_its_own_line_however_the_file_is_written(text):
    first, second = (parse(block) for block in blocks(text.splitlines(keepends=True)))
    assert (first.source.words, second.source.words) == (("a", "b"), ("d",))
    assert [(who, [edit.replacement for edit in their]) for who, their in first.annotators] == [("0", [("c",)])]


def test_each_annotator_has_a_target():
    read = parse(next(blocks(BLOCK.splitlines())))
    assert [(who, " ".join(edit_words(their, read.source.words))) for who, their in read.annotators] == [
        ("0", "He goes home ."),
        ("1", "He go at home ."),
    ]


def test_white_space_that_is_no_space_belongs_to_a_replacements_words():
    block = ["S he\u00a0 goes", "A 0 1|||R:ORTH|||\u2009He too\u00a0|||REQUIRED|||-NONE-|||0"]
    read = parse(block)
    assert read.annotators[0][1].edits[0].replacement == ("\u2009He", "too\u00a0")
    assert render(read.source, read.annotators) == "\n".join(block) + "\n\n"


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        (["He go ."], "expected a line 'S "),
        (["S He go .\rA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\r"], "a carriage return stands in the sentence"),
        (["S He go .", "A 1 2|||R|||goes"], "expected 'A start end"),
        (["S He go .", "A 1 2|||R|||goes|||went|||REQUIRED|||-NONE-|||0"], "expected 'A start end"),
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
