"""Several processes train one BART: each takes its share of an update."""

from __future__ import annotations

import json
from functools import partial

import pytest
from safetensors.torch import load_file

from tests.cli.invoke import run
from tests.trainer.several import torchrun

SETTINGS = """\
start: {models}/bart
train: {models}/copies.tsv
dev: {models}/dev.tsv
max_tokens: 200
dropout: 0
attention_dropout: 0
training: {{steps: 6, batch: 64, accumulation: {accumulation}, learning_rate: 1.0e-3, eval_every: 3, device: cpu,
  precision: fp32, log_every: 1}}
"""


@pytest.mark.slow(20)
def test_two_processes_make_the_updates_that_one_makes_of_twice_the_batches(models, tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache-one"))
    runs = {"one": (2, run), "two": (1, partial(torchrun, 2, cache=tmp_path / "cache-two"))}
    for name, (accumulation, command) in runs.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(SETTINGS.format(models=models, accumulation=accumulation))
        command("bart", "train", path, "-o", tmp_path / name)
    # a sum over the target sub-words of an update, divided once: however it is shared out, to rounding
    one, two = (load_file(tmp_path / name / "best/model.safetensors") for name in runs)
    assert max(float((one[key] - two[key]).abs().max()) for key in one) < 2e-4
    summaries = [json.loads((tmp_path / name / "manifest.json").read_text())["result"] for name in runs]
    assert summaries[0]["losses"] == pytest.approx(summaries[1]["losses"], rel=1e-4)
    assert summaries[1]["steps"] == 6
    assert [path.name for path in tmp_path.glob("two/*.json")] == ["manifest.json"]
    tables = [path for path in (tmp_path / "cache-two/bart").iterdir() if path.is_dir()]
    assert len(tables) == 2  # of train and dev, made once
