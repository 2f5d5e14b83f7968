"""The worked examples of docs/reference/architecture.md run, and the rooms that it names exist."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.invoke import run

PAGE = (Path(__file__).parents[2] / "docs/reference/architecture.md").read_text(encoding="utf-8")
PACKAGE = Path(__file__).parents[2] / "gec_fair"


def example(heading):
    return re.search(rf"### {heading}\n.*?```python\n(.*?)```", PAGE, re.DOTALL)[1]


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Installs an example as a package with an entry point."""

    def install(heading, group, point):
        (tmp_path / "my_package.py").write_text(example(heading))
        info = tmp_path / "my_package-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[gec_fair.{group}]\n{point}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "my_package", raising=False)
        importlib.invalidate_caches()

    return install


def test_a_rewriting_method(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text("I goes to Paris\tI go to Paris\nhello\thello\nin Pariss\tin Paris\n")
    exec(compile(example("A rewriting method"), "example", "exec"), {"__name__": "example"})
    assert "'augmented': 1, 'left': 0, 'unchanged': 1, 'discarded': 1" in capsys.readouterr().out
    assert (tmp_path / "out/pairs.tsv").read_text() == "I goes to Rome\tI go to Rome\n"
    assert "source  I goes to [-Paris-]{+Rome+}" in run("show", tmp_path / "out", "--plain").stdout


def test_an_option(tmp_path, monkeypatch):
    (tmp_path / "my_options.py").write_text(example("An option"))
    monkeypatch.syspath_prepend(str(tmp_path))
    options = importlib.import_module("my_options")
    (field,) = options.fields_of(options.Reading)
    assert (field.name, field.option.metavar, field.meaning) == ("limit", "N", "Stop after N lines.")


def test_a_metric(capsys):
    exec(compile(example("A metric"), "example", "exec"), {})
    assert re.fullmatch(r"75 % \d+ to 100\n", capsys.readouterr().out)


def test_a_gec_system(plugin, tmp_path):
    plugin("A GEC system", "systems", "capitals = my_package:Capitals")
    (tmp_path / "texts.txt").write_text("he goes .\n")
    done = run("correct", tmp_path / "texts.txt", "--system", "capitals")
    assert (done.code, done.stdout) == (0, "He goes .\n"), done.stderr


def test_a_suite(plugin, tmp_path, masked):
    plugin("A suite for language models", "suites", "pairs = my_package:pairs")
    done = run("lmbias", "run", "--model", masked, "--suite", "pairs", "-o", tmp_path / "bias.json")
    assert done.code == 0, done.stderr
    (figure,) = json.loads((tmp_path / "bias.json").read_text())["figures"]
    assert (figure["suite"], figure["n"], figure["value"] in (0.0, 100.0)) == ("pairs", 1, True)


def places():
    """The modules of the table *Where do I change …*."""
    table = PAGE.split("## Where do I change …")[1].split("The ways through")[0]
    return [place for place in re.findall(r"`([\w/.]+)`", table) if "/" in place]


def test_the_table_of_places_has_twenty_rows():
    assert len(places()) >= 20


@pytest.mark.parametrize("place", places())
def test_a_place_of_the_table_imports(place):
    if place.endswith((".tsv", ".md")):
        assert (PACKAGE.parent / place).is_file()
    else:
        importlib.import_module(f"gec_fair.{place.replace('/', '.')}")


def test_the_page_names_every_room_and_no_other():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and not path.name.startswith("_")}
    named = set(re.findall(r"^\| *\d? *\| `(\w+)/`", PAGE, re.MULTILINE))
    assert named == rooms


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:\w+/)+\w+)`", PAGE))))
def test_the_modules_that_the_page_names_exist(name):
    assert (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file() or (PACKAGE.parent / name).exists()
