"""Findings of the demonstrations: tutorials and pictures agree with recorded figures, and a null is called one."""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path

import pytest

from gec_fair import recipes

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks/results"
RECORDED = [
    ("fairness", "fairtuning", "perturb-and-measure-the-fairscore"),
    ("razor", "razor-methods", "find-shortcuts"),
    ("safety", "safety-demo/safety-demo", "audit-a-toxicity-classifier"),
    ("babylm", "babylm-small/babylm-small", "babylm-experiment"),
]


@pytest.fixture
def state(monkeypatch, capsys):
    """Call the script in this process, which has imported torch already: its exit code, and what it printed."""

    def state(name, place, *words):
        script = str(ROOT / "training/findings.py")
        monkeypatch.setattr(sys, "argv", [script, name, str(place), *map(str, words)])
        code = 0
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    return state


@pytest.mark.parametrize(("name", "result", "page"), RECORDED, ids=[name for name, *_ in RECORDED])
def test_tutorials_and_pictures_show_the_recorded_finding(state, name, result, page, tmp_path):
    stated = state(name, RESULTS / f"{result}.json", "--picture", tmp_path / "a.svg")[1].strip()
    text = (ROOT / f"docs/tutorials/{page}.md").read_text(encoding="utf-8")
    assert stated in " ".join(re.sub(r"^> ", "", text, flags=re.MULTILINE).split())
    assert (tmp_path / "a.svg").read_bytes() == (ROOT / f"docs/images/finding-{name}.svg").read_bytes()


def write_razor(folder, change):
    rows = [
        {"method": method, "test": test, "accuracy": 60.0, "low": 55.0, "high": 65.0, "against": change}
        for method in ("original", "razor")
        for test in ("held-out", "symmetric")
    ]
    (folder / "evidence.json").write_text(json.dumps({"rows": rows}))


CHANGES = [
    ([2.0, -1.0, 5.0], "no effect is shown", "0 is inside"),
    ([2.0, 1.0, 5.0], "the interval excludes 0", "a gain"),
    ([-2.0, -5.0, -1.0], "the interval excludes 0", "a loss"),
]


@pytest.mark.parametrize(("change", "expected", "why"), CHANGES, ids=[why for *_, why in CHANGES])
def test_the_sentence_follows_the_interval(state, tmp_path, change, expected, why):
    write_razor(tmp_path, change)
    assert expected in state("razor", tmp_path)[1]


@pytest.mark.parametrize("name", ["fairness", "razor", "safety", "babylm"])
def test_a_run_that_is_not_finished_is_refused(state, tmp_path, name):
    code, stdout, stderr = state(name, tmp_path)
    assert (code, stdout) == (2, "")
    assert "run the demonstration to its end first" in stderr


@pytest.mark.parametrize("name", [name for name in recipes.names() if re.match(r"(fairness|razor|safety)-", name)])
def test_the_last_step_of_a_demonstration_is_its_finding(name):
    steps = recipes.load(name).steps
    without = ("razor-pretrained", "razor-transformer")  # parts of a benchmark, with tables alone
    assert name in without or steps[-1].startswith("python training/findings.py")


@pytest.mark.parametrize("name", ["from-scratch", "pretrained"])
def test_the_counts_of_every_sentence_give_the_recorded_figures(name, monkeypatch, tmp_path):
    script = ROOT / "benchmarks/from_scratch.py"
    words = [str(RESULTS / f"{name}.npz"), "--resamples", "20", "-o", str(tmp_path / "again.json")]
    monkeypatch.setattr(sys, "argv", [str(script), *words])
    monkeypatch.syspath_prepend(str(script.parent))
    runpy.run_path(str(script), run_name="__main__")
    again, recorded = (
        [
            {key: value for key, value in row.items() if not key.endswith("bootstrap")}
            for row in json.loads(path.read_text(encoding="utf-8"))["over seeds"]
        ]
        for path in (tmp_path / "again.json", RESULTS / f"{name}.json")
    )
    assert again == recorded
