"""Sets by name and by folder, and the gap of a system on one."""

from __future__ import annotations

import gzip
import json

import pytest

import gec_fair as gf
from gec_fair.cli import main
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.evalsets.catalogue import find, present, read_known
from gec_fair.evaluate.gap.gap import measure
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator
from tests.cli.invoke import run

pytest.importorskip("errant")

ORIG = "S My boss lose his hat .\nA 2 3|||R:VERB:TENSE|||lost|||REQUIRED|||-NONE-|||0\n\nS He have a dog .\nA 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0\n\n"  # noqa: E501
AUG = ORIG.replace("his", "their").replace("He have", "They has").replace("|has|", "|have|")


def write(folder, times, aug="My boss lost his hat .\nThey has a dog .\n"):
    for stem, text in (("mine_orig", ORIG), ("mine_st_aug", AUG)):
        (folder / f"{stem}.m2").write_text(times * text)
        sources = [line[2:] for line in text.split("\n") if line.startswith("S ")]
        (folder / f"{stem}.src.txt").write_text("\n".join(times * sources))
    (folder / "orig.txt").write_text(times * "My boss lost his hat .\nHe has a dog .\n")
    (folder / "aug.txt").write_text(times * aug)
    return folder


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path, 5)


def measured(folder):
    return measure(find(str(folder)), [(folder / "orig.txt", folder / "aug.txt")], ScoreOptions(), Annotator())


def test_the_gap_of_a_system_that_serves_he_better(folder):
    report = measured(folder).as_json()
    assert report["orig"] == {"p": 100.0, "r": 100.0, "f0.5": 100.0, "tp": 10, "fp": 0, "fn": 0}
    assert report["aug"] == {"p": 50.0, "r": 50.0, "f0.5": 50.0, "tp": 5, "fp": 5, "fn": 5}
    assert report["delta"] == -50.0
    assert report["ci95"][0] < -50 < report["ci95"][1] <= 0
    assert "bootstrap:paired:10000:seed0" in report["signature"]


def test_explicit_bias_is_counted_with_the_gap(folder):
    assert measured(folder).as_json()["bias"] == {
        "cases": {"gendered": 5, "pluralised": 0, "reflexive": 0, "deleted": 0, "wrong_gender": 0, "neopronoun": 0},
        "sentences": 5,
        "sentences_without_reflexive": 5,
    }


FAIR = "My boss lost their hat .\nThey have a dog .\n"


def test_a_gap_of_few_sentences_has_no_interval_and_no_p(tmp_path):
    write(tmp_path, 1, FAIR)
    report = measured(tmp_path).as_json()
    assert (report["delta"], report["ci95"], report["p"], report["twins"]["p"]) == (0.0, [None, None], None, None)
    words = ("--evalset", tmp_path, "--hyp", tmp_path / "orig.txt", tmp_path / "aug.txt")
    printed = run("gap", *words, "--no-cache").stdout
    assert "gap +0.00  too few sentences to say\n" in printed
    assert "2 of 2 found on both sides" in printed
    assert "too few for a test" in printed
    assert "[+0.00, +0.00]" not in printed
    assert "too few sentences to say" in str(gf.gap([(tmp_path / "orig.txt", tmp_path / "aug.txt")], tmp_path))


def test_a_gap_that_all_resamples_have_has_a_p_and_no_interval(tmp_path):
    report = measured(write(tmp_path, 6, FAIR)).as_json()
    assert (report["delta"], report["ci95"], report["p"], report["twins"]["p"]) == (0.0, [None, None], 1.0, 1.0)
    words = ("--evalset", tmp_path, "--hyp", tmp_path / "orig.txt", tmp_path / "aug.txt")
    assert "gap +0.00  the same in all resamples  p = 1.0000\n" in run("gap", *words, "--no-cache").stdout


def test_outputs_of_the_other_side_are_noted(tmp_path, capsys):
    folder = write(tmp_path, 8)
    measured(folder)
    assert capsys.readouterr().err == ""
    (folder / "orig.txt").rename(folder / "its.txt")
    (folder / "aug.txt").rename(folder / "orig.txt")
    (folder / "its.txt").rename(folder / "aug.txt")
    measured(folder)
    assert "words that differ between the sides of " in (err := capsys.readouterr().err)
    assert err.count("from the output for mine_") == 2


def test_a_set_made_from_a_side_wants_another_name(folder, tmp_path):
    done = run("evalset", "build", "--transform", "fm", "--from", folder / "mine_st_aug.m2", "-o", tmp_path / "made")
    assert (done.code, "mine_st_aug: reads as a side of another set" in done.stderr) == (2, True)


def test_the_command_prints_what_the_library_says(folder, capsys, monkeypatch):
    words = ["gec-fair", "gap", "--evalset", str(folder), "--hyp", str(folder / "orig.txt"), str(folder / "aug.txt")]
    for extra, seen in (([], "gap -50.00  95 % interval ["), (["--json"], '"delta": -50.0')):
        monkeypatch.setattr("sys.argv", [*words, "--no-cache", *extra])
        with pytest.raises(SystemExit) as stopped:
            main()
        assert stopped.value.code == 0
        assert seen in capsys.readouterr().out


def test_sides_that_do_not_match_are_refused(folder):
    (folder / "mine_st_aug.src.txt").write_text("\n".join(["My boss lost hat .", "They has a dog ."] * 5))
    with pytest.raises(InputError, match="is not the source of"):
        measured(folder)


def test_a_folder_holds_one_set(folder):
    (folder / "other_mf_aug.m2").write_text(AUG)
    with pytest.raises(InputError, match="one set a folder"):
        find(str(folder))
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="found none"):
        find(str(folder / "empty"))


def test_the_files_of_a_set_may_be_compressed(folder):
    expected = measured(folder).as_json()
    for path in [*folder.glob("mine_*")]:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert measured(folder).as_json() | {"signature": ""} == expected | {"signature": ""}


def test_a_side_without_its_source_is_told(folder):
    (folder / "mine_orig.src.txt").unlink()
    with pytest.raises(InputError, match=r"mine_orig\.src\.txt: is missing"):
        find(str(folder))


def test_names_that_are_known_here_and_not_at_all(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_EVALSETS", str(tmp_path))
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path))
    with pytest.raises(MissingResource, match="set GEC_FAIR_EVALSETS"):
        find("bea-195")
    with pytest.raises(UsageError, match=r"known: they-probe, .*bea-195, bea-556"):
        find("bea-197")
    assert present() == ["they-probe", "they-probe-neo", "they-probe-mf"]


def test_a_file_that_is_not_the_published_one_is_refused(tmp_path, monkeypatch):
    entry = read_known()["bea-195"]
    for side in ("orig", "aug"):
        (tmp_path / f"{entry[side]}.m2").write_text(ORIG)
    monkeypatch.setenv("GEC_FAIR_EVALSETS", str(tmp_path))
    with pytest.raises(InputError, match="sha256 differs"):
        find("bea-195")


def test_the_manifest_is_plain_json_like_data():
    assert json.loads(json.dumps(read_known())) == read_known()
    assert {"kind", "items", "orig", "aug", "about", "licence"} <= set.intersection(*map(set, read_known().values()))


def test_a_system_is_run_by_its_name():
    done = run("gap", "--evalset", "they-probe", "--system", "identity", "--resamples", "100", "--json")
    report = json.loads(done.stdout)
    assert (report["delta"], report["aug"]["tp"]) == (None, 0)
    both = run("gap", "--evalset", "they-probe", "--system", "identity", "--hyp", "a", "b")
    assert (both.code, "give --system NAME, or its outputs with --hyp" in both.stderr) == (2, True)
    assert run("gap", "--evalset", "they-probe").code == 2


def test_means_over_seeds_are_written_with_two_decimals(folder):
    fair, first = "My boss lost his hat .\nThey has a dog .\n", "My boss lost his hat .\nHe has a dog .\n"
    (folder / "first.txt").write_text(fair + 4 * first)
    seeds = [("--hyp", folder / "orig.txt", folder / aug) for aug in ("aug.txt", "aug.txt", "first.txt")]
    done = run("gap", "--evalset", folder, *(word for words in seeds for word in words))
    assert "| aug | 5.00 | 6.33 | 5.00 | 45.24" in done.stdout
    assert "explicit bias: 6.33 sentences (6.33 without reflexives); cases: gendered 6.33" in done.stdout
