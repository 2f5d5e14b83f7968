"""docs/reference/runs.md is true: its examples run, it has a run's entries and all reasons."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from gec_fair.corpus import read_ledger
from gec_fair.corpus.formats.malformed import REMEDIES

PAGE = (Path(__file__).parents[2] / "docs/reference/runs.md").read_text(encoding="utf-8")


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_run_and_write_the_entries_shown(tmp_path):
    (tmp_path / "c.tsv").write_text("he go\the goes\nwe go\twe go\nunsure\tunsure\nit go\tit goes\na\tb\tc\n")
    reading, running = examples("python")
    output = run_script(tmp_path, reading)
    assert output.splitlines()[0] == "1 he goes"
    assert output.splitlines()[-1] in PAGE
    assert "'augmented': 1, 'left': 1, 'unchanged': 1, 'discarded': 1, 'malformed': 1" in run_script(tmp_path, running)
    (entries,) = examples("json")
    assert [json.loads(line) for line in entries.splitlines()] == list(read_ledger(tmp_path / "out"))


def run_script(folder: Path, script: str) -> str:
    (folder / "example.py").write_text(script, encoding="utf-8")
    root = str(Path(__file__).parents[2])
    env = {"PYTHONPATH": root, "PYTHONIOENCODING": "utf-8", "PATH": ""}
    return subprocess.run(
        [sys.executable, "example.py"], cwd=folder, env=env, check=True, capture_output=True, encoding="utf-8"
    ).stdout


def test_every_reason_is_explained():
    documented = set(re.findall(r"`([a-z0-9_]+)`", PAGE.split("| reason | when |")[1].split("\n\n")[0]))
    assert documented == set(REMEDIES)
