"""Corpora and what interventions make of them: nothing lost, nothing done twice, every text accounted for."""

from __future__ import annotations

import lzma
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_fair.babylm.corpora import build
from gec_fair.babylm.corpora import cda as cdas
from gec_fair.babylm.corpora.build import Original
from gec_fair.babylm.corpora.cda import Cda, CdaAblation
from gec_fair.babylm.corpora.perturbation import Perturbation
from gec_fair.corpus_report.chunks import chunks
from gec_fair.english.running_text.sentence_pieces import pieces
from gec_fair.errors import InputError, ResumeError, UsageError

TEXT = """\
Anna lost her keys. She looked for them in the garden, and her brother helped. It was raining.

The actor waved. Nobody saw it! "Where is he?" asked the queen. Mr. Brown said nothing.
A: Did you see my mother? B: No, I saw your uncle.

The sun is a star. Water is wet. Two and two are four.
"""

SENTENCES = [
    ('He said so. "Why?" she asked.', ["He said so. ", '"Why?" she asked.'], "a question inside a sentence ends none"),
    ('"Come in." He came.', ['"Come in." ', "He came."], "closing quotation marks go with what they close"),
    ("Mr. Brown met J. R. Smith. Good.", ["Mr. Brown met J. R. Smith. ", "Good."], "titles and initials"),
    ("Wait... and see. Now!", ["Wait... and see. ", "Now!"], "dots within a sentence"),
    ("One.\n", ["One.\n"], "white space at the end is the last one's"),
    ("", [], "nothing"),
]


@pytest.mark.parametrize(("text", "wanted", "why"), SENTENCES, ids=[row[2] for row in SENTENCES])
def test_sentences(text, wanted, why):
    assert pieces(text) == wanted


@given(st.text(alphabet="Aab .!?\"'’)(\n…M", max_size=60))
def test_sentences_are_the_text(text):
    assert "".join(pieces(text)) == (text if text.strip() else "")


@pytest.fixture
def original(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return build.original(Original((str(path),)), tmp_path / "corpora")


def read(corpus):
    return corpus.corpus.read_text().splitlines()


def test_the_original_is_the_texts_one_after_the_other_whatever_they_are_packed_in(tmp_path):
    (tmp_path / "a.txt").write_text("one\n\ntwo")
    (tmp_path / "b.txt.xz").write_bytes(lzma.compress(b"three\n"))
    corpus = build.original(Original((str(tmp_path / "a.txt"), str(tmp_path / "b.txt.xz"))), tmp_path / "corpora")
    assert corpus.corpus.read_text() == "one\n\ntwo\n\nthree\n\n"
    assert corpus.counts == {"words": 3}


def test_lines_that_are_wrapped_become_paragraphs(tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("She looked\n  for him.\n\nHe came\nback.")
    corpus = build.original(Original((str(path),), wrapped=True), tmp_path / "corpora")
    assert corpus.corpus.read_text() == "She looked for him.\n\nHe came back.\n\n"
    assert [chunk.sentences for chunk in chunks([path], wrapped=True)] == [("She looked for him.", "He came back.")]


def test_texts_may_be_a_pattern(tmp_path):
    for name in "ba":
        (tmp_path / f"{name}.train").write_text(f"{name}\n")
    corpus = build.original(Original((str(tmp_path / "*.train"),)), tmp_path / "corpora")
    assert corpus.corpus.read_text().split() == ["a", "b"]
    with pytest.raises(InputError, match="no file is called so"):
        build.original(Original((str(tmp_path / "*.test"),)), tmp_path / "other")


def test_a_share_takes_whole_documents_and_the_same_ones_again(tmp_path):
    (tmp_path / "a.txt").write_text("".join(f"d{n} one\nd{n} two\n\n" for n in range(400)))
    half = Original((str(tmp_path / "a.txt"),), share=0.5)
    texts = [build.original(half, tmp_path / name).corpus.read_text() for name in "xy"]
    assert texts[0] == texts[1]
    documents = Counter(line.split()[0] for line in texts[0].splitlines() if line)
    assert set(documents.values()) == {2}
    assert 160 < len(documents) < 240
    assert build.original(replace(half, seed=1), tmp_path / "z").corpus.read_text() != texts[0]


def test_cda_adds_a_swapped_copy_of_every_gendered_sentence_behind_the_corpus(original, tmp_path):
    corpus = build.make(Cda(), tmp_path / "corpora", {"original": original})
    text = original.corpus.read_text()
    assert corpus.corpus.read_text().startswith(text)
    copies = [line for line in corpus.corpus.read_text()[len(text) :].splitlines() if line]
    assert copies[1:] == [
        "He looked for them in the garden, and his sister helped.",
        "The actress waved.",
        '"Where is she?" asked the king.',
        "Mrs. Brown said nothing." if "Mrs." in copies[4] else "Ms. Brown said nothing.",
        "A: Did you see my father?",
        "B: No, I saw your aunt.",
    ]
    assert copies[0].endswith("lost his keys.")  # by whatever name
    assert not copies[0].startswith("Anna")
    sentences = [piece for line in text.splitlines() for piece in pieces(line)]
    assert (corpus.counts["sentences"], corpus.counts["copies"]) == (len(sentences), len(copies))
    words = sum(len(copy.split()) for copy in copies)
    assert corpus.counts["growth"] == pytest.approx(100 * words / len(text.split()), abs=0.01)


def test_the_ablation_doubles_as_many_sentences_and_leaves_them_as_they_are(original, tmp_path):
    needed = {"original": original, "cda": build.make(Cda(), tmp_path / "corpora", {"original": original})}
    text = original.corpus.read_text()
    drawn = {}
    for seed in (0, 1):
        corpus = build.make(CdaAblation(seed), tmp_path / f"corpora{seed}", needed)
        copies = [line for line in corpus.corpus.read_text()[len(text) :].splitlines() if line]
        assert len(copies) == needed["cda"].counts["copies"] == corpus.counts["copies"]
        assert not Counter(copies) - Counter(piece.strip() for line in text.splitlines() for piece in pieces(line))
        drawn[seed] = copies
    assert drawn[0] != drawn[1]


def test_names_may_stay(original, tmp_path):
    corpus = build.make(Cda(names="keep"), tmp_path / "corpora", {"original": original})
    assert "Anna lost his keys." in read(corpus)


def test_perturbed_chunks_are_counted_by_what_they_became(original, tmp_path):
    corpus = build.make(Perturbation(tokens=16), tmp_path / "corpora", {"original": original})
    assert corpus.counts["chunks"] == 4
    assert corpus.counts["changed"] == corpus.counts["to"]["any all"] > 0
    assert not [to for to in corpus.counts["to"] if to.split()[0] not in ("any", "gender", "race")]
    assert corpus.corpus.read_text() != original.corpus.read_text()


def test_a_corpus_that_is_there_is_not_made_again_and_another_one_is_refused(original, tmp_path, monkeypatch):
    corpus = build.make(Cda(), tmp_path / "corpora", {"original": original})
    monkeypatch.setattr(cdas, "rewrite_corpus", None)  # would be called
    assert build.make(Cda(), tmp_path / "corpora", {"original": original}) == corpus
    with pytest.raises(ResumeError, match=r"names \(fixed → keep\)"):
        build.make(Cda(names="keep"), tmp_path / "corpora", {"original": original})


def test_a_record_that_is_damaged_is_told(original, tmp_path):
    (original.folder / "manifest.json").write_text("{")
    with pytest.raises(ResumeError, match="not a record written by gec-fair"):
        build.original(Original((str(tmp_path / "text.txt"),)), tmp_path / "corpora")
    with pytest.raises(UsageError, match="texts names no file"):
        build.original(Original(()), tmp_path / "none")


def test_a_share_of_few_documents_is_told(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("one line\nanother\n" * 50)
    with pytest.raises(InputError):
        build.original(Original((str(tmp_path / "a.txt"),), share=0.01), tmp_path / "corpora")
    assert "an empty line ends a document" in capsys.readouterr().err


def test_a_corpus_whose_making_was_killed_is_made_to_the_same_bytes(original, tmp_path, monkeypatch):
    corpus = build.make(Cda(), tmp_path / "whole", {"original": original})
    for last in ("rewrite_corpus", "_with_copies"):

        def killed(*options, **named):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(cdas, last, killed)
            with pytest.raises(KeyboardInterrupt):
                build.make(Cda(), tmp_path / "killed", {"original": original})
    again = build.make(Cda(), tmp_path / "killed", {"original": original})
    assert again.corpus.read_bytes() == corpus.corpus.read_bytes()
    assert (again.folder / "manifest.json").read_text() == (corpus.folder / "manifest.json").read_text()


FAULTS = [
    (b"fine\nnot \xff UTF-8\n", r"text\.txt:2: not UTF-8", "another encoding"),
    (b"fine\nfine\nELF\0\0\n", r"text\.txt:3: holds a NUL byte", "a program"),
    (b"", "no word is in the texts", "nothing"),
    (b"\n \n\n", "no word is in the texts", "white space alone"),
]


@pytest.mark.parametrize(("content", "message", "why"), FAULTS, ids=[row[2] for row in FAULTS])
def test_what_is_no_text_is_refused_with_its_place(content, message, why, tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        build.original(Original((str(path),)), tmp_path / "corpora")
    assert not (tmp_path / "corpora/original/manifest.json").exists()
    path.write_text(TEXT)
    assert build.original(Original((str(path),)), tmp_path / "corpora").counts["words"] == len(TEXT.split())
