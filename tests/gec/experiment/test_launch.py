"""One job a cell: what sbatch reads, what a Ray task runs, and that nothing is left running."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gec_fair.errors import UsageError
from gec_fair.gec.experiment import launch
from gec_fair.gec.experiment.cells import Cell
from gec_fair.gec.experiment.launch import Jobs, check_nodes, environment, run_in_group
from tests.cli.invoke import run
from tests.gec.experiment.toy import STEPS, results, words

CELLS = [Cell(system, 0, "x.tsv", Path(system)) for system in ("1", "two")]


def read(script: str) -> tuple[dict[str, str], list[str], list[str]]:
    """A script as sbatch and bash read it: the options by name, the cells, the command's words."""
    lines = script.splitlines()
    assert lines[0] == "#!/bin/bash"  # sbatch refuses a script that does not begin so
    directives = [shlex.split(line)[1:] for line in lines if line.startswith("#SBATCH ")]
    assert all(len(fields) == 1 for fields in directives), directives  # one word a line: what has spaces is quoted
    options = dict(fields[0].removeprefix("--").partition("=")[::2] for fields in directives)
    cells = next(line for line in lines if line.startswith("cells="))
    return options, shlex.split(re.fullmatch(r"cells=\((.*)\)", cells)[1]), shlex.split(lines[-1])


def slurm(tmp_path, **more):
    jobs = Jobs(tmp_path / "my set.yaml", tmp_path / "out of 100%", ("mix=a b",), folder=tmp_path, **more)
    return read(launch.slurm(jobs, CELLS))


def test_a_slurm_script_says_what_a_cell_needs_in_options_that_belong_together(tmp_path):
    options, cells, command = slurm(tmp_path, gpus=1, workers=3)
    assert options == {
        "job-name": "gec-fair",
        "array": "0-1",
        "ntasks": "1",
        "cpus-per-task": "3",
        "gpus-per-node": "1",
        "requeue": "",
        "chdir": str(tmp_path),
        "output": f"{tmp_path}/out of 100%%/slurm-%A_%a.log",
    }
    assert cells == ["1/0", "two/0"]
    assert command[:2] == ["exec", sys.executable]
    assert command[command.index("run") :] == [
        "run",
        f"{tmp_path}/my set.yaml",
        "-o",
        f"{tmp_path}/out of 100%",
        "--set",
        "mix=a b",
        "--workers",
        "3",
        "--cell",
        "${cells[$SLURM_ARRAY_TASK_ID]}",
    ]
    assert (tmp_path / "out of 100%").is_dir()  # where there is no such folder, Slurm drops the log and the job


def test_no_gpu_is_not_asked_for_in_so_many_words(tmp_path):
    assert "gpus-per-node" not in slurm(tmp_path, gpus=0)[0]


WRONG = [
    (("--launch", "slurm", "--gpus", "0.5"), "Slurm gives whole GPUs", "a share of a GPU"),
    (("--launch", "ray", "--gpus", "1.5"), "a share of one GPU", "a share of more than one"),
    (("--launch", "ray", "--gpus", "-1"), "a share of one GPU", "less than none"),
    (("--gpus", "1"), "--gpus is for --launch", "GPUs for what runs here"),
]


@pytest.mark.parametrize(("options", "said", "why"), WRONG, ids=[row[2] for row in WRONG])
def test_gpus_that_nobody_can_give_are_refused(place, tmp_path, options, said, why):
    done = run(*words(place, "run", tmp_path, *options))
    assert done.code == 2
    assert said in done.stderr


@pytest.mark.slow(15)
def test_a_task_of_the_array_runs_its_cell(place, reference_run, tmp_path):
    options = ("--launch", "slurm", "--gpus", "0", "--set", "settings.training.steps=4", "--set", "full=''")
    script = run(*words(place, "run", tmp_path, *options)).stdout
    assert read(script)[1] == ["1/0", "2/0", "1/1", "2/1"]
    env = {**os.environ, "SLURM_ARRAY_TASK_ID": "1"}
    assert subprocess.run(["bash"], input=script.encode(), env=env, capture_output=True, check=False).returncode == 0
    assert [path.parent.parent.name for path in tmp_path.glob("cells/*/*/scores.json")] == ["2"]


@pytest.mark.parametrize("where", ["slurm", "ray"])
def test_where_every_cell_is_finished_there_is_no_job(place, reference_run, where):
    done = run(*words(place, "run", reference_run[0], "--launch", where, "--gpus", 0))
    assert (done.code, done.stdout) == (0, "")
    assert "nothing to run" in done.stderr


def test_a_job_goes_to_no_cell_with_other_settings(place, reference_run):
    done = run(*words(place, "run", reference_run[0], "--launch", "slurm", "--set", "settings.training.steps=4"))
    assert (done.code, done.stdout) == (2, "")
    assert f"training.steps ({STEPS} → 4)" in done.stderr


NODES = [
    ([{"GPU": 1.0, "CPU": 8.0}], 1, 2, True, "enough"),
    ([{"GPU": 1.0, "CPU": 8.0}], 0.5, 2, True, "a share of a GPU"),
    ([{"CPU": 8.0}], 0, 8, True, "no GPU is asked for"),
    ([{"CPU": 8.0}], 1, 1, False, "no GPU is there"),
    ([{"GPU": 1.0, "CPU": 1.0}, {"CPU": 8.0}], 1, 2, False, "one node has the GPU, another the CPUs"),
]


@pytest.mark.parametrize(("nodes", "gpus", "workers", "fits", "why"), NODES, ids=[row[4] for row in NODES])
def test_a_cluster_that_can_never_run_a_cell_is_told_of(nodes, gpus, workers, fits, why):
    jobs = Jobs(Path("x.yaml"), Path("out"), (), gpus, workers)
    if fits:
        check_nodes(nodes, jobs)
    else:
        with pytest.raises(UsageError, match="no node of the Ray cluster has them; its nodes: "):
            check_nodes(nodes, jobs)


def test_a_job_knows_where_the_data_are_and_is_given_no_keys():
    variables = {"GEC_FAIR_DATA": "/data", "GEC_FAIR_EVALSETS": "/sets", "OPENAI_API_KEY": "secret", "PATH": "/bin"}
    assert environment(variables) == {"GEC_FAIR_DATA": "/data", "GEC_FAIR_EVALSETS": "/sets"}


SAY = "import os; print(os.getcwd(), os.environ['GEC_FAIR_X'], flush=True); raise SystemExit(3)"


def test_a_job_starts_in_the_folder_that_relative_paths_are_meant_from(tmp_path):
    code, said = run_in_group([sys.executable, "-c", SAY], str(tmp_path), {"GEC_FAIR_X": "y"}, str(tmp_path / "log"))
    assert (code, said) == (3, f"{tmp_path.resolve()} y\n")
    assert (tmp_path / "log").read_text() == said
    code, said = run_in_group(["true"], str(tmp_path / "nowhere"), {}, str(tmp_path / "log"))
    assert code == 2
    assert "is not on this node" in said


CHILDREN = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600 if sys.argv[1] == "stays" else 0)
"""


def alive(pid: int) -> bool:
    """A zombie process counts as dead."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(") ")[2][0] != "Z"


def gone(pid: int) -> bool:
    until = time.monotonic() + 60
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(pid)


def pid_in(log: Path) -> int:
    until = time.monotonic() + 60
    while not (log.exists() and log.read_text().endswith("\n")) and time.monotonic() < until:
        time.sleep(0.05)
    return int(log.read_text())


def test_what_a_job_started_ends_with_the_job(tmp_path):
    code, said = run_in_group([sys.executable, "-c", CHILDREN, "leaves"], str(tmp_path), {}, str(tmp_path / "log"))
    assert code == 0
    assert gone(int(said))


def test_what_a_job_started_ends_when_whoever_runs_it_is_killed(tmp_path):
    task = (
        "import sys; from gec_fair.gec.experiment.launch import run_in_group; "
        f"run_in_group([sys.executable, '-c', {CHILDREN!r}, 'stays'], '.', {{}}, 'log')"
    )
    worker = subprocess.Popen([sys.executable, "-c", task], cwd=tmp_path)
    child = pid_in(tmp_path / "log")
    assert alive(child)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert gone(child)


@pytest.mark.slow(30)
def test_a_local_ray_runs_every_cell(place, reference_run, tmp_path):
    pytest.importorskip("ray")
    done = run(*words(place, "run", tmp_path, "--launch", "ray", "--gpus", 0, "--cell", "1/0", "--cell", "2/0"))
    assert done.code == 0, done.stderr
    mine, theirs = results(tmp_path), results(reference_run[0])
    assert mine == {name: text for name, text in theirs.items() if name.split("/")[2] == "0"}
    assert (tmp_path / "ray-1-0.log").exists()


@pytest.mark.slow(30)
def test_a_cell_that_fails_on_ray_is_named_with_what_it_said(place, tmp_path):
    pytest.importorskip("ray")
    (tmp_path / "cells").mkdir()
    (tmp_path / "cells/1").write_text("no folder")
    done = run(*words(place, "run", tmp_path, "--launch", "ray", "--gpus", 0, "--cell", "1/0"))
    assert done.code == 1, done.stderr
    assert "1 cell failed: 1/0" in done.stderr
