"""Files of the package by name: listed with what they are for, printed, copied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.invoke import run

TRAINING = Path(__file__).parents[2] / "training"


def test_every_settings_file_is_listed_with_what_it_is_for():
    rows = json.loads(run("settings", "list", "--json").stdout)
    assert {row["path"] for row in rows} >= {f"training/{path.name}" for path in TRAINING.glob("*.yaml")}
    assert [row["name"] for row in rows if not row["about"]] == []
    assert "| gector-clang8 | training/gector-clang8.yaml | GECToR fine-tuned" in run("settings", "list").stdout


@pytest.mark.parametrize("name", ["gector-clang8", "gector-clang8.yaml", "training/gector-clang8.yaml"])
def test_a_file_is_printed_and_copied(name, tmp_path):
    content = (TRAINING / "gector-clang8.yaml").read_text(encoding="utf-8")
    assert run("settings", "show", name).stdout == content
    assert run("settings", "show", name, "-o", tmp_path / "mine.yaml").code == 0
    assert (tmp_path / "mine.yaml").read_text(encoding="utf-8") == content


def test_an_unknown_name_is_answered_with_the_nearest():
    done = run("settings", "show", "gector-clang9")
    assert done.code == 2
    assert "no file is called 'gector-clang9'; did you mean gector-clang8?" in done.stderr
