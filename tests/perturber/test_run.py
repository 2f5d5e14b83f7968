"""A corpus is perturbed whole: as many texts as before, every byte accounted for, the same however it is run."""

from __future__ import annotations

import importlib.util
import json
import os
import signal

import pytest

from gec_fair.corpus import read_ledger
from gec_fair.corpus.formats.inputs import resolve
from gec_fair.corpus.formats.readers import Reading, blocks
from gec_fair.perturber.rewriting.options import PerturbCorpusOptions
from gec_fair.perturber.run import ALL, perturb_corpus, statistics
from tests.cli.invoke import run

TEXT = (
    "My sister Emma lost her keys .\n\nIt rained all day .\nThe black man is seventy years old .\r\n"
    "He saw an Asian girl .  She waved .\nNo end of line for the waitress"
)


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_bytes(TEXT.encode() * 8)
    return path


def test_as_many_lines_come_out_and_only_words_change(corpus, tmp_path):
    manifest = perturb_corpus([corpus], tmp_path / "out", PerturbCorpusOptions(min_sure=0))
    before, after = corpus.read_bytes(), (tmp_path / "out/rewritten.txt").read_bytes()
    assert after.count(b"\n") == before.count(b"\n")
    assert after.count(b"\r\n") == before.count(b"\r\n")
    assert after.endswith((b"No end of line for the waiter", b"No end of line for the server"))
    counts = manifest.manifest.counts
    assert counts["lines"] == counts["augmented"] + counts["unchanged"] == before.count(b"\n") + 1
    (_, any_change), *rows = [
        ((axis, target), number) for axis, target, number in statistics(manifest.manifest.reasons["augmented"])
    ]
    totals = {axis: number for (axis, target), number in rows if target == ALL}
    assert any_change == counts["augmented"] == sum(totals.values())
    for axis, number in totals.items():
        assert number == sum(number_ for (axis_, target), number_ in rows if axis_ == axis and target != ALL)


def test_the_ledger_says_what_was_changed_word_by_word(corpus, tmp_path):
    perturb_corpus([corpus], tmp_path / "out", PerturbCorpusOptions(axes=("race",)))
    entries = list(read_ledger(tmp_path / "out"))
    lines = (tmp_path / "out/rewritten.txt").read_text().split("\n")
    assert {entry["reason"].split(" → ")[0] for entry in entries} == {"black", "asian"}
    for entry in entries:
        assert all(edit["new"] in lines[entry["line"] - 1] for edit in entry["edits"])


def test_what_is_less_sure_than_min_sure_is_drawn_anew_or_stays(corpus, tmp_path):
    done = perturb_corpus([corpus], tmp_path / "all", PerturbCorpusOptions(axes=("gender",), min_sure=0))
    sure = sorted({entry["sure"] for entry in read_ledger(done.directory)})
    for number, least in enumerate((sure[1], 1.0)):
        done = perturb_corpus([corpus], tmp_path / f"{number}", PerturbCorpusOptions(axes=("gender",), min_sure=least))
        entries = list(read_ledger(done.directory))
        assert all(entry["sure"] >= least for entry in entries if entry["outcome"] == "augmented")
        assert done.manifest.reasons["discarded"]["unsure_who"] == sum(e["outcome"] == "discarded" for e in entries)
    assert (tmp_path / "1/rewritten.txt").read_bytes() == corpus.read_bytes()
    done = run("perturb", corpus, "-o", tmp_path / "2", "--min-sure", "1.5")
    assert (done.code, done.stderr.strip()) == (
        2,
        "gec-fair: min_sure is 1.5; it must be at least 0 and at most 1",
    )


@pytest.mark.parametrize(("workers", "chunk", "tokens"), [(2, 3, 0), (1, 1, 0), (2, 2, 16)])
@pytest.mark.slow
def test_the_same_bytes_however_it_is_run(corpus, tmp_path, workers, chunk, tokens):
    one = perturb_corpus([corpus], tmp_path / "one", PerturbCorpusOptions(tokens=tokens))
    second = perturb_corpus(
        [corpus], tmp_path / "other", PerturbCorpusOptions(tokens=tokens, workers=workers, chunk=chunk)
    )
    for name in ("rewritten.txt", "ledger.jsonl", "manifest.json"):
        assert (one.directory / name).read_bytes() == (second.directory / name).read_bytes(), name


@pytest.mark.parametrize("tokens", [1, 7, 256])
def test_chunks_are_contiguous_and_joined_are_the_text(corpus, tokens):
    rows = [
        row for block in blocks(resolve([corpus], "text"), Reading(format="text", tokens=tokens)) for row in block.rows
    ]
    assert b"".join(rows) == corpus.read_bytes()
    assert {len(row.split()) for row in rows[:-1]} == ({tokens} if len(rows) > 1 else set())


@pytest.mark.parametrize("bad", [b"\xff\xfe broken", b"He is\0 broken"], ids=["UTF-8", "NUL"])
def test_what_is_no_text_is_told_kept_and_counted(tmp_path, bad):
    path = tmp_path / "a.txt"
    path.write_bytes(b"He sang .\n" + bad + b"\nShe sang .\n")
    manifest = perturb_corpus([path], tmp_path / "out", PerturbCorpusOptions())
    assert b"\n" + bad + b"\n" in (tmp_path / "out/rewritten.txt").read_bytes()
    assert manifest.manifest.counts["malformed"] == 1
    assert "1 of 3 lines are malformed and were left as they are; see ledger.jsonl" in manifest.manifest.warnings
    assert run("perturb", path, "-o", tmp_path / "strict", "--strict").code == 2


def test_a_line_without_an_end_is_kept_and_told(tmp_path):
    path = tmp_path / "a.txt"
    text = "He sang .\n" + "word " * 200_001 + "\nShe sang .\n"
    path.write_text(text)
    done = run("perturb", path, "-o", tmp_path / "out", "--axes", "gender")
    assert done.code == 0, done.stderr
    assert (
        "a.txt:2: a line of 1,000,006 characters, more than 1,000,000; cut the text into chunks with --tokens 256"
        in (done.stderr)
    )
    first, second, third, _ = (tmp_path / "out/rewritten.txt").read_text().split("\n")
    assert second == text.split("\n")[1]
    assert (first, third) != ("He sang .", "She sang .")


def test_the_command_tells_what_was_changed(corpus, tmp_path):
    done = run("perturb", corpus, "-o", tmp_path / "out", "--axes", "gender", "--targets", "non-binary")
    assert done.code == 0, done.stderr
    assert "| gender | non-binary |" in done.stdout
    assert "texts perturbed" in done.stdout
    again = run("perturb", corpus, "-o", tmp_path / "out", "--axes", "gender", "--targets", "non-binary", "--json")
    assert json.loads(again.stdout)["job"] == "perturb"
    refused = run("perturb", corpus, "-o", tmp_path / "out", "--axes", "race")
    assert (refused.code, "another --output" in refused.stderr or "--overwrite" in refused.stderr) == (2, True)
    assert run("perturb", corpus, "-o", tmp_path / "x", "--axes", "sex").code == 2


NAMES = ("rewritten.txt", "ledger.jsonl", "manifest.json")


@pytest.mark.slow
@pytest.mark.parametrize("at", [2, 20, 40])
def test_a_run_that_was_killed_ends_with_the_same_bytes(corpus, tmp_path, at):
    def die(done, total):
        if done >= at:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        perturb_corpus([corpus], tmp_path / "cut", PerturbCorpusOptions(chunk=2, progress=die))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    again = perturb_corpus([corpus], tmp_path / "cut", PerturbCorpusOptions())
    manifest = perturb_corpus([corpus], tmp_path / "whole", PerturbCorpusOptions())
    assert [(again.directory / n).read_bytes() for n in NAMES] == [(manifest.directory / n).read_bytes() for n in NAMES]


@pytest.mark.slow(15)
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'gec-fair[ray]'")
def test_ray_decides_no_byte(corpus, tmp_path):
    import ray

    try:
        result = run("perturb", corpus, "-o", tmp_path / "ray", "--engine", "ray", "--workers", "2")
    finally:
        ray.shutdown()
    assert result.code == 0, result.stderr
    local = run("perturb", corpus, "-o", tmp_path / "here")
    assert local.stdout.partition(":")[2] == result.stdout.partition(":")[2]
    for name in NAMES:
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.parametrize("name", ["a.csv", "b.jsonl", "c.parquet", "d.tsv.gz"])
def test_tables_are_no_text(tmp_path, name):
    (tmp_path / name).write_text("he,1\n")
    done = run("perturb", tmp_path / name, "-o", tmp_path / "out")
    assert (done.code, f"{name}: is a table" in done.stderr) == (2, True)


def test_of_chunks_as_long_as_the_papers_its_shares_stand_beside(corpus, tmp_path):
    done = run("perturb", corpus, "-o", tmp_path / "out", "--tokens", "128")
    assert "| BabyLM, Table 14 |" in done.stdout
    assert " 84.9 |" in next(line for line in done.stdout.splitlines() if line.startswith("| any | all |"))
    assert "BabyLM" not in run("perturb", corpus, "-o", tmp_path / "lines").stdout


def test_words_are_counted_all_over_a_corpus(tmp_path, monkeypatch):
    """One that begins with people and continues with ages: forty of its texts stand for it."""
    path = tmp_path / "corpus.txt"
    path.write_text("He saw an Asian student .\n" * 100 + "She is 25 years old .\n" * 300)
    monkeypatch.setattr("gec_fair.perturber.run.COUNTED", 40)
    manifest = perturb_corpus([path], tmp_path / "out", PerturbCorpusOptions(sampling="axes", axes=("race", "age")))
    weights = manifest.manifest.identity.options["weights"]
    assert 1 / weights["race"] + 1 / weights["age"] == 40
    assert 3 <= 1 / weights["race"] <= 17


@pytest.mark.slow
def test_an_axis_that_is_rare_is_drawn_where_it_is(tmp_path):
    """Footnote 2: its weight is inverse to its share of the corpus's words, one race's among six of gender."""
    path = tmp_path / "corpus.txt"
    path.write_text("He told his wife that he saw her and his son and the Asian student .\n" * 60)
    uniform, axes = (
        perturb_corpus([path], tmp_path / sampling, PerturbCorpusOptions(sampling=sampling))
        for sampling in ("uniform", "axes")
    )
    shares_ = [statistics(manifest.manifest.reasons["augmented"]) for manifest in (uniform, axes)]
    race = [sum(number for axis, target, number in shares if (axis, target) == ("race", ALL)) for shares in shares_]
    assert race[0] < 30 < 40 < race[1] < 60
    # of *her and his* neither is one
    assert axes.manifest.identity.options["weights"] == {"gender": 1 / 240, "race": 1 / 60}
    again = perturb_corpus([path], tmp_path / "again", PerturbCorpusOptions(sampling="axes", workers=2, chunk=7))
    assert (again.directory / "rewritten.txt").read_bytes() == (axes.directory / "rewritten.txt").read_bytes()
