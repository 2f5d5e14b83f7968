"""Training: it learns, it is a function of its seed, a kill costs nothing but time."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import Seq2SeqTrainingArguments

from gec_fair.config.settings import read_settings
from gec_fair.errors import InputError, MissingResource, ResumeError, UsageError
from gec_fair.gec.bart import train as training
from gec_fair.gec.bart.checkpoint import load
from gec_fair.gec.bart.loss import Smoothed
from gec_fair.gec.bart.options import BartTraining, Decoding, InputOptions
from gec_fair.gec.bart.train import BartTrainer, train
from gec_fair.trainer import loop
from gec_fair.trainer.nan_guard import Diverged
from gec_fair.trainer.options import TrainingOptions

RECIPE = Path(__file__).parents[3] / "training" / "bart.yaml"


@pytest.fixture(scope="module")
def options(models):
    training = TrainingOptions(
        steps=10,
        batch=64,
        learning_rate=1e-3,
        adam_beta2=0.98,
        clip=0.1,
        eval_every=4,
        save_every=4,
        log_every=5,
        precision="fp32",
    )
    return BartTraining(
        start=str(models / "bart"),
        training=training,
        train=str(models / "copies.tsv"),
        dev=str(models / "dev.tsv"),
        max_tokens=300,
    )


@pytest.fixture(scope="module")
def run(models):
    def train_model(options, out, seed=0):
        return train(options, out, seed=seed, cache=models / "cache")

    return train_model


@pytest.fixture(scope="module")
def reference_run(options, run, tmp_path_factory):
    """The folder of a run of seed 0 that nothing happened to."""
    out = tmp_path_factory.mktemp("whole") / "out"
    run(options, out)
    return out


def weights(folder):
    return load_file(folder / "best" / "model.safetensors")


def are_same(one, two):
    return all(torch.equal(one[name], two[name]) for name in one)


def test_agreement_is_learned(trained):
    assert trained.losses[-1] < 1.1  # 0.8 of it is the smoothing: no model comes under that


def test_a_run_is_a_function_of_its_seed(options, run, reference_run, tmp_path):
    for seed in (0, 1):
        run(options, tmp_path / str(seed), seed)
    assert are_same(weights(tmp_path / "0"), weights(reference_run))
    assert not are_same(weights(tmp_path / "1"), weights(reference_run))


@pytest.mark.slow
@pytest.mark.parametrize("killed_at", [3, 7], ids=["before a checkpoint", "between two checkpoints"])
def test_a_killed_run_ends_with_the_weights_of_one_that_was_not(
    options, run, reference_run, tmp_path, monkeypatch, killed_at
):
    steps = []
    step = BartTrainer.training_step

    def dying(self, *args, **kwargs):
        steps.append(self.state.global_step)
        if len(steps) == killed_at:
            raise KeyboardInterrupt
        return step(self, *args, **kwargs)

    monkeypatch.setattr(BartTrainer, "training_step", dying)
    with pytest.raises(KeyboardInterrupt):
        run(options, tmp_path / "killed")
    run(options, tmp_path / "killed")
    assert steps[killed_at] == killed_at // 4 * 4  # it went on from the checkpoint, not from the start
    assert are_same(weights(tmp_path / "killed"), weights(reference_run))
    summaries = [
        json.loads((out / "manifest.json").read_text())["result"] for out in (tmp_path / "killed", reference_run)
    ]
    assert summaries[0] == summaries[1]


@pytest.mark.slow
@pytest.mark.parametrize("killed_at", [11, 18], ids=["between two batches of an update", "before its last batch"])
def test_a_run_killed_within_an_update_ends_with_the_same_weights(options, run, tmp_path, monkeypatch, killed_at):
    thrice = replace(options, max_tokens=100, training=replace(options.training, accumulation=3))
    run(thrice, tmp_path / "whole")
    steps, step = [], BartTrainer.training_step

    def dying(self, *args, **kwargs):
        steps.append(self.state.global_step)
        if len(steps) == killed_at:
            raise KeyboardInterrupt
        return step(self, *args, **kwargs)

    monkeypatch.setattr(BartTrainer, "training_step", dying)
    with pytest.raises(KeyboardInterrupt):
        run(thrice, tmp_path / "killed")
    assert len(steps) % 3 != 1  # some batches of the update were seen, and are seen again
    run(thrice, tmp_path / "killed")
    assert are_same(weights(tmp_path / "killed"), weights(tmp_path / "whole"))


def test_a_loss_that_is_no_number_stops_the_run_and_the_last_checkpoint_stays(options, run, tmp_path, monkeypatch):
    total, calls = Smoothed.total, []

    def spoilt(self, *args):
        calls.append(args)
        return total(self, *args) * (float("nan") if len(calls) > 7 else 1)

    monkeypatch.setattr(Smoothed, "total", spoilt)
    with pytest.raises(Diverged, match=r"the last good checkpoint is .*checkpoint-4"):
        run(options, tmp_path / "out")
    assert (tmp_path / "out" / "checkpoints" / "checkpoint-4" / "model.safetensors").exists()
    assert load(str(tmp_path / "out" / "best")).digest()


def test_an_update_is_the_same_however_it_is_cut_into_batches(options, run, models, tmp_path):
    (tmp_path / "p.tsv").write_text("he go\the goes\n" * 3 + "my sister go to the well-known park .\tshe\n" * 3)
    # with so large an epsilon and learning rate Adam's first step is the gradient itself
    straight = replace(options.training, steps=1, eval_every=0, clip=0.0, learning_rate=1e3, adam_epsilon=1e3)
    one = replace(options, train=str(tmp_path / "p.tsv"), dropout=0.0, attention_dropout=0.0, training=straight)
    two = replace(one, training=replace(straight, batch=3, accumulation=2))
    for name, changed in (("one", one), ("two", two)):
        run(changed, tmp_path / name)
    a, b, before = weights(tmp_path / "one"), weights(tmp_path / "two"), load_file(models / "bart/model.safetensors")
    assert max(float((a[name] - before[name]).abs().max()) for name in a) > 0.1
    assert max(float((a[name] - b[name]).abs().max()) for name in a) < 1e-5


def test_the_validation_loss_is_a_mean_over_sub_words_whatever_the_batches(options, run, tmp_path):
    losses = []
    for tokens in (40, 300):
        still = replace(
            options, max_tokens=tokens, training=replace(options.training, steps=1, eval_every=1, learning_rate=0.0)
        )
        losses += run(still, tmp_path / str(tokens)).losses
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


def test_a_finished_run_is_not_run_again_and_another_is_refused(options, run, reference_run, monkeypatch):
    monkeypatch.setattr(loop, "run", None)
    done = run(options, reference_run)
    assert (done.steps, len(done.losses)) == (10, 3)
    with pytest.raises(ResumeError, match=r"label_smoothing \(0.1 → 0.2\)"):
        run(replace(options, label_smoothing=0.2), reference_run)


def test_without_a_dev_file_some_sentences_are_held_out(options, run, tmp_path):
    assert len(run(replace(options, dev=""), tmp_path / "out").losses) == 3
    (tmp_path / "p.tsv").write_text("a\tb\n")
    with pytest.raises(InputError, match="1 pairs are too few to hold some out; name a dev file"):
        run(replace(options, dev="", train=str(tmp_path / "p.tsv")), tmp_path / "few")


def test_conventions_are_kept_with_the_model_and_not_changed_unsaid(options, run, tmp_path):
    trained_with = InputOptions(text="tokenised", bos=False, max_source=40, max_target=40)
    brief = replace(options, training=replace(options.training, steps=1, eval_every=0))
    best = run(replace(brief, input=trained_with), tmp_path / "out").directory
    loaded = load(str(best))
    assert loaded.options == trained_with
    assert (loaded.frame.bos, loaded.model.generation_config.forced_bos_token_id) == (None, None)
    assert run(replace(brief, start=str(best)), tmp_path / "on").steps == 1  # continues in the same way
    with pytest.raises(InputError, match=r"was trained with input.bos false, not true; .*--set input.bos=…"):
        run(replace(brief, start=str(best), input=replace(trained_with, bos=True)), tmp_path / "other")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"text": "raw", "beam": 2}, "its config.json is of no BART that this version reads .*unknown key beam"),
        ({"text": "prose"}, "text: expected 'raw' or 'tokenised', found"),
        ("raw", "of no BART that this version reads .'raw' is not an object"),
    ],
)
def test_conventions_of_another_version_are_refused(models, tmp_path, record, message):
    shutil.copytree(models / "bart", tmp_path / "bart")
    config = json.loads((tmp_path / "bart/config.json").read_text())
    (tmp_path / "bart/config.json").write_text(json.dumps({**config, "gec_fair": record}))
    with pytest.raises(InputError, match=message):
        load(str(tmp_path / "bart"), requested=InputOptions())


def test_conventions_that_are_not_recorded_are_the_defaults(models, tmp_path):
    shutil.copytree(models / "bart", tmp_path / "bart")
    config = json.loads((tmp_path / "bart/config.json").read_text())
    (tmp_path / "bart/config.json").write_text(json.dumps({**config, "gec_fair": {"max_source": 40}}))
    assert load(str(tmp_path / "bart"), requested=InputOptions(max_source=60)).options.max_source == 60


def test_dropout_is_that_of_the_options_or_of_the_model(models):
    assert load(str(models / "bart"), dropout=0.3, attention_dropout=0.2).model.config.dropout == 0.3
    assert load(str(models / "bart")).model.config.dropout == 0.1


def test_the_recipe_is_appendix_d():
    recipe = read_settings(RECIPE, BartTraining)
    training = recipe.training
    assert (recipe.input.max_source, recipe.input.max_target, Decoding().beam) == (80, 85, 2)
    assert (training.steps, training.learning_rate, training.weight_decay) == (16_000, 3e-5, 0.0)
    assert (training.adam_beta1, training.adam_beta2, training.adam_epsilon) == (0.9, 0.98, 1e-6)


HEAD = "start: x\ntraining:\n  steps: 5\n"
FAULTS = [
    ("label_smothing: 0.1\n", ":4: unknown key label_smothing; did you mean label_smoothing", "an unknown key"),
    ("input:\n  bos: true\n  txt: raw\n", ":6: unknown key input.txt", "an unknown key inside"),
    ("dropout: 2\n", ": dropout is 2.0; it must be at least 0 and less than 1", "a share above one"),
    ("input:\n  text: prose\n", ":5: input.text", "another way of text"),
]


@pytest.mark.parametrize(("text", "said", "why"), FAULTS, ids=[row[-1] for row in FAULTS])
def test_settings_that_cannot_be_meant_are_told_with_their_line(text, said, why, tmp_path):
    (tmp_path / "s.yaml").write_text(HEAD + text)
    with pytest.raises(InputError) as error:
        read_settings(tmp_path / "s.yaml", BartTraining)
    assert said in str(error.value)


def test_a_gpu_that_is_demanded_and_missing_is_told_before_anything_is_read(options, run, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(training.checkpoint, "load", lambda *_, **__: pytest.fail("a model is read"))
    monkeypatch.setattr(training.data, "prepare", lambda *_, **__: pytest.fail("pairs are cut"))
    with pytest.raises(MissingResource, match="the options demand a GPU"):
        run(replace(options, training=replace(options.training, device="gpu")), tmp_path / "out")


def test_the_first_process_cuts_the_pairs_and_the_others_wait_for_it(options, run, tmp_path, monkeypatch):
    waiting, prepared = [], []
    prepare, first = training.data.prepare, Seq2SeqTrainingArguments.main_process_first

    @contextmanager
    def remember(self, *args, **kwargs):
        with first(self, *args, **kwargs):
            waiting.append(kwargs)
            yield
            waiting.pop()

    monkeypatch.setattr(Seq2SeqTrainingArguments, "main_process_first", remember)
    monkeypatch.setattr(training.data, "prepare", lambda *a, **k: prepared.append(list(waiting)) or prepare(*a, **k))
    run(replace(options, training=replace(options.training, steps=1, eval_every=0)), tmp_path / "out")
    assert prepared == [[{"local": False}]] * 2  # of all machines that share the cache


def test_what_cannot_be_trained_is_told(options, run, models, tmp_path):
    with pytest.raises(InputError, match="no training data are named"):
        run(replace(options, train=""), tmp_path / "a")
    with pytest.raises(MissingResource, match="no model folder"):
        run(replace(options, start=str(tmp_path / "nowhere")), tmp_path / "b")
    with pytest.raises(InputError, match="reads 128 sub-words, fewer than the 500"):
        load(str(models / "bart"), requested=InputOptions(max_source=500))
    with pytest.raises(UsageError, match="beam is 0"):
        Decoding(beam=0)


def test_a_model_of_another_architecture_is_told(tmp_path):
    from transformers import RobertaConfig

    RobertaConfig().save_pretrained(tmp_path)
    with pytest.raises(InputError, match="is a roberta, not a BART"):
        load(str(tmp_path))


def test_a_tokenizer_with_more_rows_than_the_model_is_told(tmp_path):
    from tests.gec.bart import tiny

    with pytest.raises(InputError, match=r"the tokenizer has \d+ rows and the model 300"):
        load(str(tiny.bart(tmp_path, rows=300)))
