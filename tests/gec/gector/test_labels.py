"""Tag vocabularies: built, read, written, and what they let a model say of people."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import InputError
from gec_fair.gec.gector.labels import (
    DETECTION,
    Labels,
    build,
    coverage,
    missing_pronouns,
    read_detection,
    read_labels,
    with_pronouns,
)
from gec_fair.gec.gector.tags import DELETE, KEEP, TRANSFORMS
from tests.cli.invoke import run

COUNTS = {"$REPLACE_the": 9, "$APPEND_,": 9, DELETE: 30, "$REPLACE_they": 2, "$REPLACE_rare": 1, "$MERGE_SPACE": 3}


def test_a_vocabulary_has_the_official_order():
    labels = build(COUNTS, 34)
    assert labels.tags[:2] == (KEEP, DELETE)
    assert labels.tags[2:5] == ("$APPEND_,", "$REPLACE_the", "$MERGE_SPACE")  # by count, then by alphabet
    assert labels.tags[-2:] == ("@@UNKNOWN@@", "@@PADDING@@")
    assert set(TRANSFORMS) <= set(labels.tags)
    assert len(labels) == 34 + 2
    assert labels.numbers(["$KEEP", "$REPLACE_rare"]) == [0, labels.number["@@UNKNOWN@@"]]


def test_files_are_written_as_the_official_ones_and_read_back(tmp_path):
    labels = build(COUNTS, 40)
    labels.write(tmp_path)
    assert read_labels(tmp_path) == labels == read_labels(tmp_path / "labels.txt")
    assert (tmp_path / "d_tags.txt").read_text() == "CORRECT\nINCORRECT\n@@UNKNOWN@@\n@@PADDING@@\n"
    assert read_detection(tmp_path / "d_tags.txt") == DETECTION


def test_a_vocabulary_of_the_official_size_has_its_padding_rows_behind_5000_tags(tmp_path):
    labels = build({f"$REPLACE_w{n}": 9_000 - n for n in range(9_000)}, 5_000)
    labels.write(tmp_path)
    again = read_labels(tmp_path)
    assert (len(again), again.unknown, again.number["@@PADDING@@"]) == (5_002, 5_000, 5_001)
    assert "$REPLACE_w0" in again.number
    assert "$REPLACE_w8999" not in again.number


DETECTED = [
    ("INCORRECT\nCORRECT\n", ("INCORRECT", "CORRECT"), "another order, no padding rows"),
    ("CORRECT\n", None, "one is missing"),
    ("CORRECT\nINCORRECT\nOTHER\n", None, "a row that is none"),
    ("CORRECT\nINCORRECT\nCORRECT\n", None, "one twice"),
    ("", None, "nothing"),
]


@pytest.mark.parametrize(("text", "expected", "why"), DETECTED, ids=[row[2] for row in DETECTED])
def test_rows_of_detection_are_read_in_their_order(tmp_path, text, expected, why):
    path = tmp_path / "d_tags.txt"
    path.write_text(text)
    if expected:
        assert read_detection(path) == expected
        return
    with pytest.raises(InputError, match=r"d_tags.txt: holds .*each once"):
        read_detection(path)


def test_a_model_cannot_write_a_pronoun_whose_tags_are_missing_and_they_can_be_added():
    labels = build(COUNTS, 40)
    assert ("themself", False, False) in coverage(labels)
    more = with_pronouns(labels)
    assert missing_pronouns(more) == []
    assert all(put and insert for _, put, insert in coverage(more))
    assert more.tags[-2:] == labels.tags[-2:]
    assert more.tags[: len(labels) - 2] == labels.tags[:-2]


FAULTS = [
    ("$DELETE\n", "begins with", "KEEP is row 0"),
    ("$KEEP\n$REPLACE_a\n$REPLACE_a\n", "is in the tag vocabulary twice", "a tag has one number"),
    ("$KEEP\nREPLACE_a\n", "line 2: 'REPLACE_a' is not a tag", "a lost dollar"),
    ("$KEEP\n$APPEND_\n", "line 2", "a tag without its word"),
    ("", "begins with", "an empty file"),
]


@pytest.mark.parametrize(("text", "message", "why"), FAULTS, ids=[row[2] for row in FAULTS])
def test_a_wrong_vocabulary_is_refused_with_its_line(tmp_path, text, message, why):
    path = tmp_path / "labels.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_labels(path)


def test_labels_are_a_value():
    assert Labels(("$KEEP",)) == Labels(("$KEEP",))


def test_the_command_builds_reports_and_adds(tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("he go home\the goes home\nthey sees it\tthey see it\n", encoding="utf-8")
    done = run("gector", "vocab", str(pairs), "--size", "40", "--json", "-o", str(tmp_path / "out"))
    message = json.loads(done.stdout)
    assert message["covered"] == 1.0
    assert message["pronouns"]["themself"] == {"replace": False, "append": False}
    assert message["tags"] == len(read_labels(tmp_path / "out"))
    done = run("gector", "vocab", "--from", str(tmp_path / "out"), "--add-pronouns", "-o", str(tmp_path / "more"))
    assert "added for pronouns, seen in the pairs or not: $REPLACE_he" in done.stdout
    assert "$REPLACE_themself" in read_labels(tmp_path / "more").number


def test_malformed_lines_are_noted_and_a_file_without_a_pair_is_refused(tmp_path):
    (tmp_path / "pairs.tsv").write_text("he go home\the goes home\nno tab\nthey see\tthey see\ttwice\n")
    (tmp_path / "text.txt").write_text("he go home\nno tab\n")
    (tmp_path / "empty.tsv").write_text("")
    done = run("gector", "vocab", tmp_path / "pairs.tsv", "--json")
    assert done.code == 0
    assert "note: 2 malformed lines are left out, the first is " in done.stderr
    assert "pairs.tsv:2: expected 2 columns, found 1" in done.stderr
    for name, message in (("text.txt", "text.txt:1: expected 2 columns, found 1"), ("empty.tsv", "empty.tsv: ")):
        done = run("gector", "vocab", tmp_path / "pairs.tsv", tmp_path / name, "-o", tmp_path / "out")
        assert (done.code, (tmp_path / "out").exists()) == (2, False)
        assert message in done.stderr


def test_the_report_names_what_can_never_be_written(tmp_path):
    build(COUNTS, 40).write(tmp_path)
    done = run("gector", "vocab", "--from", str(tmp_path))
    assert "can never write he, him, his" in done.stdout
    assert "themself" in done.stdout
