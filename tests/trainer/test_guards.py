"""What goes wrong in a training: nothing good is overwritten, and the message names the next command."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from gec_fair.errors import GecFairError, ResumeError
from gec_fair.gec.gector.options import GectorTraining, InputOptions
from gec_fair.runs.identity import Identity, differences
from gec_fair.runs.record import START_FILE
from gec_fair.trainer import loop
from gec_fair.trainer.nan_guard import Diverged
from gec_fair.trainer.options import EncoderOptions, PretrainOptions, TrainingOptions
from gec_fair.trainer.pretraining import encoder
from gec_fair.trainer.pretraining.masked import MaskedTrainer
from gec_fair.trainer.records import Run, identity_of, last_complete
from tests.gec.gector import tiny
from tests.trainer.killing import killed_after

STEPS = TrainingOptions(
    steps=12, batch=8, learning_rate=3e-3, eval_every=4, save_every=2, device="cpu", precision="fp32", log_every=1
)


@pytest.fixture
def options(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(target.capitalize() for _, target in tiny.pairs(200)))
    shape = EncoderOptions(hidden=32, layers=1, heads=2, intermediate=48)
    return PretrainOptions(texts=(str(path),), vocabulary=300, block=16, validation=0.1, encoder=shape, training=STEPS)


def finite(folder) -> bool:
    return all(bool(torch.isfinite(values).all()) for values in load_file(folder / "model.safetensors").values())


def test_weights_that_an_update_spoilt_are_never_kept(options, tmp_path):
    wild = replace(options, training=replace(STEPS, steps=1, learning_rate=1e38, eval_every=0))
    with pytest.raises(Diverged, match=r"not numbers .* at update 1; no checkpoint was written yet"):
        encoder.pretrain(wild, tmp_path / "run")
    assert not (tmp_path / "run/best").exists()
    assert not (tmp_path / "run/manifest.json").exists()


SPOILT = [(5, "a weight between two checkpoints", 4), (8, "a weight just before a look", 6)]


@pytest.mark.slow
@pytest.mark.parametrize(("update", "why", "last_good"), SPOILT, ids=[row[1] for row in SPOILT])
def test_the_last_good_checkpoint_is_good(options, tmp_path, monkeypatch, update, why, last_good):
    step = MaskedTrainer.training_step

    def spoiling(self, *args, **kwargs):
        loss = step(self, *args, **kwargs)
        if self.state.global_step + 1 == update:
            next(self.model.parameters()).grad.fill_(float("nan"))  # the loss is finite, what comes of it is not
        return loss

    monkeypatch.setattr(MaskedTrainer, "training_step", spoiling)
    with pytest.raises(Diverged, match=f"the last good checkpoint is .*checkpoint-{last_good}"):
        encoder.pretrain(options, tmp_path / "run")
    last = last_complete(tmp_path / "run/checkpoints")
    assert last.name == f"checkpoint-{last_good}"
    assert finite(last)
    assert not (tmp_path / "run/best").exists() or finite(tmp_path / "run/best")
    monkeypatch.undo()
    assert encoder.pretrain(options, tmp_path / "run").steps == STEPS.steps


FULL = [
    (OSError(28, "No space left on device"), "the system says so"),
    (SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)"), "safetensors does"),
    (RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 576 vs 534"), "torch half says so"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "why"), FULL, ids=[row[1] for row in FULL])
def test_a_full_disk_is_told_and_costs_nothing(options, tmp_path, monkeypatch, fault, why):
    save = MaskedTrainer._save_optimizer_and_scheduler

    def full(self, folder):
        if "checkpoint-8" in str(folder):
            raise fault
        return save(self, folder)

    monkeypatch.setattr(MaskedTrainer, "_save_optimizer_and_scheduler", full)
    with pytest.raises(GecFairError, match="the disk is full; the last good checkpoint, checkpoint-6, is kept"):
        encoder.pretrain(options, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run/checkpoints").iterdir()] == ["checkpoint-6"]
    monkeypatch.undo()
    assert encoder.pretrain(options, tmp_path / "run").steps == STEPS.steps


def test_another_fault_is_no_full_disk(options, tmp_path, monkeypatch):
    def break_model(self, folder):
        raise RuntimeError("something else")

    monkeypatch.setattr(MaskedTrainer, "_save_optimizer_and_scheduler", break_model)
    with pytest.raises(RuntimeError, match="something else"):
        encoder.pretrain(options, tmp_path / "run")


@pytest.mark.slow
def test_a_run_that_stopped_early_stays_stopped_when_it_is_asked_for_again(options, tmp_path, monkeypatch):
    still = replace(options, training=replace(STEPS, steps=40, learning_rate=0.0, patience=2))
    reference = encoder.pretrain(still, tmp_path / "whole")
    assert reference.steps == 12  # the first look is the best, two more have no lower loss
    with monkeypatch.context() as patch:
        patch.setattr(Run, "finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            encoder.pretrain(still, tmp_path / "killed")
    assert encoder.pretrain(still, tmp_path / "killed").result == reference.result


def test_validation_text_is_hidden_in_the_same_places_at_every_look(options, tmp_path):
    still = replace(options, training=replace(STEPS, learning_rate=0.0))
    assert len(set(encoder.pretrain(still, tmp_path / "run").losses)) == 1


def test_of_several_gpus_one_is_used(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    arguments = loop.arguments(STEPS, tmp_path, 0)
    arguments.device  # noqa: B018  it is read, and with it the number of GPUs, before it is patched
    monkeypatch.setattr(type(arguments), "device", property(lambda _: torch.device("cuda")))
    arguments._n_gpu = 4
    assert loop._one_device(arguments).train_batch_size == STEPS.batch
    assert "torchrun --nproc_per_node 4" in capsys.readouterr().err


def training(seed):
    return Identity("a training", {}, {}, sections={"seed": seed})


def test_a_folder_belongs_to_nobody_until_something_is_trained(tmp_path):
    Run(tmp_path, training(1)).begin({"processes": 1})
    rival = Run(tmp_path, training(2))
    rival.begin({"processes": 1})
    (tmp_path / "checkpoints/checkpoint-5").mkdir(parents=True)
    (tmp_path / "checkpoints/checkpoint-5/complete").touch()
    with pytest.raises(ResumeError, match=r"other seed \(2 → 1\)"):
        Run(tmp_path, training(1))
    with pytest.raises(ResumeError, match=r"other on\.processes \(1 → 2\)"):
        Run(tmp_path, training(2)).begin({"processes": 2})


@pytest.mark.slow
def test_what_a_run_left_that_owns_nothing_is_not_taken_up(options, tmp_path):
    with killed_after(1):  # before its first checkpoint, with its vocabulary made
        encoder.pretrain(options, tmp_path / "run")
    changed = replace(options, vocabulary=290)
    assert encoder.pretrain(changed, tmp_path / "run").result == encoder.pretrain(changed, tmp_path / "new").result


def test_a_model_counts_by_what_is_in_its_folder_and_not_by_where_it_is(tmp_path):
    for name in ("train.tsv", "a/model.safetensors", "b/model.safetensors", "c/model.safetensors", "c/decoding.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name.rpartition("/")[2])
    pairs = str(tmp_path / "train.tsv")
    options = GectorTraining(start=str(tmp_path / "a"), training=STEPS, train=pairs)
    one, two, three = (identity_of(replace(options, start=str(tmp_path / name)), 0) for name in "abc")
    assert two.differences(one.as_json()) == []
    renamed = (tmp_path / "train.tsv").rename(tmp_path / "renamed.tsv")
    assert identity_of(replace(options, train=str(renamed)), 0).differences(one.as_json()) == []
    renamed.rename(tmp_path / "train.tsv")
    assert three.differences(one.as_json()) == ["start (content differs)"]
    # an option that is null now is another option, not an unknown one
    changed = identity_of(replace(options, input=InputOptions(max_words=30)), 0)
    assert [difference.partition(" ")[0] for difference in one.differences(changed.as_json())] == ["input"]
    assert identity_of(replace(options, dev=pairs), 0).differences(one.as_json()) == ["dev (content differs)"]


def test_a_commit_that_nobody_knows_is_no_difference():
    known, changed = {"commits": {"start": "5f1c"}}, {"commits": {"start": "77ab"}}
    assert differences(known, {"commits": {}}) == differences({"commits": {}}, known) == []
    assert differences(known, changed) == ["start (another commit)"]


IDENTITY = training(1)


def test_a_finished_run_may_be_asked_for_on_another_machine(tmp_path):
    run = Run(tmp_path, IDENTITY)
    run.begin({"device": "cuda"})
    (tmp_path / "checkpoints/checkpoint-5").mkdir(parents=True)
    (tmp_path / "checkpoints/checkpoint-5/complete").touch()
    done = run.finish({"steps": 5, "losses": [1.0]})
    assert Run(tmp_path, IDENTITY).find_result() == done
    assert json.loads((tmp_path / "manifest.json").read_text())["on"] == {"device": "cuda"}
    assert not (tmp_path / START_FILE).exists()


def test_only_the_first_of_several_processes_writes(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    run = Run(tmp_path, IDENTITY)
    run.begin({"processes": 2})
    assert run.finish({"steps": 1, "losses": []}).steps == 1
    assert not list(tmp_path.iterdir())


VALUES = [("adam_beta2", 1.5), ("adam_beta1", -0.1), ("learning_rate", float("nan")), ("clip", np.inf)]


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[row[0] for row in VALUES])
def test_values_that_cannot_be_meant_are_named(name, value):
    with pytest.raises(GecFairError, match=name):
        TrainingOptions(steps=1, **{name: value})
