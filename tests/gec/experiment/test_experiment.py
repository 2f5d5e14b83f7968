"""Experiments: cells are skipped, resumed, killed and repeated; one table comes out, always the same."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gec_fair.gec.experiment.cells import cells
from gec_fair.gec.experiment.options import read_experiment
from tests.cli.invoke import run
from tests.gec.gector import tiny

STEPS = 150


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Sums of another number of threads differ in their last digit, and Ray gives its tasks one."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with an encoder, two mixes, a set of twins and settings."""
    folder = tmp_path_factory.mktemp("experiment")
    tiny.encoder(folder / "encoder")
    tiny.labels(folder)
    tiny.write_pairs(folder / "one.tsv", 200)
    tiny.write_pairs(folder / "two.tsv", 200, seed=1)
    tiny.write_pairs(folder / "dev.tsv", 40, seed=2)
    twins(folder / "toy-st")
    (folder / "dev.m2").write_text("".join(m2(a, b) for a, b in tiny.pairs(30, 5)))
    (folder / "toy.yaml").write_text(f"""\
model: gector
mixes: {{"1": {folder}/one.tsv, "2": {folder}/two.tsv}}
seeds: 2
sets: [{folder}/toy-st]
full: {folder}/dev.m2
settings:
  start: {folder}/encoder
  labels: {folder}/labels.txt
  dev: {folder}/dev.tsv
  dropout: 0.1
  training:
    steps: {STEPS}
    batch: 16
    learning_rate: 2.0e-3
    save_every: 5
    device: cpu
    precision: fp32
""")
    return folder


def m2(source: str, target: str) -> str:
    lines = [f"S {source}"]
    for at, (a, b) in enumerate(zip(source.split(), target.split(), strict=True)):
        if a != b:
            lines.append(f"A {at} {at + 1}|||R:VERB:SVA|||{b}|||REQUIRED|||-NONE-|||0")
    return "\n".join(lines) + "\n\n"


def twins(folder: Path) -> None:
    """he/she sentences and the same with *they*, as `evalset build` writes them."""
    folder.mkdir()
    orig = [(a, b) for a, b in tiny.pairs(300, 9) if a.split()[0] in ("he", "she")][:30]
    third = {right: wrong for wrong, right in tiny.VERBS.items()}
    other = {**third, **tiny.VERBS}
    turned = [tuple(" ".join(["they", *[other.get(w, w) for w in side.split()[1:]]]) for side in pair) for pair in orig]
    for name, pairs in (("toy_orig", orig), ("toy_st_aug", turned)):
        (folder / f"{name}.src.txt").write_text("".join(a + "\n" for a, _ in pairs))
        (folder / f"{name}.tgt.txt").write_text("".join(b + "\n" for _, b in pairs))
        (folder / f"{name}.m2").write_text("".join(m2(a, b) for a, b in pairs))


def words(place: Path, verb: str, out: Path, *more: object) -> list[str]:
    return ["experiment", verb, str(place / "toy.yaml"), "-o", str(out), *map(str, more)]


def process(words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "gec_fair.cli", *words], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip


def results(out: Path) -> dict[str, bytes]:
    """Every output and every score, and nothing that tells the time."""
    files = [*out.glob("cells/*/*/scores.json"), *out.glob("cells/**/*.txt")]
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(files) if "best" not in path.parts}


@pytest.fixture(scope="module")
def whole(place, tmp_path_factory):
    """An experiment that nobody disturbed."""
    out = tmp_path_factory.mktemp("whole")
    done = run(*words(place, "run", out))
    assert done.code == 0, done.stderr
    return out, done.stdout


def test_every_cell_has_outputs_and_scores_and_a_line_says_so(place, whole):
    out, said = whole
    assert [line.split()[0] for line in said.splitlines()] == ["1/0", "2/0", "1/1", "2/1"]
    assert set(results(out)) == {
        f"cells/{system}/{seed}/{name}"
        for system in "12" for seed in "01"
        for name in ("scores.json", "full.txt", "toy-st/orig.txt", "toy-st/aug.txt")
    }  # fmt: skip
    assert not list(out.glob("cells/*/*/checkpoints"))
    assert (out / "cells/1/0/full.txt").read_text() != (out / "cells/1/1/full.txt").read_text()  # seeds differ
    assert (out / "cells/1/0/best/model.safetensors").exists()


def test_a_finished_experiment_is_not_run_again(place, whole):
    out, said = whole
    stamp = (out / "cells/1/0/best/model.safetensors").stat().st_mtime_ns
    assert run(*words(place, "run", out)).stdout == said
    assert (out / "cells/1/0/best/model.safetensors").stat().st_mtime_ns == stamp


def test_killed_three_times_it_ends_with_the_same_bytes(place, whole, tmp_path):
    out = tmp_path / "killed"
    marks = ["cells/1/0/checkpoints/checkpoint-10/complete", "cells/2/0/begun.json", "cells/2/0/toy-st/orig.txt"]
    for mark in marks:
        started = process(words(place, "run", out))
        deadline = time.monotonic() + 90
        while not (out / mark).exists() and started.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        assert (out / mark).exists()
    assert run(*words(place, "run", out)).code == 0
    assert results(out) == results(whole[0])
    tables = [run(*words(place, "table", at, "--resamples", 100, "--json")).stdout for at in (out, whole[0])]
    first, second = (json.loads(told) | {"runs": ""} for told in tables)
    assert first == second


def test_status_tells_how_far_each_cell_is(place, whole, tmp_path):
    assert "4 of 4 cells are finished" in run(*words(place, "status", whole[0])).stdout
    half = tmp_path / "half/cells/1/0/checkpoints/checkpoint-20"
    half.mkdir(parents=True)
    (half / "complete").touch()
    told = json.loads(run(*words(place, "status", tmp_path / "half", "--json")).stdout)
    assert told == {"1/0": f"20 of {STEPS} updates", "2/0": "", "1/1": "", "2/1": ""}


def test_the_table_has_the_papers_form_and_figures(place, whole):
    done = run(*words(place, "table", whole[0], "--resamples", 100))
    assert "The gap on toy-st" in done.stdout
    assert "2, Lund et al. 2023" in done.stdout  # Table 8's row of system 2
    assert "±" in done.stdout
    assert (whole[0] / "report/report.html").exists()


def test_one_cell_can_be_run_by_itself(place, whole, tmp_path):
    assert run(*words(place, "run", tmp_path, "--cell", "2/1")).code == 0
    mine, theirs = results(tmp_path), results(whole[0])
    assert mine == {name: text for name, text in theirs.items() if name.startswith("cells/2/1/")}
    assert "no cell 7/0; cells are 1/0 … 2/1" in run(*words(place, "run", tmp_path, "--cell", "7/0")).stderr


def test_a_baseline_is_judged_without_training(place, whole, tmp_path):
    base = whole[0] / "cells/1/0/best"
    done = run(*words(place, "run", tmp_path, "--set", f"baseline={base}", "--cell", 0))
    assert done.stdout.startswith("0/0 "), done.stderr
    mine, theirs = results(tmp_path), results(whole[0])
    assert mine["cells/0/0/full.txt"] == theirs["cells/1/0/full.txt"]


def test_a_set_that_has_changed_is_corrected_anew(place, whole, tmp_path):
    shutil.copytree(place / "toy-st", tmp_path / "toy-st")
    shutil.copytree(whole[0] / "cells/1/0", tmp_path / "out/cells/1/0")
    for path in (tmp_path / "toy-st").iterdir():
        lines = path.read_text().split("\n\n" if path.suffix == ".m2" else "\n")
        path.write_text(("\n\n" if path.suffix == ".m2" else "\n").join(lines[1:]))
    done = run(*words(place, "run", tmp_path / "out", "--set", f"sets=[{tmp_path}/toy-st]", "--cell", "1/0"))
    assert done.code == 0, done.stderr
    before, after = (
        (base / "cells/1/0/toy-st/orig.txt").read_text().splitlines() for base in (whole[0], tmp_path / "out")
    )
    assert after == before[1:]


def test_models_can_be_dropped_once_their_outputs_are_there(place, tmp_path):
    assert run(*words(place, "run", tmp_path, "--set", "keep_models=false", "--cell", "1/0")).code == 0
    assert not (tmp_path / "cells/1/0/best").exists()
    again = run(*words(place, "run", tmp_path, "--set", "keep_models=false", "--cell", "1/0"))
    assert again.code == 0, again.stderr


def test_two_processes_do_not_meet_in_one_cell(place, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "cells/1/0"
    folder.mkdir(parents=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "another process is at this cell" in run(*words(place, "run", tmp_path, "--cell", "1/0")).stderr


def test_a_slurm_script_has_a_task_for_each_unfinished_cell(place, whole, tmp_path):
    script = run(*words(place, "run", tmp_path, "--launch", "slurm", "--set", "settings.training.steps=4")).stdout
    assert "#SBATCH --array=0-3" in script
    assert "cells=(1/0 2/0 1/1 2/1)" in script
    assert subprocess.run(["bash", "-n"], input=script.encode(), check=False).returncode == 0
    # a task does what it says: this is the script's own last line with the array's number filled in
    env = {**os.environ, "SLURM_ARRAY_TASK_ID": "1"}
    assert subprocess.run(["bash"], input=script.encode(), env=env, capture_output=True, check=False).returncode == 0
    assert [path.parent.parent.name for path in tmp_path.glob("cells/*/*/scores.json")] == ["2"]


@pytest.mark.slow
def test_a_local_ray_runs_every_cell(place, whole, tmp_path):
    pytest.importorskip("ray")
    done = run(*words(place, "run", tmp_path, "--launch", "ray", "--gpus", 0, "--cell", "1/0", "--cell", "2/0"))
    assert done.code == 0, done.stderr
    mine, theirs = results(tmp_path), results(whole[0])
    assert mine == {name: text for name, text in theirs.items() if name.split("/")[2] == "0"}


FAULTS = [
    ("mixes: {", "mix: nowhere\nmixs: {", "unknown key mixs; did you mean mixes?", "a slip"),
    ("dev: ", "dve: ", "unknown key dve; did you mean dev?", "a slip in the model's settings"),
    ("seeds: 2", "seeds: 0", "seeds is 0; it must be at least 1", "no seeds"),
    ("one.tsv", "gone.tsv", "gone.tsv: no such file", "a mix that is not there"),
    ("model: gector", "model: gectr", "'gector', 'bart' or 'editscorer'", "another model"),
]


@pytest.mark.parametrize(("old", "new", "message", "why"), FAULTS, ids=[row[3] for row in FAULTS])
def test_what_is_wrong_with_an_experiment_is_told_with_its_line(place, tmp_path, old, new, message, why):
    path = tmp_path / "x.yaml"
    path.write_text((place / "toy.yaml").read_text().replace(old, new, 1))
    done = run("experiment", "run", path, "-o", tmp_path / "out")
    assert done.code == 2
    assert message in done.stderr
    assert "x.yaml:" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_of_mixes_is_systems_1_to_4(place, tmp_path):
    for number in (1, 2, 3, 4):
        (tmp_path / f"mix/system{number}").mkdir(parents=True)
        tiny.write_pairs(tmp_path / f"mix/system{number}/train.tsv", 3)
    text = (place / "toy.yaml").read_text().splitlines()
    path = tmp_path / "x.yaml"
    path.write_text("\n".join([f"mix: {tmp_path}/mix", *[line for line in text if not line.startswith("mixes")]]))
    found, _ = read_experiment(path)
    assert [cell.name for cell in cells(found, tmp_path)] == [f"{n}/{seed}" for seed in (0, 1) for n in (1, 2, 3, 4)]
