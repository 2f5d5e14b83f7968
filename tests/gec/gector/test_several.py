"""Several processes train one model: each takes its share of an update."""

from __future__ import annotations

import json

import pytest
import torch
from safetensors.torch import load_file

from tests.cli.invoke import run
from tests.trainer.several import killed_when, start_processes, torchrun, wait_for_all

LONGER = ("--set", "dropout=0.1", "--set", "training.steps=60", "--set", "training.save_every=5")
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


@pytest.mark.slow(20)
def test_two_processes_make_the_updates_that_one_makes_with_twice_the_batch(models, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    monkeypatch.setenv("GEC_FAIR_CACHE", str(cache))
    runs = {
        "one": (16, lambda *words: run(*words).stdout),
        "two": (8, lambda *words: torchrun(2, *words, cache=cache)),
        "two-machines": (
            8,
            lambda *words: wait_for_all(start_processes(1, *words, cache=cache, log=tmp_path / "said", machines=2)),
        ),
    }
    for name, (batch, command) in runs.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(SETTINGS.format(models=models, batch=batch))
        started = command("gector", "train", path, "-o", tmp_path / name)
        assert started.count("6 updates") == 1  # the first process speaks for all
    # sentences are averaged: two halves of a batch give its gradient, to rounding
    one, *others = (load_file(tmp_path / name / "best/model.safetensors") for name in runs)
    for two in others:
        assert max(float((one[key] - two[key]).abs().max()) for key in one) < 2e-4
    assert json.loads((tmp_path / "two/manifest.json").read_text())["result"]["steps"] == 6


@pytest.mark.slow(14)
def test_several_processes_that_are_killed_end_with_the_weights_of_those_that_were_not(models, tmp_path):
    path, cache = tmp_path / "s.yaml", tmp_path / "cache"
    path.write_text(SETTINGS.format(models=models, batch=8))
    words = ("gector", "train", path, *LONGER, "-o")
    start = lambda name: start_processes(2, *words, tmp_path / name, cache=cache, log=tmp_path / "said")  # noqa: E731
    wait_for_all(start("whole"))
    killed_when(tmp_path / "killed/checkpoints/checkpoint-*/complete", start("killed"))
    steps = [int(folder.name.rpartition("-")[2]) for folder in (tmp_path / "killed/checkpoints").glob("checkpoint-*")]
    assert steps
    assert max(steps) < 60
    wait_for_all(start("killed"))
    one, two = (load_file(tmp_path / name / "best/model.safetensors") for name in ("whole", "killed"))
    assert all(torch.equal(one[key], two[key]) for key in one)
