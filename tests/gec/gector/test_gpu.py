"""What only a GPU shows: half precision, compiled steps, the same corrections as on a CPU."""

from __future__ import annotations

import pytest
import torch

from gec_fair.gec.gector import checkpoint
from gec_fair.gec.gector import train as training
from gec_fair.gec.gector.options import Decoding, GectorTraining
from gec_fair.gec.gector.predict import Predictor
from gec_fair.trainer.options import TrainingOptions
from tests.gec.gector import tiny

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_bf16_training_on_a_gpu_learns_and_corrects_as_on_a_cpu(models, tmp_path, compiled, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    options = GectorTraining(
        start=str(models / "encoder"),
        labels=str(models / "labels.txt"),
        train=str(models / "train.tsv"),
        dev=str(models / "dev.tsv"),
        training=TrainingOptions(
            steps=200,
            batch=32,
            learning_rate=2e-3,
            eval_every=100,
            device="gpu",
            precision="bf16",
            compile=compiled,
            schedule="linear",
        ),
    )
    done = training.train(options, tmp_path / "run", seed=0)
    assert done.losses[-1] < done.losses[0]
    texts = [source.split() for source, _ in tiny.pairs(60, seed=7)]
    tagger = checkpoint.load(str(done.directory))
    bold = Decoding(confidence=0.0, min_error_probability=0.0)
    on_gpu = Predictor(tagger).correct(texts, bold).texts
    assert on_gpu == Predictor(tagger, device="cpu").correct(texts, bold).texts


@pytest.mark.parametrize(("device", "where"), [("gpu", "cuda"), ("any", "cuda"), ("cpu", "cpu")])
def test_every_update_is_computed_where_the_options_say(models, tmp_path, monkeypatch, device, where):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    step, seen = training.GectorTrainer.training_step, []

    def watch(self, model, inputs, *args):
        loss = step(self, model, inputs, *args)
        seen.append({loss.device.type} | {weight.device.type for weight in model.parameters()})
        return loss

    monkeypatch.setattr(training.GectorTrainer, "training_step", watch)
    options = GectorTraining(
        start=str(models / "encoder"),
        labels=str(models / "labels.txt"),
        train=str(models / "train.tsv"),
        dev=str(models / "dev.tsv"),
        training=TrainingOptions(steps=3, batch=8, device=device),
    )
    done = training.train(options, tmp_path / "run", seed=0)
    assert seen == [{where}] * 3
    # a model that was trained there is read anywhere
    assert Predictor(checkpoint.load(str(done.directory)), device="cpu").correct([("he", "go", ".")], Decoding()).texts
