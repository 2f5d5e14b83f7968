"""Training: it learns, it resumes, a seed is a seed, and faults are reported."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from gec_fair.cli.options.settings import read_options
from gec_fair.config.settings import read_settings
from gec_fair.errors import InputError, MissingResource, ResumeError
from gec_fair.gec.gector import checkpoint, data
from gec_fair.gec.gector import train as training
from gec_fair.gec.gector.labels import read_labels
from gec_fair.gec.gector.options import Decoding, GectorTraining, InputOptions
from gec_fair.gec.gector.predict import Predictor
from gec_fair.gec.gector.tune import load_decoding, save
from gec_fair.gec.gector.verbs import VerbForms, verb_forms
from gec_fair.models.weights import load_encoder_tokenizer
from gec_fair.trainer import arrow_table, loop
from gec_fair.trainer.arrow_table import training_tables
from gec_fair.trainer.nan_guard import Diverged
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.sampler import Order
from gec_fair.trainer.vocabulary import warn_if_uncased
from tests.cli.invoke import run
from tests.gec.gector import tiny
from tests.trainer.killing import killed_after

STEPS = TrainingOptions(
    steps=12, batch=16, learning_rate=2e-3, save_every=4, eval_every=4, log_every=4, precision="fp32", device="cpu"
)


@pytest.fixture(scope="module")
def options(models):
    return GectorTraining(
        start=str(models / "encoder"),
        labels=str(models / "labels.txt"),
        train=str(models / "train.tsv"),
        dev=str(models / "dev.tsv"),
        training=STEPS,
    )


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(scope="module")
def uncased(options, tmp_path_factory):
    """The tiny encoder with a tokenizer that reads capitals as small letters."""
    folder = tmp_path_factory.mktemp("uncased") / "encoder"
    shutil.copytree(options.start, folder)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)


def test_an_uncased_encoder_is_warned_of_once(options, uncased, tmp_path, capsys):
    tagger = training.start(replace(options, start=uncased))
    assert re.fullmatch(
        f"warning: {uncased} reads The and the as one word, .* take a cased .*\n", capsys.readouterr().err
    )
    tagger.save(tmp_path / "gector")
    training.start(replace(options, start=str(tmp_path / "gector"), labels=""))  # its tokenizer came along
    assert capsys.readouterr().err.count("warning") == 1
    training.start(options)
    assert capsys.readouterr().err == ""


ENCODERS = [("minilm", True), ("distilbert", False), ("smollm2", False)]


@pytest.mark.parametrize(("name", "warns"), ENCODERS)
def test_real_tokenizers_are_cased_or_not(weights, name, warns, capsys):
    warn_if_uncased(name, load_encoder_tokenizer(str(weights(name))))
    assert ("reads The and the as one word" in capsys.readouterr().err) == warns


@pytest.mark.parametrize("steps", [[], [pre_tokenizers.Digits()]], ids=["alone", "in a sequence"])
def test_a_space_stands_before_every_word_whatever_the_tokenizers_class(tmp_path, steps):
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    vocabulary = {piece: n for n, piece in enumerate(["<unk>", "<pad>", "a", "b", "Ġ", "Ġa", "Ġb"])}
    bare = Tokenizer(models.BPE(vocabulary, [("Ġ", "a"), ("Ġ", "b")], unk_token="<unk>"))
    bare.pre_tokenizer = pre_tokenizers.Sequence([*steps, byte_level]) if steps else byte_level
    PreTrainedTokenizerFast(tokenizer_object=bare, unk_token="<unk>", pad_token="<pad>").save_pretrained(tmp_path)
    for _ in range(2):  # and once more from what was saved
        read = load_encoder_tokenizer(str(tmp_path))
        ids = read([["a", "b"]], is_split_into_words=True, add_special_tokens=False)["input_ids"][0]
        assert read.convert_ids_to_tokens(ids) == ["Ġa", "Ġb"]
        read.save_pretrained(tmp_path)


@pytest.fixture(scope="module")
def finished(options, tmp_path_factory):
    """A run of seed 1, into whose folder no test writes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEC_FAIR_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        return training.train(options, tmp_path_factory.mktemp("finished") / "run", seed=1)


def digest(folder) -> str:
    return checkpoint.load(str(folder)).digest()


@pytest.mark.slow
def test_training_learns_to_correct_agreement(options, tmp_path):
    long = replace(
        options,
        training=replace(STEPS, steps=400, batch=32, eval_every=200, save_every=200, log_every=100, schedule="linear"),
    )
    done = training.train(long, tmp_path / "run", seed=0)
    assert done.losses[-1] < done.losses[0]
    predictor = Predictor(checkpoint.load(str(done.directory)))
    pairs = tiny.pairs(60, seed=7)
    texts = predictor.correct([source.split() for source, _ in pairs], Decoding(confidence=0.0)).texts
    right = sum(words == tuple(target.split()) for words, (_, target) in zip(texts, pairs, strict=True))
    assert right >= 0.9 * len(pairs)


def test_a_model_and_its_signature_are_functions_of_what_was_read_and_of_the_seed(options, models, finished, tmp_path):
    shutil.copy(models / "train.tsv", tmp_path / "other.tsv")
    again = training.train(replace(options, train=str(tmp_path / "other.tsv")), tmp_path / "again/run", seed=1)
    changed = training.train(options, tmp_path / "changed/run", seed=2)
    folders = [done.directory for done in (finished, again, changed)]
    signatures = [json.loads((folder.parent / "manifest.json").read_text())["signature"] for folder in folders]
    for one, same, another in (map(digest, folders), signatures):
        assert one == same != another
    assert re.fullmatch(
        r"gector train\|seed:1\|train:\w{8}\|dev:\w{8}\|labels:\w{8}\|start:\w{8}\|gec-fair:[\d.]+\|"
        r"torch:[^|]+\|transformers:[\d.]+\|id:\w{8}",
        signatures[0],
    )


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 5, 11])
def test_a_run_that_was_stopped_anywhere_ends_as_one_that_was_not(options, tmp_path, step):
    # dropout is on in a RoBERTa: the random state has to come back with the checkpoint
    options = replace(options, dropout=0.2, cold_steps=6)
    reference = training.train(options, tmp_path / "whole", seed=1)
    with killed_after(step):
        training.train(options, tmp_path / "killed", seed=1)
    again = training.train(options, tmp_path / "killed", seed=1)
    assert again.losses == reference.losses
    assert digest(again.directory) == digest(reference.directory)


def test_a_half_written_checkpoint_is_never_taken_up(options, tmp_path):
    half = tmp_path / "run" / "checkpoints" / "checkpoint-8"
    half.mkdir(parents=True)
    (half / "model.safetensors").write_bytes(b"half")
    done = training.train(options, tmp_path / "run", seed=1)
    assert done.steps == STEPS.steps


def test_a_finished_run_is_not_run_again_and_another_is_refused(options, finished):
    run = finished.directory.parent
    stamp = (finished.directory / "model.safetensors").stat().st_mtime_ns
    assert training.train(options, run, seed=1) == finished
    assert (finished.directory / "model.safetensors").stat().st_mtime_ns == stamp
    with pytest.raises(ResumeError, match="seed"):
        training.train(options, run, seed=2)
    with pytest.raises(ResumeError, match="learning_rate"):
        training.train(replace(options, training=replace(STEPS, learning_rate=1.0)), run, seed=1)


def test_the_manifest_accounts_for_every_line(options, models, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    long = " ".join(["he"] * 60)
    pairs.write_text((models / "train.tsv").read_text() + f"no tab here\n{long}\t{long} .\n", encoding="utf-8")
    training.train(replace(options, train=str(pairs)), tmp_path / "run", seed=1)
    summary = json.loads((tmp_path / "run" / "manifest.json").read_text())["result"]
    assert (summary["lines"], summary["malformed"], summary["cut"], summary["rows"]) == (301, 1, 1, 301)


def test_the_encoder_is_frozen_in_the_cold_steps_and_the_heads_are_not(options, tmp_path):
    cold = replace(options, cold_steps=12, cold_lr=1e-2, training=replace(STEPS, steps=12))
    done = training.train(cold, tmp_path / "run", seed=1)
    loop.seed_generators(1)
    before = training.start(cold).model.state_dict()
    after = checkpoint.load(str(done.directory)).model.state_dict()
    same = {name: torch.equal(before[name], after[name]) for name in before}
    assert all(same[name] for name in same if name.startswith("encoder."))
    assert not any(same[name] for name in same if "head" in name)


RATES = [(0, 1e-3), (99, 1e-3), (100, 1e-5), (599, 1e-5)]


@pytest.mark.parametrize(("step", "rate"), RATES)
def test_the_learning_rate_is_the_papers(options, step, rate):
    paper = replace(options, cold_steps=100, training=replace(STEPS, steps=600, learning_rate=1e-5))
    assert training.rate(paper)(step) * 1e-5 == pytest.approx(rate)


def test_shares_of_wrong_and_right_sentences_are_drawn_by_seed(options, models, tmp_path):
    pairs = data.prepare(models / "train.tsv", training.start(options)).table
    wrong = arrow_table.column(pairs, "wrong")
    assert len(data.draw_rows(pairs, 0, 1.0, 1.0)) == len(pairs)
    assert not wrong[data.draw_rows(pairs, 0, 0.0, 1.0)].any()
    half = data.draw_rows(pairs, 0, 1.0, 0.5)
    assert wrong[half].sum() == wrong.sum()
    assert 0.3 < (~wrong[half]).sum() / (~wrong).sum() < 0.7
    assert half.tolist() != data.draw_rows(pairs, 1, 1.0, 0.5).tolist()


def test_which_pairs_are_kept_depends_on_the_pair_and_not_on_where_it_stands(options, models, tmp_path):
    lines = list(dict.fromkeys((models / "train.tsv").read_text().splitlines()))
    tagger = training.start(options)
    kept_pairs = []
    for name, order in (("a", lines), ("b", [*lines[20:][::-1], "they see\tthey saw", *lines[:20]])):
        path = tmp_path / f"{name}.tsv"
        path.write_text("".join(line + "\n" for line in order))
        table_ = data.prepare(path, tagger, cache=tmp_path).table
        kept_pairs.append({order[row] for row in data.draw_rows(table_, 3, 0.5, 0.5)} - {"they see\tthey saw"})
    assert kept_pairs[0] == kept_pairs[1]
    assert 0.3 < len(kept_pairs[0]) / len(lines) < 0.7


def test_draws_are_even_and_those_of_two_seeds_have_nothing_to_do_with_each_other():
    items = np.arange(20_000, dtype=np.int64)
    one, two = (data.draw_numbers(items, seed) for seed in (0, 1))
    assert 0 <= one.min() < one.max() < 1
    assert np.abs(np.histogram(one, 10, (0, 1))[0] / 2000 - 1).max() < 0.1
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.03
    assert abs(np.corrcoef(one[1:], one[:-1])[0, 1]) < 0.03  # nor do those of neighbours


def test_a_sentence_whose_errors_are_all_cut_off_counts_as_a_correct_one(options):
    tagger = checkpoint.reading(training.start(options), InputOptions(max_words=4))
    rows = {
        line: data.row_of(line, tagger)
        for line in (
            "he goes home every day\the goes home every days",
            "he go home every day\the goes home every day",
            "he goes home\the goes home",
        )
    }
    assert [(row["wrong"], row["cut"]) for row in rows.values()] == [(False, True), (True, True), (False, False)]
    assert all(len(row["labels"]) == len(row["starts"]) == 4 for row in rows.values())


def test_a_sentence_of_more_sub_words_than_the_encoder_reads_trains_with_what_fits(options, tmp_path):
    long = " ".join(["internationalisation"] * 45)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{long}\t{long} {n} .\n" for n in range(20)))
    row = data.row_of(f"{long}\t{long} .", training.start(options))
    assert (row["size"], row["cut"], len(row["labels"])) == (126, True, len(row["starts"]))  # 128 positions, 5 a word
    done = training.train(replace(options, train=str(pairs), dev=str(pairs)), tmp_path / "run", seed=1)
    assert (done.result["cut"], done.result["dev"]["cut"]) == (20, 20)


def test_more_tags_than_sixteen_bits_number_keep_their_numbers(options, models, tmp_path):
    labels = tmp_path / "labels.txt"
    words = "".join(f"$REPLACE_w{n}\n" for n in range(40_000))
    labels.write_text(f"$KEEP\n$DELETE\n{words}@@UNKNOWN@@\n@@PADDING@@\n")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("he go\the w39999\n")
    tagger = training.start(replace(options, labels=str(labels)))
    assert data.prepare(pairs, tagger, cache=tmp_path).table[0]["labels"] == [0, 0, 2 + 39_999]


def test_pairs_are_tagged_once_for_all_seeds(options, models, monkeypatch):
    tagger = training.start(options)
    data.prepare(models / "train.tsv", tagger)
    monkeypatch.setattr(arrow_table, "_make", lambda *_: pytest.fail("tagged again"))
    assert data.prepare(models / "train.tsv", tagger).counts["lines"] == 300


@pytest.mark.slow
def test_several_processes_tag_as_one_does(options, tmp_path):
    many = tiny.write_pairs(tmp_path / "many.tsv", 3000, seed=2)
    tagger = training.start(options)
    one = data.prepare(many, tagger, cache=tmp_path / "one").table
    two = data.prepare(many, tagger, workers=2, cache=tmp_path / "two").table
    assert one.to_list() == two.to_list()


def test_without_a_dev_file_sentences_are_held_out_by_their_text(options, tmp_path):
    many = tiny.write_pairs(tmp_path / "many.tsv", 3000)
    tagger = training.start(options)
    train, held, _ = training_tables(partial(data.prepare, tagger=tagger, cache=tmp_path), str(many), "")
    assert 0 < len(held) < 0.1 * len(train)
    assert not {tuple(row["ids"]) for row in held} & {tuple(row["ids"]) for row in train}


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_checkpoint(options, tmp_path, monkeypatch):
    forward = training.GectorTrainer.compute_loss

    def spoilt(self, *args, **kwargs):
        loss = forward(self, *args, **kwargs)
        return loss * float("nan") if self.model.training and self.state.global_step >= 6 else loss

    monkeypatch.setattr(training.GectorTrainer, "compute_loss", spoilt)
    with pytest.raises(Diverged, match=r"at update 8; the last good checkpoint is .*checkpoint-4"):
        training.train(options, tmp_path / "run", seed=1)
    last_good = tmp_path / "run/checkpoints/checkpoint-4"
    assert (last_good / "complete").exists()
    assert all(torch.isfinite(values).all() for values in load_file(last_good / "model.safetensors").values())


def test_a_full_disk_keeps_the_last_good_checkpoint(options, tmp_path, monkeypatch):
    save = training.GectorTrainer._save_optimizer_and_scheduler

    def full(self, folder):
        if "checkpoint-8" in str(folder):
            raise OSError(28, "No space left on device")
        return save(self, folder)

    monkeypatch.setattr(training.GectorTrainer, "_save_optimizer_and_scheduler", full)
    with pytest.raises(Exception, match="the disk is full; the last good checkpoint, checkpoint-4, is kept"):
        training.train(options, tmp_path / "run", seed=1)
    monkeypatch.undo()
    assert [path.name for path in (tmp_path / "run/checkpoints").iterdir()] == ["checkpoint-4"]
    assert training.train(options, tmp_path / "run", seed=1).steps == STEPS.steps


def test_patience_stops_a_run_that_gets_no_better(options, tmp_path):
    still = replace(options, training=replace(STEPS, steps=40, learning_rate=0.0, patience=2))
    done = training.train(still, tmp_path / "run", seed=1)
    assert done.steps == 12  # the first look is the best, two more have no lower loss


REFUSED = [
    ({"train": ""}, "no training data are named", "nothing to train on"),
    ({"train": "missing.tsv"}, "missing.tsv: cannot be read", "a wrong path"),
    ({"labels": ""}, "is an encoder without tags; name a labels.txt", "an encoder knows no tags"),
    ({"start": "nowhere/nothing"}, "no model folder", "a model that is not here"),
]


@pytest.mark.parametrize(("changes", "message", "why"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_cannot_be_trained_is_refused(options, tmp_path, monkeypatch, changes, message, why):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises((InputError, MissingResource), match=message):
        training.train(replace(options, **changes), tmp_path / "run", seed=1)


@pytest.fixture(scope="module")
def gector(models, tmp_path_factory):
    """A GECToR to go on from, with its own verb forms."""
    folder = tmp_path_factory.mktemp("gector")
    torch.manual_seed(0)
    verbs = VerbForms([("go", "goes", "VB", "VBZ")], source="few.txt")
    checkpoint.new(str(models / "encoder"), read_labels(models), InputOptions(), verbs, dropout=None).save(folder)
    return folder


def test_going_on_from_a_gector_reads_longer_sentences_if_told_to_and_its_own_otherwise(options, gector, tmp_path):
    options = replace(options, start=str(gector), labels="")
    assert training.start(options).pieces.options == InputOptions()
    options = replace(options, input=InputOptions(max_words=12, max_pieces=2))
    done = training.train(options, tmp_path / "run", seed=1)
    again = checkpoint.load(str(done.directory))
    assert (again.pieces.options, InputOptions(**again.model.config.input)) == (options.input, options.input)
    assert data.row_of("word " * 20 + "\tword", again)["size"] <= 12 * 2


CONTRARY = [
    (
        {"input": {"start_token": False}},
        r"input\.start_token: .* trained with true.*--set input\.start_token=true",
        "$START",
    ),
    ({"verbs": "go_went:VB_VBD\n"}, "trained with other verb forms", "verb forms"),
]


@pytest.mark.parametrize(("changes", "message", "why"), CONTRARY, ids=[row[2] for row in CONTRARY])
def test_what_a_gector_was_not_trained_with_is_refused_rather_than_ignored(
    options, gector, tmp_path, changes, message, why
):
    (tmp_path / "verbs.txt").write_text(changes.get("verbs", ""))
    contrary = (
        {"verbs": str(tmp_path / "verbs.txt")} if "verbs" in changes else {"input": InputOptions(**changes["input"])}
    )
    with pytest.raises(InputError, match=message):
        training.start(replace(options, start=str(gector), labels="", **contrary))


def test_the_verb_forms_that_a_gector_was_trained_with_may_be_named(options, gector, tmp_path):
    (tmp_path / "verbs.txt").write_text("go_goes:VB_VBZ\n")
    tagger = training.start(replace(options, start=str(gector), labels="", verbs=str(tmp_path / "verbs.txt")))
    assert list(tagger.verbs.lines()) == ["go_goes:VB_VBZ"]


def test_a_new_models_folder_holds_no_copy_of_lemminflects_forms_and_its_card_says_so(finished):
    folder = finished.directory
    assert not (folder / checkpoint.VERBS_FILE).exists()
    assert "| verb forms | lemminflect |" in (folder / "README.md").read_text()
    assert checkpoint.load(str(folder)).verbs is verb_forms()


THRESHOLDS = [
    (None, None, Decoding(), "nothing was said: the defaults"),
    (Decoding(confidence=0.7), None, Decoding(confidence=0.7), "those of the model that it began with"),
    (Decoding(confidence=0.7), Decoding(iterations=3), Decoding(iterations=3), "those of the settings before these"),
]


@pytest.mark.parametrize(
    ("start_decoding", "settings_decoding", "expected", "why"), THRESHOLDS, ids=[row[3] for row in THRESHOLDS]
)
def test_a_trained_model_keeps_thresholds(options, gector, tmp_path, start_decoding, settings_decoding, expected, why):
    shutil.copytree(gector, tmp_path / "start")
    if start_decoding is not None:
        save(start_decoding, tmp_path / "start")
    options = replace(options, start=str(tmp_path / "start"), labels="", decoding=settings_decoding)
    folder = training.train(replace(options, training=replace(STEPS, steps=2)), tmp_path / "run", seed=1).directory
    assert load_decoding(folder) == expected
    assert (folder / "decoding.yaml").exists() == bool(start_decoding or settings_decoding)


def test_thresholds_can_stand_in_the_settings(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(
        "start: x\ntraining: {steps: 4}\ndecoding: {iterations: 5, min_error_probability: 0.5, confidence: 0.2}\n"
    )
    assert read_settings(path, GectorTraining).decoding == Decoding(5, 0.5, 0.2)


def test_other_tags_than_the_models_are_refused(options, models, finished, tmp_path):
    wrong_labels = tmp_path / "labels.txt"
    wrong_labels.write_text((models / "labels.txt").read_text().replace("@@PADDING@@", "$REPLACE_x\n@@PADDING@@"))
    with pytest.raises(InputError, match="was trained with other tags"):
        training.start(replace(options, start=str(finished.directory), labels=str(wrong_labels)))


def test_a_gpu_that_is_demanded_and_not_here_is_told(options, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(MissingResource, match=r"demand a GPU and torch sees none.*training\.device to any"):
        training.train(replace(options, training=replace(STEPS, device="gpu")), tmp_path / "run", seed=1)


def test_curves_go_to_tensorboard_if_asked(options, tmp_path):
    pytest.importorskip("tensorboard")
    training.train(replace(options, training=replace(STEPS, report_to=("tensorboard",))), tmp_path / "run", seed=1)
    assert list((tmp_path / "run/tensorboard").glob("events.out.*"))


@pytest.mark.parametrize("kind", ["modernbert", "bert", "deberta-v2"])
def test_any_encoder_will_do(options, tmp_path, kind):
    tiny.encoder(tmp_path / "encoder", kind=kind)
    done = training.train(replace(options, start=str(tmp_path / "encoder")), tmp_path / "run", seed=1)
    assert digest(done.directory)


def test_the_command_trains_and_goes_on_from_a_gector(models, tmp_path):
    settings = tmp_path / "tiny.yaml"
    settings.write_text(
        f"start: {models / 'encoder'}\nlabels: {models / 'labels.txt'}\n"
        "training: {steps: 4, batch: 8, device: cpu, precision: fp32}\n"
    )
    words = ("gector", "train", settings, "--train", models / "train.tsv", "--dev", models / "dev.tsv")
    done = run(*words, "-o", tmp_path / "first")
    assert done.code == 0, done.stderr
    done = run(
        *words,
        "--start",
        tmp_path / "first/best",
        "--set",
        "labels=''",
        "--set",
        "training.steps=2",
        "--seed",
        5,
        "-o",
        tmp_path / "second",
    )
    assert "2 updates" in done.stdout, done.stderr
    assert json.loads((tmp_path / "second/manifest.json").read_text())["seed"] == 5


def test_lines_that_did_not_train_or_not_whole_are_noted_once_for_each_file(models, tmp_path):
    long = " ".join(["he"] * 60)
    for name, kind in (("train", 2), ("dev", 1)):
        text = (models / f"{name}.tsv").read_text()
        (tmp_path / f"{name}.tsv").write_text(text + "no tab\n" * kind + f"{long}\t{long}\n" * (kind - 1))
    settings = tmp_path / "tiny.yaml"
    settings.write_text(
        f"start: {models / 'encoder'}\nlabels: {models / 'labels.txt'}\n"
        "training: {steps: 1, batch: 8, device: cpu, precision: fp32}\n"
    )
    words = ("gector", "train", settings, "-o", tmp_path / "run", "--train", tmp_path / "train.tsv", "--dev")
    notes = [line for line in run(*words, tmp_path / "dev.tsv").stderr.splitlines() if line.startswith("note")]
    fault = "expected 2 columns, found 1; give source<TAB>target lines"
    assert notes == [
        f"note: {tmp_path}/train.tsv: of 303 lines 2 are malformed and were left out, 1 are too long "
        "(input.max_words) and train with their beginning",
        f"note: the first malformed line: {tmp_path}/train.tsv:301: {fault}",
        f"note: {tmp_path}/dev.tsv: of 61 lines 1 are malformed and were left out",
        f"note: the first malformed line: {tmp_path}/dev.tsv:61: {fault}",
    ]
    done = run(*words[:3], "-o", tmp_path / "clean", "--train", models / "train.tsv", "--dev", models / "dev.tsv")
    assert "note" not in done.stderr


def test_a_run_that_cannot_begin_leaves_its_folder_to_another(options, models, tmp_path):
    for wrong in ({"start": str(tmp_path)}, {"dev": str(models / "labels.txt")}, {"labels": ""}):
        with pytest.raises(InputError):
            training.train(replace(options, **wrong), tmp_path / "run", seed=1)
    assert training.train(options, tmp_path / "run", seed=2).steps == STEPS.steps


def test_two_batches_accumulated_make_the_update_of_one_twice_as_large(options, tmp_path, monkeypatch):
    # batches of the same pairs: order is by length within a pool, and pools are cut by the batch
    monkeypatch.setattr(Order, "__iter__", lambda self: iter([n % self.items for n in range(self.total)]))
    weights = []
    for name, batch, accumulation in (("one", 16, 1), ("two", 8, 2)):
        shape = replace(STEPS, steps=6, batch=batch, accumulation=accumulation, learning_rate=1e-3)
        done = training.train(replace(options, dropout=0.0, training=shape), tmp_path / name, seed=1)
        weights.append(load_file(done.directory / "model.safetensors"))
    one, two = weights
    assert max(float((one[key] - two[key]).abs().max()) for key in one) < 2e-4
    loop.seed_generators(1)
    start_weights = training.start(replace(options, dropout=0.0)).model.state_dict()
    assert max(float((one[key] - start_weights[key]).abs().max()) for key in one) > 4e-3  # it did learn


SETTINGS = [
    ("training:\n  steps: 4\n  bacth: 3\n", r"x\.yaml:3: unknown key training\.bacth; did you mean batch\?", "a slip"),
    ("training: {steps: 4}\nverb: x\n", r"x\.yaml:2: unknown key verb; did you mean verbs\?", "at the top"),
    ("training:\n  steps: many\n", r"x\.yaml:2: training\.steps: .*integer", "a value of another type"),
    ("training:\n  steps: 0\n", r"x\.yaml:2: training\.steps is 0; it must be at least 1", "a value out of range"),
    ("training:\n  batch: 2\n", r"x\.yaml:1: training\.steps is missing", "a value that must be given"),
    ("training: [1\n", r"x\.yaml:2: is not valid YAML", "broken YAML"),
    ("training:\n  steps: 1\n  steps: 2\n", r"x\.yaml:3: steps is there twice", "YAML would take the last"),
    (
        "training: {steps: 1}\ninput:\n  max_words: 1\n",
        r"x\.yaml:3: input\.max_words is 1; it must be at least 2",
        "an option that may be null",
    ),
]


@pytest.mark.parametrize(("text", "message", "why"), SETTINGS, ids=[row[2] for row in SETTINGS])
def test_settings_are_checked_by_line(tmp_path, text, message, why):
    path = tmp_path / "x.yaml"
    path.write_text(text + ("" if "[1" in text else "start: x\n"))
    with pytest.raises(InputError, match=message):
        read_settings(path, GectorTraining)


def test_the_papers_yaml_is_an_experiments_and_one_run_reads_its_settings():
    path = Path(__file__).parents[3] / "training/gector-clang8.yaml"
    options = read_options(path, GectorTraining, ("training.steps=5", "training.device=any"), start="x", train="y.tsv")
    assert (options.start, options.train, options.training.steps, options.training.batch) == ("x", "y.tsv", 5, 32)
    assert options.decoding == Decoding(iterations=5, min_error_probability=0.5, confidence=0.2)
    with pytest.raises(
        InputError, match=r"^--set training\.bathc=5: unknown key training\.bathc; did you mean batch\?"
    ):
        read_options(path, GectorTraining, ("training.bathc=5",))
