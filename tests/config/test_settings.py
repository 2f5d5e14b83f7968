"""Files of the package by name: listed with what they are for, printed, copied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gec_fair.config.files import find_settings, list_files
from gec_fair.config.values import read_yaml
from gec_fair.errors import InputError
from tests.cli.invoke import run

YAML = [file.name for file in list_files() if file.path.endswith(".yaml")]
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


@pytest.mark.parametrize("name", YAML)
def test_settings_are_read_by_the_name_that_the_list_shows(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read_yaml(Path(name)).file == read_yaml(TRAINING / f"{name}.yaml").file


def test_a_file_of_ones_own_comes_first_and_a_folder_of_that_name_does_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bart").mkdir()
    assert find_settings(Path("bart")) == TRAINING / "bart.yaml"
    Path("razor").write_text("seeds: 3\n", encoding="utf-8")
    assert read_yaml(Path("razor")).file == {"seeds": 3}


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("gector-clang9", "did you mean gector-clang8?"),
        ("training/gector-clang9.yaml", "did you mean gector-clang8?"),
        ("qqq", "give a YAML file of settings, or a name of `gec-fair settings list`"),
    ],
)
def test_unknown_settings_are_answered_with_the_nearest_name(name, remedy):
    with pytest.raises(InputError, match=r"cannot be read \(No such file or directory\)") as refused:
        read_yaml(Path(name))
    assert remedy in str(refused.value)


@pytest.mark.parametrize(
    "command",
    [
        "gector train gector-clang8",
        "bart train bart",
        "editscorer train editscorer",
        "experiment status gector-clang8",
        "pretrain mlm ltg-baseline",
        "perturber train perturber",
        "babylm experiment babylm-small",
        "babylm debias babylm-debias",
        "safety train safety",
        "fairtune rte --model MODEL --settings fairtune",
    ],
)
def test_every_command_with_settings_takes_a_name(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*command.split(), "-o", "out", "--set", "nothing=1")
    assert done.code == 2
    assert "--set nothing=1: unknown key nothing" in done.stderr, done.stderr
