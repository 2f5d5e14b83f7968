"""Experiments: cells are skipped, resumed, killed and repeated; one table comes out, always the same."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import time
from functools import partial

import pytest

from gec_fair.gec.experiment import running
from gec_fair.gec.experiment.cells import cells
from gec_fair.gec.experiment.options import read_experiment
from gec_fair.runs.isolated import Killed
from tests import warm
from tests.cli.invoke import run
from tests.gec.experiment import dying
from tests.gec.experiment.toy import EVERY, SETS, STEPS, results, words
from tests.gec.gector import tiny

FIRST, SECOND = SETS


def test_every_cell_has_outputs_and_scores_and_a_line_says_so(place, reference_run):
    out, said = reference_run
    assert [line.split()[0] for line in said.splitlines()] == ["1/0", "2/0", "1/1", "2/1"]
    assert set(results(out)) == {
        f"cells/{system}/{seed}/{name}"
        for system in "12"
        for seed in "01"
        for name in ("scores.json", "full.txt", *(f"{one}/{side}.txt" for one in SETS for side in ("orig", "aug")))
    }
    assert not list(out.glob("cells/*/*/checkpoints"))
    assert (out / "cells/1/0/full.txt").read_text() != (out / "cells/1/1/full.txt").read_text()  # seeds differ
    assert (out / "cells/1/0/best/model.safetensors").exists()


def test_a_finished_experiment_is_not_run_again(place, reference_run):
    out, said = reference_run
    stamp = (out / "cells/1/0/best/model.safetensors").stat().st_mtime_ns
    again = run(*words(place, "run", out))
    assert (again.stdout, again.stderr) == (said, "")
    assert (out / "cells/1/0/best/model.safetensors").stat().st_mtime_ns == stamp


@pytest.mark.slow
def test_killed_anywhere_it_ends_with_the_same_bytes(place, reference_run, tmp_path):
    seed = random.SystemRandom().randrange(10**6)
    print(f"the places were drawn with seed {seed}")
    chance = random.Random(seed)
    update = EVERY * chance.randint(1, STEPS // EVERY // 2)  # long before the training's end
    places = [  # in the order of the run: the file after which it is killed, and how many seconds after
        (f"1/0/checkpoints/checkpoint-{update}/complete", chance.uniform(0, 0.2)),  # in training
        ("1/0/manifest.json", 0),  # after training, before anything is predicted
        (f"{chance.choice(['2/0', '1/1'])}/{FIRST}/{chance.choice(['orig', 'aug'])}.txt", 0),  # an output unrecorded
        (f"2/1/{FIRST}/aug.txt", 0),  # between two sets
        ("2/1/full.txt", chance.uniform(0, 0.3)),  # before or after the scores
    ]
    out = tmp_path / "killed"
    for name, seconds in places:
        done = warm.run(words(place, "run", out), tmp_path / "said", begin=partial(dying.arm, name, seconds))
        assert (out / "cells" / name).exists() or "checkpoint" in name, name
        assert done.returncode == -9 or seconds, (name, done.stderr)
    assert run(*words(place, "run", out)).code == 0
    assert results(out) == results(reference_run[0])
    tables = [run(*words(place, "table", at, "--resamples", 100, "--json")).stdout for at in (out, reference_run[0])]
    first, second = (json.loads(text) | {"runs": ""} for text in tables)
    assert first == second


@pytest.mark.slow
def test_processes_share_the_cells_and_take_over_what_a_dead_one_left(place, reference_run, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "cells/1/0"
    folder.mkdir(parents=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        started = warm.start(words(place, "run", tmp_path, "--cell", "1/0", "--cell", "2/0"), tmp_path / "said")
        until = time.monotonic() + 300
        while not (tmp_path / "cells/2/0/scores.json").exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert not (folder / "manifest.json").exists()
    assert started.wait().returncode == 0, started.stderr
    theirs = {name: text for name, text in results(reference_run[0]).items() if name.split("/")[2] == "0"}
    assert results(tmp_path) == theirs


def rows(stdout: str, title: str) -> list[list[str]]:
    """The rows of the printed table of that title, heading first."""
    lines = stdout.partition(f"{title}\n\n")[2].partition("\n\n")[0].splitlines()
    cut = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in cut if set("".join(row)) - set(":-")]


@pytest.fixture(scope="module")
def table(place, reference_run):
    """What `experiment table` prints."""
    return run(*words(place, "table", reference_run[0], "--resamples", 100)).stdout


MEAN = re.compile(r"\d+\.\d\d ± \d+\.\d\d")
PRINTED = [
    (f"Table 5: The gap on {FIRST}", ["F0.5 orig", "F0.5 aug"], f"GECToR 2, Lund et al. 2023, all of {FIRST[:7]}"),
    (f"Table 4: The gap on {SECOND}", ["F0.5 orig", "F0.5 aug"], f"GECToR 2, Lund et al. 2023, all of {SECOND[:7]}"),
    ("Table 6: Explicit bias", ["# sentences", "# w/o refl"], "GECToR 2, Lund et al. 2023"),
    ("The whole development set", ["P", "R", "F0.5"], ""),
]


@pytest.mark.parametrize(("title", "columns", "theirs"), PRINTED, ids=[row[0] for row in PRINTED])
def test_each_table_has_our_own_figures_over_seeds_beside_the_papers(reference_run, table, title, columns, theirs):
    head, *records = rows(table, title)
    named = [dict(zip(head, row, strict=True)) for row in records]
    ours = [row for row in named if row["system"] in ("1", "2")]
    assert [row["system"] for row in ours] == ["1", "2"] * (len(ours) // 2)
    assert len(ours) == 2 * len({row.get("set") for row in ours})
    assert all(MEAN.fullmatch(row[column]) for row in ours for column in columns), ours
    assert {(row["Orig"], row["MF"], row["ST"]) for row in ours} == {("✓", "", ""), ("✓", "", "✓")}
    assert (theirs in [row["system"] for row in named]) == bool(theirs)
    assert any("Lund" in row["system"] for row in named) == bool(theirs)
    assert (reference_run[0] / "report/report.html").exists()


def test_compare_knows_the_sets_and_the_development_set_of_the_cells(place, reference_run, table, tmp_path):
    done = run("compare", reference_run[0] / "cells", "-o", tmp_path, "--resamples", 100)
    assert done.code == 0, done.stderr
    for title, _, _ in PRINTED:
        assert rows(done.stdout, title) == rows(table, title)
    done = run("compare", reference_run[0] / "cells", "--evalset", place / SECOND, "-o", tmp_path, "--resamples", 100)
    assert f"The gap on {SECOND}" in done.stdout
    assert f"The gap on {FIRST}" not in done.stdout


@pytest.mark.slow(50)
def test_a_training_whose_process_is_killed_leaves_the_others_to_be_run(place, reference_run, tmp_path):
    at = f"child:1/0/checkpoints/checkpoint-{EVERY}/complete"
    command = [sys.executable, "-m", "tests.gec.experiment.dying", at, "0"]
    arguments = words(place, "run", tmp_path, "--cell", "1/0", "--cell", "2/0")
    done = subprocess.run([*command, *arguments], capture_output=True, check=False, text=True)
    assert done.returncode == 1, done.stderr
    assert "1/0: its process was killed (status -9), perhaps for want of memory" in done.stderr
    assert done.stdout.startswith("2/0 ")
    assert run(*arguments).code == 0
    assert results(tmp_path) == {
        name: text for name, text in results(reference_run[0]).items() if name.split("/")[2] == "0"
    }


def test_a_training_whose_process_is_killed_is_named(place, tmp_path, monkeypatch):
    def die(training):
        raise Killed("its process was killed")

    monkeypatch.setattr(running, "run_isolated", die)
    done = run(*words(place, "run", tmp_path, "--cell", "1/0", "--cell", "2/0"))
    assert (done.code, "1/0: its process was killed" in done.stderr) == (1, True), done.stderr


def test_one_cell_can_be_run_by_itself(place, reference_run, tmp_path):
    assert run(*words(place, "run", tmp_path, "--cell", "2/1")).code == 0
    mine, theirs = results(tmp_path), results(reference_run[0])
    assert mine == {name: text for name, text in theirs.items() if name.startswith("cells/2/1/")}
    assert "no cell 7/0; cells are 1/0 … 2/1" in run(*words(place, "run", tmp_path, "--cell", "7/0")).stderr


def test_a_cell_that_fails_leaves_the_others_to_be_run(place, reference_run, tmp_path):
    shutil.copytree(reference_run[0] / "cells/2/0", tmp_path / "cells/2/0")
    (tmp_path / "cells/1").write_text("no folder")
    done = run(*words(place, "run", tmp_path, "--cell", "1/0", "--cell", "2/0"))
    assert done.code == 1
    assert done.stdout.startswith("2/0 ")
    assert "1/0: " in done.stderr
    assert "1 cell failed: 1/0" in done.stderr


def test_a_baseline_is_judged_without_training(place, reference_run, tmp_path):
    base = reference_run[0] / "cells/1/0/best"
    done = run(*words(place, "run", tmp_path, "--set", f"baseline={base}", "--cell", 0))
    assert done.stdout.startswith("0/0 "), done.stderr
    mine, theirs = results(tmp_path), results(reference_run[0])
    assert mine["cells/0/0/full.txt"] == theirs["cells/1/0/full.txt"]


def test_models_can_be_dropped_once_their_outputs_are_there(place, tmp_path, reference_run):
    shutil.copytree(reference_run[0] / "cells/1/0", tmp_path / "cells/1/0")
    for _ in range(2):
        done = run(*words(place, "run", tmp_path, "--set", "keep_models=false", "--cell", "1/0"))
        assert done.code == 0, done.stderr
        assert not (tmp_path / "cells/1/0/best").exists()


WRONG = [
    (("full", "nowhere.m2"), "nowhere.m2: no such file", "a development set that is not there"),
    (("full", "{place}/dev.tsv"), "dev.tsv: sentence 1", "one that is no M2"),
    (("baseline", "{place}/encoder"), "no GECToR of ours", "a baseline that is no such model"),
    (("baseline", "nowhere/base"), "nowhere/base", "a baseline that is not there"),
    (("sets", "[absent]"), "no evaluation set is called 'absent'", "a set that no one knows"),
    (("sets", "[{place}/bea-195-first30, {place}/bea-195-first30]"), "the name of two sets", "two sets of one name"),
]


@pytest.mark.parametrize(("setting", "message", "why"), WRONG, ids=[row[2] for row in WRONG])
def test_what_could_not_be_judged_is_told_before_anything_is_trained(
    place, tmp_path, monkeypatch, setting, message, why
):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    done = run(*words(place, "run", tmp_path / "out", "--set", f"{setting[0]}={setting[1].format(place=place)}"))
    assert (done.code, done.stdout) == (2, ""), done.stderr
    assert message in done.stderr
    assert not list((tmp_path / "out").glob("cells/*/*/*"))


FAULTS = [
    ("mix: ", "mxi: ", "unknown key mxi; did you mean mix?", "a slip"),
    ("dev: ", "dve: ", "unknown key dve; did you mean dev?", "a slip in the model's settings"),
    ("seeds: 2", "seeds: 0", "seeds is 0; it must be at least 1", "no seeds"),
    ("seeds: 2", "seeds: []", "seeds is an empty list", "a list of no seeds"),
    ("seeds: 2", "seeds: [1, 0, 1]", "seeds has 1 twice", "a seed twice"),
    ("seeds: 2", "seeds: [4294967296]", "seeds has 4294967296; a seed is 0 or more, and less", "one that is too large"),
    ("seeds: 2", "seeds: [-1]", "seeds has -1; a seed is 0 or more", "a seed that no generator takes"),
    ('["1", "2"]', '["1", "1"]', "systems has 1 twice", "a system twice"),
    ('["1", "2"]', '["5"]', "systems has 5, which is not a mix", "a system that is not there"),
    ("/mix\n", "/gone\n", "train.tsv: no such file", "a mix that is not there"),
    ("model: gector", "model: gectr", "'gector', 'bart' or 'editscorer'", "another model"),
]


@pytest.mark.parametrize(("old", "new", "message", "why"), FAULTS, ids=[row[3] for row in FAULTS])
def test_what_is_wrong_with_an_experiment_is_told_with_its_line(place, tmp_path, old, new, message, why):
    path = tmp_path / "x.yaml"
    text = (place / "toy.yaml").read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = run("experiment", "run", path, "-o", tmp_path / "out")
    assert done.code == 2
    assert message in done.stderr
    line = next(number for number, line in enumerate(path.read_text().splitlines(), 1) if new.strip() in line + "\n")
    assert f"x.yaml:{line}: " in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b", ".hidden", "-o", "a\nb"])
def test_a_systems_name_that_is_no_folders_name_is_refused(place, tmp_path, name):
    pairs = place / "mix/system1/train.tsv"
    settings = {"mix": "", "mixes": {name: str(pairs)}, "systems": []}
    more = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    done = run(*words(place, "run", tmp_path / "out", *more))
    assert done.code == 2
    assert f"mixes has a system called {name!r}" in done.stderr


def test_mixes_of_ones_own_are_not_taken_for_the_papers(place):
    changes = {"mix": "", "mixes": {"1": str(place / "dev.tsv")}, "systems": []}
    assert read_experiment(place / "toy.yaml", changes=changes)[0].trained_on == {}
    assert read_experiment(place / "toy.yaml")[0].trained_on["2"] == ("orig", "st")


def test_a_folder_of_mixes_is_systems_1_to_4(place, tmp_path):
    for number in (1, 2, 3, 4):
        (tmp_path / f"mix/system{number}").mkdir(parents=True)
        tiny.write_pairs(tmp_path / f"mix/system{number}/train.tsv", 3)
    experiment, _ = read_experiment(place / "toy.yaml", changes={"mix": str(tmp_path / "mix"), "systems": []})
    assert [cell.name for cell in cells(experiment, tmp_path)] == [
        f"{n}/{seed}" for seed in (0, 1) for n in (1, 2, 3, 4)
    ]


def test_torchrun_is_told_how_several_gpus_are_used(place, tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "2")
    done = run(*words(place, "run", tmp_path))
    assert (done.code, "start one process for each GPU" in done.stderr) == (2, True), done.stderr
