"""Several outputs at once: systems are compared, seeds are averaged."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import UsageError
from gec_fair.evaluate.scoring.systems import parse_output
from tests.cli.test_cli import gec_fair

_EDIT = "A 1 2|||{}|||{}|||REQUIRED|||-NONE-|||{}\n"
M2 = "S He go home .\n" + _EDIT.format("R:VERB:SVA", "goes", 0) + _EDIT.format("R:VERB", "went", 1) + "\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "r.m2").write_text(M2)
    for name, text in (("a", "He goes home .\n"), ("b", "He go home .\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def score(files, *words):
    return gec_fair("score", *words, "--ref", files / "r.m2", "--no-cache")


def hypotheses(*texts):
    return [part for text in texts for part in ("--hyp", text)]


def test_several_outputs_of_different_systems_make_a_table_without_a_mean(files):
    hyps = hypotheses(files / "a.txt", files / "b.txt")
    code, out, err = score(files, *hyps)
    assert code == 0
    assert "| a.txt | 1 | 0 | 0 | 100.00 | 100.00 | 100.00 |" in out
    assert "±" not in out
    assert "give the seeds of one system one name: --hyp NAME=FILE --hyp NAME=FILE" in err
    report = json.loads(score(files, *hyps, "--json")[1])
    assert [row["f0.5"] for row in report] == [100.0, 0.0]
    assert json.loads(score(files, *hyps[:2], "--json")[1]) == report[:1]


def test_the_seeds_of_one_system_are_averaged_and_others_are_not(files):
    hyps = hypotheses(f"gector={files / 'a.txt'}", f"gector={files / 'b.txt'}", f"bart={files / 'a.txt'}")
    code, out, err = score(files, *hyps)
    assert (code, "note" in err) == (0, False)
    lines = out.splitlines()
    assert f"| gector: {files / 'a.txt'} | 1 | 0 | 0 | 100.00 | 100.00 | 100.00 |" in lines
    mean = "| gector: mean ± 2 s.d. over 2 seeds | | | | 100.00 ± 0.00 | 50.00 ± 141.42 | 50.00 ± 141.42 |"
    assert [line for line in lines if "±" in line] == [mean]
    assert f"seeds of gector: {files / 'a.txt'}, {files / 'b.txt'}" in lines
    *rows, mean = json.loads(score(files, *hyps, "--json")[1])
    assert [(row["hyp"], row["system"]) for row in rows] == [
        ("a.txt", "gector"),
        ("b.txt", "gector"),
        ("a.txt", "bart"),
    ]
    assert (mean["system"], mean["averaged"]) == ("gector", [str(files / "a.txt"), str(files / "b.txt")])
    half = pytest.approx(141.4214, abs=1e-4)
    assert (50 - mean["f0.5"].pop("low"), mean["f0.5"].pop("high") - 50) == (half, half)
    two_sd = {"n": 2, "kind": "± 2 standard deviations over seeds"}
    assert mean["f0.5"] == {"value": 50.0, **two_sd}


def test_seeds_are_known_by_the_numbers_of_their_folders(files):
    for system, seed, text in (("gector", 0, "a"), ("gector", 1, "b"), ("bart", 0, "a")):
        folder = files / "runs" / system / str(seed)
        folder.mkdir(parents=True)
        (folder / "out.txt").write_text((files / f"{text}.txt").read_text())
    hyps = hypotheses(*sorted((files / "runs").glob("*/*/out.txt")))
    _, out, _ = score(files, *hyps)
    system = files / "runs" / "gector" / "*" / "out.txt"
    means = [line for line in out.splitlines() if "±" in line]
    assert [line.split(":")[0] for line in means] == [f"| {system}"]


OUTPUTS = [
    ("out.txt", "out.txt", False, "a plain file"),
    ("gector=out.txt", "gector", True, "a name"),
    ("runs/gector/12/out.txt", "runs/gector/*/out.txt", False, "a seed's folder"),
    ("2023/gector/12/out.txt", "2023/gector/*/out.txt", False, "the last folder with a number"),
    ("runs/beta=1/out.txt", "runs/beta=1/out.txt", False, "the sign in a folder's name"),
    ("gector=runs/1/out.txt", "gector", True, "a name goes before a folder"),
]


@pytest.mark.parametrize(("text", "system", "is_named", "why"), OUTPUTS, ids=[why for *_, why in OUTPUTS])
def test_the_system_of_an_output(text, system, is_named, why):
    output = parse_output(text)
    assert (output.system, output.is_named) == (system, is_named)


def test_a_file_that_has_the_sign_in_its_name_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beta=1.txt").write_text("")
    assert not parse_output("beta=1.txt").is_named


@pytest.mark.parametrize("text", ["=out.txt", "gector="])
def test_half_of_a_name_and_a_file_is_refused(text):
    with pytest.raises(UsageError, match="--hyp wants FILE or NAME=FILE"):
        parse_output(text)


def test_a_seed_is_not_averaged_with_itself(files):
    code, _, err = score(files, *hypotheses(f"gector={files / 'a.txt'}", f"gector={files / 'a.txt'}"))
    assert code == 2
    assert "is given twice for gector; give each seed once" in err
