"""Recipes: every step of a shipped one parses, and a recipe that was stopped resumes at the step that failed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gec_fair import recipes
from gec_fair.cli import cli
from gec_fair.errors import InputError, UsageError
from gec_fair.shipped import find_shipped, resolve_shipped

STEPS = [
    (name, step)
    for name in recipes.names()
    for step in recipes.commands(recipes.load(name), Path("out"), {"data": "folder"})
]


@pytest.mark.parametrize(("name", "step"), STEPS, ids=[f"{name}-{n}" for n, (name, _) in enumerate(STEPS)])
def test_every_step_of_a_shipped_recipe_can_be_run(name, step):
    program, *words = shlex.split(step)
    shipped = [word for word in words if re.match(r"(training|samples)/", word)]
    assert [word for word in shipped if find_shipped(word) is None] == []
    if program == "python":
        return
    command = cli
    while isinstance(command, click.Group):
        command, words = command.get_command(click.Context(command), words[0]), words[1:]
        assert command is not None, step
    command.make_context("gec-fair", words)


def write(path, *steps, **values):
    lines = [f"  - {step}" for step in steps]
    path.write_text("\n".join(["about: a test", f"values: {values}", "steps:", *lines]) + "\n")
    return str(path)


@pytest.mark.slow
def test_a_recipe_resumes_at_the_step_that_failed(tmp_path, capsys):
    text = tmp_path / "a.txt"
    steps = ("gec-fair perturb samples/people.txt -o {out}/first", "gec-fair perturb {input} -o {out}/second")
    recipe = write(tmp_path / "recipe.yaml", *steps, input=str(text))
    with pytest.raises(recipes.StepFailed, match="step 2 of 2 failed"):
        recipes.run(recipe, tmp_path / "out")
    (tmp_path / "out/first/manifest.json").unlink()
    text.write_text("She lost her keys .\n")
    recipes.run(recipe, tmp_path / "out")
    assert (tmp_path / "out/second/manifest.json").is_file()
    assert not (tmp_path / "out/first/manifest.json").is_file()  # this step was finished
    assert "[2/2] gec-fair perturb" in capsys.readouterr().err


def test_what_is_not_a_recipe_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no recipe is called 'safety'.*there are .*fairness-demo"):
        recipes.load("safety")
    with pytest.raises(InputError, match="a step is a line"):
        recipes.run(write(tmp_path / "a.yaml", "rm -r {out}"), tmp_path / "out")
    with pytest.raises(InputError, match="is not a value of the recipe; there are out"):
        recipes.run(write(tmp_path / "b.yaml", "gec-fair score {what}"), tmp_path / "out")
    with pytest.raises(UsageError, match="set GEC_FAIR_DATA to their folder"):
        recipes.run("safety-demo", tmp_path / "out")
    with pytest.raises(UsageError, match="--set speed: the recipe has no such value; there are workers, model"):
        recipes.run("fairness-demo", tmp_path / "out", {"speed": "2"})


def test_the_steps_are_listed(tmp_path):
    words = [sys.executable, "-m", "gec_fair.recipes", "razor-demo", "-o", "out", "--set", "seeds=3", "--list"]
    listed = subprocess.run(words, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert "gec-fair razor run out/train.jsonl --rewriter rules" in listed
    assert "--seeds 3" in listed


def test_files_of_the_package_are_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    installed = str(find_shipped("training/bart.yaml"))
    assert resolve_shipped("training/bart.yaml") == installed
    assert resolve_shipped("start=training/bart.yaml") == f"start={installed}"
    assert resolve_shipped("training/none.yaml") == "training/none.yaml"
    (tmp_path / "training").mkdir()
    (tmp_path / "training/bart.yaml").touch()
    assert resolve_shipped("training/bart.yaml") == "training/bart.yaml"
