"""Several processes train one model: each takes its share of an update."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from safetensors.torch import load_file

SETTINGS = """\
start: {models}/encoder
labels: {models}/labels.txt
train: {models}/train.tsv
dev: {models}/dev.tsv
dropout: 0
cold_steps: 2
cold_lr: 1.0e-3
training: {{steps: 6, batch: {batch}, learning_rate: 1.0e-3, device: cpu, precision: fp32, log_every: 1}}
"""


@pytest.mark.slow
def test_two_processes_make_the_updates_that_one_makes_with_twice_the_batch(models, tmp_path):
    env = {**os.environ, "GEC_FAIR_CACHE": str(tmp_path / "cache"), "OMP_NUM_THREADS": "1"}
    runs = {"one": (1, 16), "two": (2, 8)}
    for name, (processes, batch) in runs.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(SETTINGS.format(models=models, batch=batch))
        words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(processes),
                 "-m", "gec_fair.cli", "gector", "train", str(path), "-o", str(tmp_path / name)]  # fmt: skip
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr[-2000:]
    # sentences are averaged: two halves of a batch give its gradient, to rounding
    one, two = (load_file(tmp_path / name / "best/model.safetensors") for name in runs)
    assert max(float((one[key] - two[key]).abs().max()) for key in one) < 2e-4
    assert json.loads((tmp_path / "two/manifest.json").read_text())["result"]["steps"] == 6
