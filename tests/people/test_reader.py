"""The reader of people: its file, its windows, and how sure a rewriting is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gec_fair as gf
from gec_fair.english import pipeline
from gec_fair.errors import MissingResource
from gec_fair.people import around, reader, sure
from gec_fair.people.reader import KINDS, Kind

MISREAD = Path(__file__).with_name("misread.txt")


def test_cases_that_are_misread_are_tests():
    for line in MISREAD.read_text(encoding="utf-8").splitlines():
        file, _, name = line.partition("::")
        assert f"def {name.partition('[')[0]}(" in (MISREAD.parents[2] / file).read_text(encoding="utf-8"), line


def tagged(text):
    [doc] = pipeline.tag(pipeline.load_shared(), [text.split()])
    return doc


@pytest.mark.parametrize("content", [None, b"", b"no zip file", b"PK\x03\x04" + bytes(40)])
def test_a_missing_or_damaged_file_names_the_remedy(tmp_path, content):
    path = tmp_path / "reader.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(MissingResource, match="reinstall gec-fair") as error:
        reader.load(path)
    assert error.value.exit_code == 2


@pytest.mark.parametrize("room", [reader, around])
def test_a_manifest_names_the_remedy_for_a_missing_file(tmp_path, monkeypatch, room):
    monkeypatch.setattr(room, "WEIGHTS", tmp_path / "weights.npz")
    with pytest.raises(MissingResource, match=r"cannot be loaded .*weights.npz.*; reinstall gec-fair"):
        reader.version.__wrapped__()


@pytest.mark.parametrize("missing", [reader.VECTORS, "heads.weight", "words.weight"])
def test_a_file_without_some_of_its_arrays_is_damaged(tmp_path, missing):
    with np.load(reader.WEIGHTS) as arrays:
        np.savez(tmp_path / "reader.npz", **{name: arrays[name] for name in arrays if name != missing})
    with pytest.raises(MissingResource, match=f"{missing}.*reinstall gec-fair"):
        reader.load(tmp_path / "reader.npz")


def test_missing_weights_of_sure_name_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(sure, "WEIGHTS", tmp_path / "sure.tsv")
    with pytest.raises(MissingResource, match=r"sure.tsv cannot be loaded .*; reinstall gec-fair"):
        sure.weights.__wrapped__()


def test_a_weight_that_is_no_number_is_damage(tmp_path, monkeypatch):
    monkeypatch.setattr(sure, "WEIGHTS", tmp_path / "sure.tsv")
    sure.WEIGHTS.write_text("method\tinput\tweight\tmiddle\nfm\talways\tmuch\t0\n")
    with pytest.raises(MissingResource, match=r"sure.tsv cannot be loaded .*much.*; reinstall gec-fair"):
        sure.weights.__wrapped__()


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("Yesterday Maria called her brother .", "Maria", Kind.FIRST_NAME),
        ("Yesterday Maria Rossi called her brother .", "Rossi", Kind.SURNAME),
        ("They moved to Florence in May .", "Florence", Kind.PLACE),
        ("My sister is a nurse .", "nurse", Kind.PERSON),
    ],
)
def test_a_word_stands_for_what_its_text_says(text, word, kind):
    doc = tagged(text)
    at = [token.text for token in doc].index(word)
    assert KINDS[int(np.argmax(reader.read(doc).kinds[at]))] is kind


def test_a_long_text_is_read_in_overlapping_windows_of_whole_sentences():
    doc = tagged("Maria lost her keys and went home again . " * 60)
    reading = reader.read(doc)
    assert len(reading.kinds) == len(reading.links) == len(doc)
    starts = [start for start, _ in reading.links]
    assert len(set(starts)) > 1
    assert all(start == 0 or doc[start - 1].text == "." for start in starts)
    assert all(start <= at < start + len(row) - 1 for at, (start, row) in enumerate(reading.links))
    assert all(at - start >= reader.OVERLAP - 9 for at, start in enumerate(starts) if start)


def test_an_empty_text_has_no_words():
    assert len(reader.read(tagged("")).kinds) == 0


@pytest.mark.parametrize(
    ("sure", "unsure", "why"),
    [
        ("Maria lost her keys .", "MARIA IN 2005 - ABUNDANCE", "a title"),
        ("My sister lost her keys .", "My cat lost her keys .", "an animal"),
        ("Maria Rossi wrote to her brother .", "Rossi , Maria : Letters , 1998", "a reference"),
    ],
)
def test_a_plain_sentence_is_surer_than_a_doubtful_one(sure, unsure, why):
    pairs = gf.augment([(text, text + " !") for text in (sure, unsure)], "fm", animals=True)
    first, second = (pair.sure if pair.outcome == "augmented" else 0.0 for pair in pairs)
    assert first > second, why
    assert first > 0.9
