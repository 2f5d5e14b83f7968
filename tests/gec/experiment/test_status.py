"""What a cell was made from is compared with what is asked for now, everywhere by the same rule."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from gec_fair.gec.bart.options import BartTraining
from gec_fair.gec.editscorer.options import RankerTraining
from gec_fair.gec.experiment.cells import cells
from gec_fair.gec.experiment.options import read_experiment
from gec_fair.gec.experiment.status import read_request, read_status
from gec_fair.gec.gector.options import GectorTraining
from gec_fair.runs import digests
from gec_fair.trainer import records
from gec_fair.trainer.options import TrainingOptions
from tests.cli.invoke import run
from tests.gec.experiment import toy
from tests.gec.experiment.test_experiment import rows
from tests.gec.experiment.toy import SETS, STEPS, results, words
from tests.gec.gector import tiny

FIRST, SECOND = SETS


@pytest.fixture
def mine(reference_run, place, tmp_path):
    """A copy of the settings' folder and of what came of it, to be changed."""
    shutil.copytree(place, tmp_path / "place")
    text = (place / "toy.yaml").read_text().replace(str(place), str(tmp_path / "place"))
    (tmp_path / "place/toy.yaml").write_text(text)
    shutil.copytree(reference_run[0], tmp_path / "out")
    return tmp_path / "place", tmp_path / "out"


def states(place, out, *more):
    return json.loads(run(*words(place, "status", out, "--json", *more)).stdout)


def test_the_same_files_elsewhere_are_the_same_experiment(mine):
    assert set(states(*mine).values()) == {"finished"}
    assert "4 of 4 cells are finished" in run(*words(mine[0], "status", mine[1])).stdout


def test_status_tells_how_far_each_cell_is(place, tmp_path):
    half = tmp_path / "cells/1/0/checkpoints/checkpoint-20"
    half.mkdir(parents=True)
    (half / "complete").touch()
    (half / "trainer_state.json").write_text(json.dumps({"global_step": 20, "max_steps": 7000}))
    assert states(place, tmp_path) == {"1/0": "20 of 7,000 updates", "2/0": "", "1/1": "", "2/1": ""}


def test_a_baseline_that_is_not_there_is_not_called_trained(mine, tmp_path):
    place, out = mine
    (tmp_path / "empty").mkdir()
    for name in ("/no/such", "models/base", tmp_path / "empty"):  # the second may be a name of the hub
        setting = ("--set", f"baseline={name}")
        assert states(place, tmp_path / "new", *setting)["0/0"] == "no model here", name
    shutil.copytree(out / "cells/1/0/best", place / "base")
    setting = ("--set", f"baseline={place}/base")
    assert states(place, out, *setting)["0/0"] == "trained"
    assert run(*words(place, "run", out, *setting, "--cell", "0")).code == 0
    assert states(place, out, *setting)["0/0"] == "finished"
    shutil.rmtree(place / "base")
    assert states(place, out, *setting)["0/0"] == "no model here"


def other_pairs(place):
    tiny.write_pairs(place / "mix/system1/train.tsv", 200, seed=8)


def other_start(place):
    shutil.rmtree(place / "encoder")
    tiny.encoder(place / "encoder", seed=8)


def other_thresholds(place):
    (place / "encoder/decoding.yaml").write_text("confidence: 0.9\n")


def other_dev(place):
    tiny.write_pairs(place / "dev.tsv", 40, seed=8)


CHANGES = [
    (lambda place: None, ("settings.training.steps=4",), f"training.steps ({STEPS} → 4)", "12", "an option"),
    (lambda place: None, ("settings.dev=''",), "dev (content differs)", "12", "a file that is not named now"),
    (other_pairs, (), "train (content differs)", "1", "the pairs of one system"),
    (other_start, (), "start (content differs)", "12", "the weights of the start"),
    (other_thresholds, (), "start (content differs)", "12", "what was chosen beside the start"),
    (other_dev, (), "dev (content differs)", "12", "the development pairs"),
]


@pytest.mark.parametrize(("change", "sets", "said", "whose", "why"), CHANGES, ids=[row[4] for row in CHANGES])
def test_cells_of_other_settings_are_shown_refused_and_left_alone(mine, change, sets, said, whose, why):
    place, out = mine
    change(place)
    more = [word for setting in sets for word in ("--set", setting)]
    statuses = states(place, out, *more)
    assert {name[0] for name, state in statuses.items() if state == "other settings"} == set(whose)
    before = results(out)
    for verb in ("run", "table"):
        done = run(*words(place, verb, out, *more))
        assert (done.code, done.stdout) == (2, "")
        assert "1/0: " in done.stderr
        assert said in done.stderr
        assert "\n1/1: " in done.stderr  # all of them, at once
    assert results(out) == before


def test_what_was_left_out_then_and_is_named_now_differs(place):
    _, settings = read_experiment(place / "toy.yaml")
    options = replace(settings, train=str(place / "dev.tsv"))
    record = records.identity_of(replace(options, start="org/a", dev=""), 0).as_json()
    assert sorted(records.identity_of(options, 0).differences(record)) == [
        "dev (content differs)",
        "start (content differs)",
    ]


def test_a_baseline_is_another_when_its_generator_is(place, tmp_path):
    for name, text in {
        "es/config.json": "{}",
        "es/editscorer.yaml": "generator: ../gector\n",
        "gector/model.safetensors": "a",
        "es/README.md": "a card",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    experiment, settings = read_experiment(place / "toy.yaml")
    request = read_request(replace(experiment, baseline=str(tmp_path / "es")), settings)
    base = replace(cells(experiment, tmp_path / "out")[0], pairs="")
    digests = {read_status(base, request).model}
    (tmp_path / "es/README.md").write_text("another card")
    assert {read_status(base, request).model} == digests
    (tmp_path / "gector/model.safetensors").write_text("bb")
    assert read_status(base, request).model not in digests


TRAINERS = [
    (GectorTraining, {"labels": "a", "verbs": "b"}, {}, "gector"),
    (BartTraining, {}, {}, "bart"),
    (RankerTraining, {"lists": ("a", "b"), "dev_lists": ("b",)}, {"generator": "other"}, "editscorer"),
]


@pytest.mark.parametrize(("kind", "files", "models", "why"), TRAINERS, ids=[row[3] for row in TRAINERS])
def test_what_a_trainer_writes_down_is_read_as_it_was_meant(tmp_path, kind, files, models, why):
    for name in ("a", "b", "train", "dev", "start/model.safetensors", "start/config.json", "other/x.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    files, models = {"train": "train", "dev": "dev", **files}, {"start": "start", **models}
    values = {
        name: tuple(str(tmp_path / one) for one in value) if isinstance(value, tuple) else str(tmp_path / value)
        for name, value in (files | models).items()
    }
    training = TrainingOptions(steps=5, batch=1, learning_rate=0.1)
    options = kind(training=training, **values)
    record = json.loads(json.dumps(records.identity_of(options, 3).as_json()))
    assert records.identity_of(options, 3).differences(record) == []
    assert records.identity_of(options, 4).differences(record) == ["seed (3 → 4)"]
    for name in ("a", "b", "dev", "start/config.json", "other/x.json"):
        (tmp_path / name).write_text("something else")
    differing = {line.partition(" (")[0] for line in records.identity_of(options, 3).differences(record)}
    assert differing == {*files, *models} - {"train"}


def test_a_set_that_is_added_is_predicted_and_nothing_else_is(mine, monkeypatch):
    place, out = mine
    toy.twins(place / "third", "st")
    (place / "third/toy_orig.src.txt").write_text((place / "third/toy_orig.src.txt").read_text().replace(".", "!"))
    (place / "third/toy_orig.m2").write_text((place / "third/toy_orig.m2").read_text().replace(" .\n", " !\n"))
    before = {path: path.stat().st_mtime_ns for path in out.glob("cells/1/0/**/*.txt")}
    more = ("--set", f"sets=[{place}/{FIRST}, {place}/{SECOND}, {place}/third]", "--cell", "1/0")
    assert states(place, out, *more[:2])["1/0"] == "lacks third"
    done = run(*words(place, "run", out, *more))
    assert done.code == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert (out / "cells/1/0/third/aug.txt").exists()
    assert list(json.loads((out / "cells/1/0/scores.json").read_text())["sets"]) == [FIRST, SECOND, "third"]


def test_a_set_that_has_changed_is_corrected_anew_and_no_old_figure_is_printed(mine):
    place, out = mine
    for path in (place / FIRST).iterdir():
        between = "\n\n" if path.suffix == ".m2" else "\n"
        path.write_text(between.join(path.read_text().split(between)[1:]))
    before = (out / f"cells/1/0/{FIRST}/orig.txt").read_text().splitlines()
    assert set(states(place, out).values()) == {"other settings"}
    refused = run(*words(place, "table", out))
    assert refused.code == 2
    assert f"1/0: {FIRST} (scored with other sources, references)" in refused.stderr
    assert run(*words(place, "run", out, "--cell", "1/0")).code == 0
    assert (out / f"cells/1/0/{FIRST}/orig.txt").read_text().splitlines() == before[1:]


def test_an_output_that_somebody_edited_is_made_again(mine):
    place, out = mine
    before = results(out)
    (out / f"cells/1/0/{FIRST}/orig.txt").write_text("mine\n" * 30)
    assert states(place, out)["1/0"] == f"lacks {FIRST}"
    assert run(*words(place, "run", out, "--cell", "1/0")).code == 0
    assert results(out) == before


def test_without_its_model_a_cell_keeps_what_it_has_and_says_what_can_be_done(mine):
    place, out = mine
    dropped = ("--set", "keep_models=false", "--cell", "1/0")
    assert run(*words(place, "run", out, *dropped)).code == 0
    before = results(out)
    toy.twins(place / "third", "st")
    (place / "third/toy_orig.src.txt").write_text("he go home .\n" * 30)
    more = ("--set", f"sets=[{place}/{FIRST}, {place}/third]")
    done = run(*words(place, "run", out, *more, *dropped))
    assert done.code == 2
    assert "1/0: its model was removed (keep_models: false), and outputs for third are to be made" in done.stderr
    assert f"remove {out}/cells/1/0 to train it anew" in done.stderr
    assert results(out) == before
    fewer = ("--set", f"sets=[{place}/{FIRST}]")
    assert run(*words(place, "run", out, *fewer, *dropped)).code == 0  # what it has, it still has


def test_a_baselines_thresholds_are_part_of_it(mine):
    place, out = mine
    shutil.copytree(out / "cells/1/0/best", place / "base")
    setting = ("--set", f"baseline={place}/base")
    assert run(*words(place, "run", out, *setting, "--cell", "0")).code == 0
    assert states(place, out, *setting)["0/0"] == "finished"
    (place / "base/decoding.yaml").write_text("min_error_probability: 1\nconfidence: 0.9\n")
    assert states(place, out, *setting)["0/0"] == "other settings"
    assert f"0/0: {FIRST} (scored with other model)" in run(*words(place, "table", out, *setting)).stderr
    assert run(*words(place, "run", out, *setting, "--cell", "0")).code == 0
    assert states(place, out, *setting)["0/0"] == "finished"
    assert (out / "cells/0/0/full.txt").read_text() == "".join(
        a + "\n" for a, _ in tiny.pairs(30, 5)
    )  # nothing changed


NAMED = {"system1": {"orig": 200}, "system2": {"orig": 200, "st": 40, "mf": 0}}
MANIFESTS = [
    ({"job": "mix", "systems": NAMED}, {"1": ["orig"], "2": ["orig", "st"]}, "as the manifest says"),
    ({"job": "mix", "systems": {"system1": {"mf": 9}}}, {"1": ["mf"]}, "whatever the system is called"),
    ({"job": "st", "systems": NAMED}, {}, "a manifest of another command"),
    ([1], {}, "a manifest of another program"),
    (None, {}, "a folder made by hand"),
]


@pytest.mark.parametrize(("manifest", "known", "why"), MANIFESTS, ids=[row[2] for row in MANIFESTS])
def test_what_a_mix_is_made_of_is_known_from_its_manifest_alone(place, tmp_path, manifest, known, why):
    shutil.copytree(place / "mix", tmp_path / "mix")
    (tmp_path / "mix/manifest.json").unlink(missing_ok=True)
    if manifest is not None:
        (tmp_path / "mix/manifest.json").write_text(json.dumps(manifest))
    experiment, _ = read_experiment(place / "toy.yaml", changes={"mix": str(tmp_path / "mix")})
    assert experiment.trained_on == (
        {"0": (), **{name: tuple(kinds) for name, kinds in known.items()}} if known else {}
    )


def test_the_tables_ticks_are_those_of_the_mix(mine):
    place, out = mine
    (place / "mix/manifest.json").unlink(missing_ok=True)
    for manifest, orig in ((None, ""), ({"job": "mix", "systems": NAMED}, "✓")):
        if manifest is not None:
            (place / "mix/manifest.json").write_text(json.dumps(manifest))
        done = run(*words(place, "table", out, "--resamples", 100))
        assert done.code == 0, done.stderr
        head, *records = rows(done.stdout, f"Table 5: The gap on {FIRST}")
        assert {row[head.index("Orig")] for row in records if "Lund" not in row[head.index("system")]} == {orig}


def test_the_table_says_which_cells_it_leaves_out(mine):
    place, out = mine
    shutil.rmtree(out / "cells/2/1")
    done = run(*words(place, "table", out, "--resamples", 100))
    assert done.code == 0, done.stderr
    assert "note: not finished, and left out: 2/1" in done.stderr


def test_texts_that_are_too_long_are_counted_and_the_table_says_so(mine):
    place, out = mine
    long = " ".join(["they", "go", *["home"] * 60])
    with (place / "dev.m2").open("a") as file:
        file.write(toy.m2(long, long))
    assert run(*words(place, "run", out, "--set", "seeds=1")).code == 0
    scores = json.loads((out / "cells/1/0/scores.json").read_text())
    assert scores["full"]["passed_through"] == [1]
    assert scores["sets"][FIRST]["passed_through"] == [0, 0]
    messages = run(*words(place, "table", out, "--set", "seeds=1", "--resamples", 100)).stderr
    assert "note: full: 2 texts were passed through, as too long or without an answer (all cells)" in messages


def test_a_file_is_read_once_however_many_cells_ask(place, reference_run, monkeypatch):
    request = read_request(*read_experiment(place / "toy.yaml"))
    read = []
    whole_file = digests._sha256.__wrapped__
    monkeypatch.setattr(
        digests, "_sha256", lru_cache(lambda path, *stat: read.append(Path(path)) or whole_file(path, *stat))
    )
    assert all(read_status(cell, request).finished for cell in cells(request.experiment, reference_run[0]))
    assert len([path for path in read if path.name == "model.safetensors"]) == 1
    assert len(read) == len(set(read))
