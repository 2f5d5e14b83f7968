"""Running text to tokenised sentences."""

from __future__ import annotations

import lzma

import pytest

from gec_fair.english.running_text.sentences import is_clean, read_paragraphs, sentences
from gec_fair.errors import InputError
from tests.cli.invoke import run

CASES = [
    ("He came. She left.", ["He came .", "She left ."], "two sentences"),
    ('"Where?" asked she. "Here!"', ['" Where ? " asked she .', '" Here ! "'], "a question inside a sentence"),
    ("Mr. Smith didn't go.", ["Mr. Smith did n't go ."], "an abbreviation, a contraction"),
    ("It was _so_ long--too long.", ["It was so long -- too long ."], "marks of plain-text books"),
    ('He said, "Go." Then he left.', ['He said , " Go . "', "Then he left ."], "a closing mark"),
    ("snake_case stays.", ["snake_case stays ."], "an underscore inside a word"),
    ("", [], "nothing"),
]


@pytest.mark.parametrize(("text", "expected", "why"), CASES, ids=[row[2] for row in CASES])
def test_text_is_cut_into_sentences_and_words(text, expected, why):
    assert [" ".join(words) for words in sentences(text)] == expected


CLEAN = [
    ("He went to the town .", True, "a whole sentence"),
    ("he went to the town .", False, "begun in lower case"),
    ("He went to the town", False, "not ended"),
    ('" He went to the town .', False, "half a quotation"),
    ("CHAPTER I .", False, "a heading"),
    ("No .", False, "too short"),
    ("He paid 3 4 5 6 7 8 9 0 1 .", False, "mostly figures"),
    ("He " + "very " * 60 + ".", False, "too long"),
]


@pytest.mark.parametrize(("text", "clean", "why"), CLEAN, ids=[row[2] for row in CLEAN])
def test_only_whole_sentences_can_be_the_correct_side_of_a_pair(text, clean, why):
    assert is_clean(text.split()) is clean


def test_paragraphs_are_unwrapped_from_any_compression(tmp_path):
    path = tmp_path / "book.txt.xz"
    path.write_bytes(lzma.compress(b"### book\n\nOne line\nand its end.\n\n\nTwo.\n"))
    assert list(read_paragraphs(path)) == ["One line and its end.", "Two."]
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"book\.txt\.xz"):
        list(read_paragraphs(path))


def test_the_command_writes_a_sentence_a_line(tmp_path):
    (tmp_path / "a.txt").write_text("He went to the town. No.\n\nShe stayed at home all day.")
    out = tmp_path / "out.txt"
    assert "2 sentences" in run("sentences", tmp_path / "a.txt", "-o", out).stdout
    assert out.read_text() == "He went to the town .\nShe stayed at home all day .\n"
    assert "3 sentences" in run("sentences", tmp_path / "a.txt", "--all", "-o", out).stdout
    assert "1 sentences" in run("sentences", tmp_path / "a.txt", "--limit", 1, "-o", out).stdout


@pytest.mark.parametrize("command", ["sentences", "noise"])
def test_an_output_that_cannot_be_written_is_named_and_not_the_input(tmp_path, command):
    (tmp_path / "a.txt").write_text("He went to the town .\n")
    done = run(command, tmp_path / "a.txt", "-o", tmp_path / "a.txt" / "out.txt")
    assert done.code == 2
    assert "'--output': " in done.stderr
    assert "a.txt is a file, no folder" in done.stderr
    assert "cannot be read" not in done.stderr
