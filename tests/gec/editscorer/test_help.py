"""What the commands say where nobody proposes edits."""

from __future__ import annotations

import re
from dataclasses import replace

import click
import pytest

from gec_fair.cli.gec.editscorer import editscorer
from gec_fair.gec.editscorer.options import Setup
from tests.cli.invoke import run
from tests.gec.gector import tiny

REMEDIES = [("train", {"--generator"}), ("predict", {"--generator", "--list"})]


@pytest.mark.parametrize(("name", "expected"), REMEDIES, ids=[row[0] for row in REMEDIES])
def test_where_nobody_proposes_a_command_names_its_own_options(loud, tmp_path, name, expected):
    replace(loud, setup=Setup()).save(tmp_path / "model")
    pairs = tiny.write_pairs(tmp_path / "pairs.tsv", 4)
    (tmp_path / "texts.txt").write_text("He go home .\n")
    settings = tmp_path / "x.yaml"
    settings.write_text(f"start: {tmp_path / 'model'}\ntrain: {pairs}\n")
    words = {"train": [settings, "-o", tmp_path / "out"], "predict": [tmp_path / "model", tmp_path / "texts.txt"]}[name]
    done = run("editscorer", name, *words)
    assert (done.code, set(re.findall(r"--\w+", done.stderr))) == (2, expected)
    options = editscorer.get_command(click.Context(editscorer), name).params
    assert expected <= {flag for option in options for flag in option.opts}
