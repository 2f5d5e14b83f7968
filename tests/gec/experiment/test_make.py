"""The Makefile's targets say what the commands need."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TARGETS = [
    (
        ("finetune-gector", "TRAIN=mix", "SEEDS=3", "FULL=dev.m2"),
        {"run", "table"},
        ["--set", "mix=mix", "--set", "seeds=3", "--set", "full=dev.m2"],
    ),
    (("finetune-gector", "TRAIN=mix", "SEEDS=3"), {"run", "table"}, ["--set", "mix=mix", "--set", "seeds=3", "-o"]),
    (("compare-gaps", "RUNS=out/gector/cells", "FULL=dev.m2"), {"compare"}, ["out/gector/cells", "--full", "dev.m2"]),
    (("compare-gaps", "RUNS=out/gector/cells"), {"compare"}, ["out/gector/cells", "--workers"]),
]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
@pytest.mark.parametrize(("target", "verbs", "words"), TARGETS, ids=[" ".join(row[0]) for row in TARGETS])
def test_every_command_of_a_target_gets_what_the_target_got(target, verbs, words):
    printed = subprocess.run(["make", "-n", *target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    commands = [shlex.split(line) for line in printed.splitlines() if "bin/gec-fair " in line]
    assert verbs <= {word for command in commands for word in command}
    assert all(" ".join(words) in " ".join(command) for command in commands), commands
