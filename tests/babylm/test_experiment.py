"""An experiment whole, on a model that is small enough for a test."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from gec_fair.babylm import experiment as experiments
from gec_fair.babylm.experiment import Snapshot
from gec_fair.babylm.options import BabyExperiment
from gec_fair.babylm.report import page, summary
from gec_fair.config.settings import read_settings
from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.runs import grid
from gec_fair.runs.grid import CellsFailed
from gec_fair.runs.lock import lock
from gec_fair.trainer.options import EncoderOptions, PretrainOptions, TrainingOptions
from gec_fair.trainer.pretraining import encoder
from gec_fair.trainer.pretraining.packed import Packed
from tests.cli.invoke import run as command
from tests.gec.gector import tiny

TEXT = "\n".join(target.capitalize() for _, target in tiny.pairs(300))


@pytest.fixture(autouse=True)
def _use_sets(monkeypatch, bias_sets):
    """Trainings in this process: starting one takes longer than the training."""
    monkeypatch.setattr(experiments, "run_isolated", lambda call: call())


@pytest.fixture
def options(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    pretrain = PretrainOptions(
        training=TrainingOptions(steps=6, batch=4, learning_rate=1e-3, save_every=3, device="cpu", precision="fp32"),
        words="raw",
        vocabulary=400,
        block=16,
        validation=0.1,
        unit="pieces",
        keep_at=(0, 3),
        encoder=EncoderOptions(architecture="ltg-bert", hidden=16, layers=1, heads=2, intermediate=24, positions=128),
    )
    return BabyExperiment(
        (str(path),),
        pretrain,
        corpora=("original", "cda"),
        seeds=2,
        sample=12,
        suites=("crows", "blimp_supplement_fast"),
    )


@pytest.mark.slow
def test_an_experiment_from_corpora_to_figures(options, tmp_path, monkeypatch):
    out, messages = tmp_path / "out", []
    snapshots = experiments.run(options, out, say=messages.append)
    assert [(snapshot.corpus, snapshot.seed, snapshot.step) for snapshot in snapshots] == [
        (corpus, seed, step) for seed in (0, 1) for corpus in ("original", "cda") for step in (0, 3, 6)
    ]
    models = [json.loads((out / f"runs/{name}/0/best/tokenizer.json").read_text()) for name in ("original", "cda")]
    assert models[0] == models[1]  # one vocabulary
    start = [(out / f"runs/{name}/1/steps/0/model.safetensors").read_bytes() for name in ("original", "cda")]
    assert start[0] == start[1]  # and the same beginning
    written, tables = page.write(options, snapshots, out)
    assert {path.relative_to(out).as_posix() for path in written} >= {
        "report.html",
        "tables/models.md",
        "tables/curves.csv",
        "figures/curves.svg",
        "figures/changes.png",
    }
    assert [table.name for table in tables] == ["models", "changes"]
    html = (out / "report.html").read_text()
    HTMLParser().feed(html)
    assert all(f'data-chart="{name}"' in html for name in ("curves", "parts", "changes"))

    monkeypatch.setattr(experiments, "train_and_judge", None)  # nothing is left to do
    assert experiments.run(options, out) == snapshots
    with pytest.raises(ResumeError, match=r"training\.steps \(6 → 7\)"):
        experiments.run(_steps(options, 7), out)


@pytest.mark.slow
def test_another_vocabulary_in_the_folder_is_refused_and_a_model_may_be_gone_on_from(options, tmp_path):
    options = replace(options, corpora=("original",), seeds=1)
    experiments.run(options, tmp_path / "out")
    with pytest.raises(ResumeError, match="holds a vocabulary of other texts or options"):
        experiments.run(replace(options, pretrain=replace(options.pretrain, vocabulary=280)), tmp_path / "out")
    start = str(tmp_path / "out/runs/original/0/best")
    snapshots = experiments.run(replace(options, pretrain=replace(options.pretrain, start=start)), tmp_path / "on")
    assert [snapshot.step for snapshot in snapshots] == [0, 3, 6]
    first = (tmp_path / "on/runs/original/0/steps/0/model.safetensors").read_bytes()
    assert first == (tmp_path / "out/runs/original/0/best/model.safetensors").read_bytes()


@pytest.mark.slow
def test_an_experiment_that_was_killed_before_it_judged_ends_as_one_that_was_not(options, tmp_path, monkeypatch):
    options = replace(options, corpora=("original",), seeds=1)
    snapshots = experiments.run(options, tmp_path / "whole")

    def killed(*options, **named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(experiments.Evaluations, "judge", killed)
        with pytest.raises(KeyboardInterrupt):
            experiments.run(options, tmp_path / "killed")
    assert experiments.run(options, tmp_path / "killed") == snapshots


def test_texts_are_cut_once_by_several_that_want_them(options, tmp_path):
    options = replace(options.pretrain, texts=options.texts)
    with ThreadPoolExecutor(4) as pool:
        ids = [
            turn.result()
            for turn in [pool.submit(encoder.prepare_texts, options, tmp_path / "packed") for _ in range(4)]
        ]
    assert len({path for _, path in ids}) == 1
    assert not list((tmp_path / "packed").glob("*.partial"))
    assert {len(Packed(path)) for _, path in ids} == {len(Packed(ids[0][1]))}


def _steps(options, steps):
    return replace(
        options, pretrain=replace(options.pretrain, training=replace(options.pretrain.training, steps=steps))
    )


def test_other_suites_are_asked_of_the_models_that_are_kept(options, tmp_path):
    options = replace(options, corpora=("original",), seeds=1)
    first = experiments.run(options, tmp_path / "out")
    more = experiments.run(replace(options, suites=("blimp_supplement_fast",)), tmp_path / "out")
    assert [snapshot.step for snapshot in more] == [snapshot.step for snapshot in first]
    assert {figure["suite"] for snapshot in more for figure in snapshot.figures} == {"blimp_supplement_fast"}
    lean = replace(options, keep_models=False)
    experiments.run(lean, tmp_path / "lean")
    assert not (tmp_path / "lean/runs/original/0/steps").exists()
    with pytest.raises(CellsFailed):
        experiments.run(replace(lean, suites=("crows",)), tmp_path / "lean", say=(messages := []).append)
    assert "the model was removed (keep_models: false)" in messages[-1]


def test_a_training_that_fails_leaves_the_others_and_is_named(options, tmp_path, monkeypatch):
    train_and_judge = experiments.train_and_judge

    def failing(cell, *positional):
        if cell.corpus == "original":
            raise InputError("this one")
        train_and_judge(cell, *positional)

    monkeypatch.setattr(experiments, "train_and_judge", failing)
    with pytest.raises(CellsFailed, match="1 cell failed: original/0"):
        experiments.run(replace(options, seeds=1), tmp_path / "out", say=(messages := []).append)
    assert "original/0: this one" in messages
    assert list((tmp_path / "out/runs/cda/0/judged").glob("6-*.json"))


def test_a_cell_that_another_process_is_at_is_waited_for(options, tmp_path, monkeypatch):
    options = replace(options, corpora=("original",), seeds=1)
    busy = lock(tmp_path / "out/runs/original/0")
    busy.__enter__()
    monkeypatch.setattr(grid.time, "sleep", lambda seconds: busy.__exit__(None, None, None))
    assert len(experiments.run(options, tmp_path / "out")) == 3


def make_snapshot(corpus, seed, step, blimp, crows):
    figures = [
        {"suite": "blimp", "part": "mean of 67 paradigms", "measure": "accuracy, %", "value": blimp},
        {"suite": "crows", "part": "all", "measure": "stereotype preferred, %", "value": crows},
    ]
    return Snapshot(corpus, seed, step, tuple(figures))


def test_changes_are_of_the_same_seed_and_intervals_are_students():
    snapshots = [
        make_snapshot("original", 0, 5, 60, 50),
        make_snapshot("original", 1, 5, 70, 54),
        make_snapshot("original", 2, 5, 65, 52),
        make_snapshot("cda", 0, 5, 61, 48),
        make_snapshot("cda", 1, 5, 72, 50),
        make_snapshot("cda", 2, 5, 68, 50),
    ]
    last, against, _ = summary.tables(snapshots, {})
    assert last.records[0]["composite performance"] == 65
    assert last.records[0]["composite performance_pm"] == pytest.approx(12.42069, abs=1e-4)  # 4.303 × 5 / √3
    (row,) = against.records
    assert (row["composite performance"], row["composite bias"]) == pytest.approx((2.0, -8 / 3))
    assert row["composite performance_pm"] == pytest.approx(2.484, abs=1e-3)
    means = [row for row in summary.change_rows(snapshots) if row["seed"] is None]
    assert means == [{"group": "cda", "seed": None, "performance": 2.0, "bias": pytest.approx(-8 / 3)}]
    (low, high) = next((row["low"], row["high"]) for row in summary.curve_rows(snapshots, ("composite bias",)))
    assert (low, high) == (50, 54)


def test_corpora_are_compared_where_all_of_them_have_come():
    snapshots = [
        make_snapshot("original", 0, 5, 60, 50),
        make_snapshot("original", 0, 9, 90, 90),
        make_snapshot("cda", 0, 5, 61, 48),
    ]
    last, against, _ = summary.tables(snapshots, {})
    assert [row["updates"] for row in last.records] == [5, 5]
    assert against.records[0]["BLiMP"] == 1
    assert summary.tables([], {}) == []
    assert summary.charts([]) == {}


MISTAKES = [
    ("corpora=[original, cta]", "did you mean cda", "a corpus that does not exist"),
    ("corpora=[cda, cda]", "one twice", "a corpus twice"),
    ("pretrain.texts=[a.txt]", "pretrain.texts is what the experiment gives every model", "texts twice"),
    ("share=0", "share is 0", "nothing of the texts"),
    ("cda.names=some", "cda.names: expected 'fixed', 'draw' or 'keep'", "names of CDA"),
    ("seeds=0", "seeds is 0", "no seed"),
    ("pretrain.training.patience=1", "patience stops early", "stopping early"),
    ("pretrain.block=600", "reads encoder.positions (512)", "blocks that are too long"),
    ("corpora=[original, detoxified]", "detoxified.model names no chat model", "no chat model"),
    ("perturbed.axes=[gendre]", "gendre", "an axis that does not exist"),
]


@pytest.mark.parametrize(("change", "message", "why"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_what_cannot_be_meant_is_refused_before_anything_is_made(change, message, why, tmp_path):
    done = command("babylm", "experiment", "training/babylm-cda.yaml", "--set", change, "-o", tmp_path / "out")
    assert (done.code, message in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "out").exists()


def test_missing_texts_are_named(tmp_path):
    done = command("babylm", "corpora", "training/babylm-cda.yaml", "-o", tmp_path / "out")
    assert (done.code, "babylm.txt: no such file; name text files under texts" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["cda", "toxicity", "detoxified", "perturbed", "small"])
def test_the_settings_that_are_shipped_are_read(name, pytestconfig):
    experiment_ = read_settings(pytestconfig.rootpath / f"training/babylm-{name}.yaml", BabyExperiment)
    assert experiment_.pretrain.encoder.architecture == "ltg-bert"
    with pytest.raises(UsageError, match="seeds is"):
        replace(experiment_, seeds=())
