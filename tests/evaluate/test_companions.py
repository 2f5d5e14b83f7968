"""GLEU and chrF beside F0.5, and several outputs at once."""

from __future__ import annotations

import json

import pytest

from gec_fair.evaluate.scoring.other_metrics import chrf, gleu
from tests.cli.test_cli import gec_fair

_EDIT = "A 1 2|||{}|||{}|||REQUIRED|||-NONE-|||{}\n"
M2 = "S He go home .\n" + _EDIT.format("R:VERB:SVA", "goes", 0) + _EDIT.format("R:VERB", "went", 1) + "\n"


def words(*texts):
    return [tuple(text.split()) for text in texts]


def test_gleu_rewards_the_reference_and_punishes_what_was_left():
    source = words("He go to home every day when it rain in the town .")
    reference = [["He goes home every day when it rains in the town ."]]
    assert gleu(source, reference, words(*reference[0])) == pytest.approx(100.0)
    half = gleu(source, reference, words("He goes to home every day when it rains in the town ."))
    assert gleu(source, reference, source) < half < 100


def test_gleu_of_unchanged_jflegs_is_the_published_one(data):
    """38.21 on the development set (Napoles et al. 2017, table 3)."""
    folder = data / "jfleg" / "dev"
    columns = [(folder / f"dev.ref{n}").read_text(encoding="utf-8").splitlines() for n in range(4)]
    source = words(*(folder / "dev.src").read_text(encoding="utf-8").splitlines())
    assert (
        round(gleu(source, [[" ".join(t.split()) for t in row] for row in zip(*columns, strict=True)], source), 2)
        == 38.21
    )


def test_sentences_may_have_other_numbers_of_references():
    source = words("a b c d e", "f g h i j")
    assert gleu(source, [["a b c d e", "x b c d e"], ["f g h i j"]], source) == pytest.approx(
        gleu(source, [["a b c d e", "x b c d e"], ["f g h i j"] * 2], source)
    )
    assert chrf([["a b c d e", "x"], ["f g h i j"]], source) == pytest.approx(100.0)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "r.m2").write_text(M2)
    for name, text in (("a", "He goes home .\n"), ("b", "He go home .\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def test_several_outputs_make_a_table_with_their_mean(files):
    hyps = [part for name in "ab" for part in ("--hyp", files / f"{name}.txt")]
    code, out, _ = gec_fair("score", *hyps, "--ref", files / "r.m2", "--no-cache", "--also", "gleu", "--also", "chrf")
    assert code == 0
    assert "| a.txt | 1 | 0 | 0 | 100.00 | 100.00 | 100.00 |" in out
    assert "| mean ± 2 s.d. | | | | 100.00 ± 0.00 | 50.00 ± 141.42 | 50.00 ± 141.42 |" in out
    assert "|gleu:1.1.0:n4:draws500|chrf:" in out
    told = json.loads(gec_fair("score", *hyps, "--ref", files / "r.m2", "--no-cache", "--json")[1])
    assert [row["f0.5"] for row in told] == [100.0, 0.0]
    alone = json.loads(gec_fair("score", *hyps[:2], "--ref", files / "r.m2", "--no-cache", "--json")[1])
    assert {key: value for key, value in told[0].items() if key != "hyp"} == alone
