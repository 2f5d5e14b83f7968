"""Several outputs at once: they have names, and are compared with the first."""

from __future__ import annotations

import json

import pytest

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


def test_several_outputs_make_a_table_and_are_compared(files):
    hyps = hypotheses(files / "a.txt", files / "b.txt")
    code, out, _ = score(files, *hyps)
    assert code == 0
    assert "| a.txt | 1 | 0 | 0 | 100.00 | 100.00 | 100.00 |" in out
    assert "| b.txt | a.txt | – | – | – |" in out
    report = json.loads(score(files, *hyps, "--json")[1])
    assert [row["f0.5"] for row in report] == [100.0, 0.0]
    assert json.loads(score(files, *hyps[:2], "--json")[1]) == report[:1]


def test_outputs_have_names(files):
    code, out, _ = score(files, *hypotheses(f"mine={files / 'a.txt'}", files / "b.txt"))
    assert code == 0
    assert "| mine | 1 | 0 | 0 | 100.00 | 100.00 | 100.00 |" in out
    assert "| b.txt | mine | – | – | – |" in out


def test_files_of_one_name_are_called_by_their_paths(files):
    (files / "other").mkdir()
    (files / "other/a.txt").write_text("He go home .\n")
    _, out, _ = score(files, *hypotheses(files / "a.txt", files / "other/a.txt"))
    assert f"| {files / 'other/a.txt'} | {files / 'a.txt'} | – |" in out


def test_a_file_that_has_the_sign_in_its_name_is_found(files):
    (files / "beta=1.txt").write_text("He goes home .\n")
    assert score(files, *hypotheses(files / "beta=1.txt"))[0] == 0


REFUSED = [
    (("=out.txt",), "--hyp wants FILE or NAME=FILE", "no name"),
    (("gector=",), "--hyp wants FILE or NAME=FILE", "no file"),
    (("x={}/a.txt", "x={}/b.txt"), "two outputs are called x; give each its own name", "one name twice"),
    (("{}/a.txt", "{}/a.txt"), "give each its own name", "one file twice"),
]


@pytest.mark.parametrize(("texts", "message", "why"), REFUSED, ids=[row[2] for row in REFUSED])
def test_outputs_without_a_name_of_their_own_are_refused(texts, message, why, files):
    code, _, err = score(files, *hypotheses(*(text.format(files) for text in texts)))
    assert (code, message in err) == (2, True)
