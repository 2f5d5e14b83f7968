"""Files in, score out: ERRANT around our pipeline, the store, and what bad input gets."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest
import spacy
import zstandard

from gec_fair import corpus
from gec_fair.cli import main
from gec_fair.edits import split_spaces
from gec_fair.errors import InputError
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.score import judge
from gec_fair.runs.cache import Store, key

pytest.importorskip("errant")

M2 = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S She like dogs and cat .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0
A 4 5|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
HYPOTHESIS = "He goes home .\nShe likes dog and cat .\nAll is well .\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ref.m2").write_text(M2)
    (tmp_path / "hyp.txt").write_text(HYPOTHESIS)
    return tmp_path


def judged(files, annotator=None, **options):
    return judge(files / "hyp.txt", files / "ref.m2", ScoreOptions(**options), annotator or Annotator())


def test_a_score_with_its_counts(files):
    report = judged(files).as_json(1)
    assert (report["tp"], report["fp"], report["fn"]) == (2, 1, 1)
    assert report["precision"] == pytest.approx(200 / 3)
    assert report["f0.5"] == pytest.approx(200 / 3)
    assert report["types"] == {"R": {k: report[k] for k in ("precision", "recall", "f0.5", "tp", "fp", "fn")}}


WITHOUT_BLANKS = M2.replace("\n\n", "\n")
SHAPES = {
    "no blank lines": ("ref.m2", WITHOUT_BLANKS.encode()),
    "CRLF, no final newline": ("ref.m2", M2.rstrip().replace("\n", "\r\n").encode()),
    "byte order mark": ("ref.m2", b"\xef\xbb\xbf" + M2.encode()),
    "gzip": ("ref.m2.gz", gzip.compress(M2.encode())),
    "xz, no blank lines": ("ref.m2.xz", lzma.compress(WITHOUT_BLANKS.encode())),
    "zstandard": ("ref.m2.zst", zstandard.compress(M2.encode())),
}


@pytest.mark.parametrize(("name", "content"), SHAPES.values(), ids=SHAPES)
def test_scoring_and_augmentation_read_an_m2_file_in_every_shape(files, name, content):
    expected = judged(files).as_json()
    path = files / "shaped" / name
    path.parent.mkdir()
    path.write_bytes(content)
    scores = judge(files / "hyp.txt", path, ScoreOptions(), Annotator()).as_json()
    assert {**scores, "signature": ""} == {**expected, "signature": ""}
    pairs = [record.value.target for record in corpus.read(path)]
    assert pairs == ["He goes home .", "She likes dogs and cats .", "All is well ."]


@pytest.mark.parametrize("name", ["hyp.txt.gz", "hyp.txt.xz", "hyp.txt.zst"])
def test_a_hypothesis_may_be_compressed(files, name):
    compress = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}[Path(name).suffix]
    (files / name).write_bytes(compress(HYPOTHESIS.encode()))
    assert judge(files / name, files / "ref.m2", ScoreOptions(), Annotator()) == judged(files)


@pytest.mark.parametrize("reference", ["human", "errant"])
def test_alternatives_count_whether_edits_are_the_annotators_or_extracted_anew(files, reference):
    (files / "ref.m2").write_text("S He go home .\nA 1 2|||R:VERB|||goes||went||is going|||REQUIRED|||-NONE-|||0\n")
    for text, expected in (("He went home .", 1), ("He is going home .", 1), ("He gone home .", 0)):
        (files / "hyp.txt").write_text(text + "\n")
        assert judged(files, reference=reference).counts.tp == expected


@pytest.mark.parametrize("reference", ["human", "errant"])
def test_alternatives_of_other_spans_count_beside_those_of_other_edits(files, reference):
    lines = [
        "A 1 2|||R:VERB|||goes||went|||REQUIRED|||-NONE-|||0",
        "A 3 5|||R|||on foot||walking|||REQUIRED|||-NONE-|||0",
    ]
    (files / "ref.m2").write_text("\n".join(["S He go home by foots .", *lines]) + "\n")
    (files / "hyp.txt").write_text("He went home walking .\n")
    counts = judged(files, reference=reference).counts
    assert (counts.fp, counts.fn) == (0, 0)


@pytest.mark.parametrize("workers", [1, 2])
def test_cached_and_parallel_scores_are_the_same(files, workers):
    cached = Annotator(cache=files / "cache.sqlite", workers=workers)
    plain = judged(files)
    assert judged(files, cached) == plain
    assert judged(files, Annotator(cache=files / "cache.sqlite")) == plain


def test_what_is_known_is_not_annotated_again(files, monkeypatch):
    judged(files, Annotator(cache=files / "cache.sqlite"))
    monkeypatch.setattr(Annotator, "_work", lambda self, tasks: (_ for _ in ()).throw(AssertionError) if tasks else ())
    judged(files, Annotator(cache=files / "cache.sqlite"))


@pytest.mark.slow(40)
def test_with_spacys_own_parser_a_published_output_scores_as_by_the_official_commands(
    data, weights, tmp_path, monkeypatch, capsys
):
    import errant
    from errant.commands import compare_m2, parallel_to_m2

    bea, parser = data / "bea", weights("spacy-sm")
    output, reference = bea / "system_outputs/GECToR-2024.first2192.txt", bea / "bea-dev.first2192.m2"
    counts = judge(output, reference, ScoreOptions(), Annotator(str(parser))).counts
    assert (counts.tp, counts.fp, counts.fn) == (2001, 1078, 3161)

    load, edits = errant.load, str(tmp_path / "output.m2")
    monkeypatch.setattr(errant, "load", lambda language: load(language, spacy.load(parser)))
    source = str(bea / "bea-dev.first2192.src.txt")
    monkeypatch.setattr("sys.argv", ["errant_parallel", "-orig", source, "-cor", str(output), "-out", edits])
    parallel_to_m2.main()
    monkeypatch.setattr("sys.argv", ["errant_compare", "-hyp", edits, "-ref", str(reference)])
    compare_m2.main()
    assert "2001\t1078\t3161\t0.6499\t0.3876\t0.5724" in capsys.readouterr().out


@pytest.mark.slow
def test_many_workers_give_the_same_edits():
    pairs = [
        (split_spaces(f"He go to shop {n} .").words, split_spaces(f"He goes to the shop {n} .").words)
        for n in range(120)
    ]
    assert Annotator(workers=2)(pairs) == Annotator()(pairs)
    assert [e.kind for e in Annotator()(pairs)[0]] == ["R:VERB:SVA", "M:DET"]


def test_the_signature_names_what_decides_the_score(files):
    signature_ = judged(files).signature
    assert all(
        part in signature_ for part in ("errant:", "measure:correction", "reference:human", "english:en_gec_fair")
    )
    assert judged(files, reference="errant").signature != signature_


def test_an_m2_hypothesis_is_scored_by_its_text(files):
    (files / "hyp.txt").rename(files / "kept.txt")
    (files / "hyp.m2").write_text(M2)
    assert judge(files / "hyp.m2", files / "ref.m2", ScoreOptions(), Annotator()).counts.fn == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("hyp.txt", "He goes home .\n", r"hyp\.txt: 1 lines, but .*ref\.m2 has 3 sentences"),
        ("hyp.txt", "", r"hyp\.txt: 0 lines"),
        ("ref.m2", "", "no sentence in it"),
        ("ref.m2", "S He go .\nA 1 9|||R|||goes|||REQUIRED|||-NONE-|||0\n", r"sentence 1: edit 1:9 lies outside"),
        ("ref.m2", "He go .\n", r"sentence 1: expected a line 'S token"),
        (
            "ref.m2",
            "S a b c\nA 0 2|||R|||x|||REQUIRED|||-NONE-|||0\nA 1 3|||R|||y|||REQUIRED|||-NONE-|||0\n",
            "sentence 1: edits 0:2 and 1:3 of annotator 0 overlap",
        ),
    ],
    ids=["too few lines", "an empty hypothesis", "an empty reference", "a span out of range", "no M2", "overlapping"],
)
def test_what_cannot_be_scored(files, name, content, message):
    (files / name).write_text(content)
    with pytest.raises(InputError, match=message):
        judged(files)


def test_the_command_checks_the_source(files, capsys, monkeypatch):
    (files / "src.txt").write_text("He go home .\nShe likes dogs and cat .\nAll is well .\n")
    command = ["gec-fair", "score", "--hyp", str(files / "hyp.txt"), "--ref", str(files / "ref.m2"), "--no-cache"]
    monkeypatch.setattr("sys.argv", [*command, "--src", str(files / "src.txt")])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "src.txt:2: is not the source of" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", [*command, "--json"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 0
    assert json.loads(capsys.readouterr().out)[0]["tp"] == 2


def test_keys_tell_parts_apart():
    assert key("a", "bc") != key("ab", "c")
    assert key("a\0" + "1\0") != key("a", "")


def test_a_store_without_a_file_keeps_nothing():
    store = Store(None, "edits")
    store.put({b"1": "x"})
    assert store.get([b"1"]) == {}


ONE = "S He go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n"
TWO = ONE.removesuffix("\n") + "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"


def test_a_sentence_that_lacks_an_annotator_is_refused_or_scored_as_errant_does(tmp_path):
    (tmp_path / "hyp.txt").write_text("He goes home .\n" * 2)
    (tmp_path / "ref.m2").write_text(TWO + ONE)
    with pytest.raises(InputError, match=r"ref.m2: sentence 2: annotator 1 is missing.*--annotators any"):
        judged(tmp_path)
    result = judged(tmp_path, annotators="any")
    assert (result.counts.tp, result.counts.fp, result.counts.fn) == (2, 0, 0)
    assert "|annotators:any|" in result.signature
    (tmp_path / "ref.m2").write_text(TWO * 2)
    assert "annotators" not in judged(tmp_path).signature
    (tmp_path / "ref.m2").write_text(ONE + "S It rains .\n\n")  # one annotator, and a sentence with nothing to correct
    (tmp_path / "hyp.txt").write_text("He goes home .\nIt rains .\n")
    assert judged(tmp_path).counts.tp == 1


def test_a_hypothesis_in_m2_is_scored_by_its_own_edits_and_must_be_about_the_same_sentences(tmp_path):
    (tmp_path / "ref.m2").write_text(ONE)
    judged = judge(tmp_path / "ref.m2", tmp_path / "ref.m2", ScoreOptions(measure="typed"), Annotator())
    assert (judged.counts.tp, judged.counts.fp, judged.counts.fn) == (1, 0, 0)
    (tmp_path / "other.m2").write_text(ONE.replace("home", "away"))
    with pytest.raises(InputError, match=r"other.m2:1: is not the source of"):
        judge(tmp_path / "other.m2", tmp_path / "ref.m2", ScoreOptions(), Annotator())


def test_a_no_break_space_is_part_of_its_word(tmp_path):
    (tmp_path / "ref.m2").write_text("S It is 10000 .\nA 2 3|||R:OTHER|||10\u00a0000|||REQUIRED|||-NONE-|||0\n")
    (tmp_path / "hyp.txt").write_text("It is 10\u00a0000 .\n")
    assert judged(tmp_path).counts.tp == 1
