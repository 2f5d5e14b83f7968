"""Several processes train one EditScorer: each takes its share of an update."""

from __future__ import annotations

import json
from functools import partial

import pytest
from safetensors.torch import load_file

from tests.cli.invoke import run
from tests.gec.gector import tiny
from tests.trainer.several import torchrun

SETTINGS = """\
start: {models}/encoder
generator: {models}/gector
train: {folder}/train.tsv
dev: {folder}/dev.tsv
tokens: 1000
mlp_hidden: 16
dropout: 0
training: {{steps: 6, batch: 1, accumulation: {accumulation}, learning_rate: 1.0e-3, eval_every: 3, device: cpu,
  precision: fp32, log_every: 1}}
"""


@pytest.mark.slow(20)
def test_two_processes_make_the_updates_that_one_makes_of_twice_the_batches(models, tmp_path, monkeypatch):
    tiny.write_pairs(tmp_path / "train.tsv", 150)
    tiny.write_pairs(tmp_path / "dev.tsv", 30, seed=1)
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache-one"))
    runs = {"one": (2, run), "two": (1, partial(torchrun, 2, cache=tmp_path / "cache-two"))}
    for name, (accumulation, command) in runs.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(SETTINGS.format(models=models, folder=tmp_path, accumulation=accumulation))
        command("editscorer", "train", path, "-o", tmp_path / name)
    one, two = (load_file(tmp_path / name / "best/model.safetensors") for name in runs)
    assert max(float((one[key] - two[key]).abs().max()) for key in one) < 2e-4
    summaries = [json.loads((tmp_path / name / "manifest.json").read_text())["result"] for name in runs]
    assert summaries[0]["losses"] == pytest.approx(summaries[1]["losses"], rel=1e-3)
    assert summaries[1]["steps"] == 6
    assert [path.name for path in tmp_path.glob("two/*.json")] == ["manifest.json"]
    tables = [path for path in (tmp_path / "cache-two/editscorer").iterdir() if path.is_dir()]
    assert len(tables) == 2  # of train and dev, made once
