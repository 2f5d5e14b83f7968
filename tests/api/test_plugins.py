"""An installed package adds a system, a classifier, a rewriter and a suite: `tests/plugin`."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

import gec_fair as gf
from tests.cli.invoke import run

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PLUGIN = Path(__file__).parents[1] / "plugin"


@pytest.fixture(autouse=True)
def _installed(tmp_path, monkeypatch):
    """The package as an installer would put it: its modules on the path, its entry points in its metadata."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    points = [
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in names.items())
        for group, names in project["entry-points"].items()
    ]
    info = tmp_path / "site/gec_fair_example-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gec-fair-example\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(points))
    monkeypatch.syspath_prepend(str(info.parent))
    monkeypatch.syspath_prepend(str(PLUGIN))
    importlib.invalidate_caches()
    monkeypatch.chdir(tmp_path)


def test_a_system():
    assert gf.load_system("capitals")(["he goes ."]) == ["He goes ."]
    Path("texts.txt").write_text("he goes .\n")
    assert run("correct", "texts.txt", "--system", "capitals").stdout == "He goes .\n"


def test_a_classifier():
    classifier = gf.load_classifier("shouting")
    assert classifier.scores([("GO AWAY",), ("Go away",)]).tolist() == [[0, 1], [1, 0]]
    result = gf.fairscore.measure(
        "shouting", [("SHE LOST HER KEYS .", "toxic"), ("It rained .", "fine")], axes=("gender",)
    )
    assert result.flips == 0


def test_a_rewriter():
    rows = [("It is not good", "no"), ("He is not here", "no"), ("It is good", "yes"), ("He is here", "yes")] * 3
    lines = [json.dumps({"id": str(n), "text": text, "label": label}) for n, (text, label) in enumerate(rows)]
    Path("data.jsonl").write_text("\n".join(lines) + "\n")
    done = run("razor", "run", "data.jsonl", "--rewriter", "without-not", "--verifier", "none", "-o", "out")
    assert done.code == 0, done.stderr
    assert "rewriter:without-not-1" in done.stdout or "without-not-1" in done.stdout


def test_a_suite(masked):
    (figure,) = gf.lmbias.score(str(masked), ["nurses"]).figures
    assert (figure.suite, figure.n, figure.value in (0.0, 100.0)) == ("nurses", 1, True)
