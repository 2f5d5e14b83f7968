"""An option's old name works for one release, with a warning; both names at once are refused."""

from __future__ import annotations

import click
import pytest

from tests.cli.invoke import run
from tests.cli.test_help import LEAVES

OLD = {
    "compare": ("--set", "--evalset"),
    "counterfactual": ("--set", "--evalset"),
    "gap": ("--set", "--evalset"),
    "bart import": ("--text", "--prose"),
    "editscorer predict": ("--mode", "--stages"),
    "razor evaluate": ("--terms", "--count"),
    "razor run": ("--mode", "--scoring"),
    "razor score": ("--mode", "--scoring"),
    "safety predict": ("--audit", "--for-audit"),
}


@pytest.mark.parametrize("name", OLD)
def test_the_help_shows_the_new_name_alone(name):
    old, new = OLD[name]
    text = LEAVES[name].get_help(click.Context(LEAVES[name]))
    assert f"{new} " in text or f"{new}\n" in text
    assert f"  {old} " not in text


def test_the_old_name_does_the_same_with_a_warning(tmp_path):
    (tmp_path / "texts.txt").write_text("She left .\n")
    words = ("counterfactual", "--system", "identity", "--resamples", "10", "--json", "--no-cache")
    new, old = run(*words, "--evalset", "they-probe"), run(*words, "--set", "they-probe")
    assert (new.code, new.stderr) == (0, "")
    assert (old.code, old.stdout) == (0, new.stdout)
    assert old.stderr == "note: --set is --evalset now; the old name will go\n"
    both = run(*words, "--set", "they-probe", "--evalset", "they-probe")
    assert both.code == 2
    assert "--evalset and --set are the same option; give --evalset" in both.stderr


def test_a_flag_has_an_old_name_too(tmp_path):
    done = run("safety", "predict", tmp_path / "model", tmp_path / "rows.csv", "--audit", "-o", tmp_path / "out.csv")
    assert done.code == 2
    assert "note: --audit is --for-audit now" in done.stderr
    done = run("safety", "predict", tmp_path / "model", tmp_path / "rows.csv", "-o", tmp_path / "out.csv")
    assert "note:" not in done.stderr


def test_an_option_that_may_come_again_may_so_under_its_old_name(tmp_path):
    words = ("compare", "--system", "identity", "--resamples", "10", "-o", tmp_path / "out")
    done = run(*words, "--set", "they-probe", "--set", "unknown")
    assert done.code == 2
    assert "no evaluation set is called 'unknown'" in done.stderr
