"""One job a cell: what sbatch reads, and what its tasks run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gec_fair.gec.experiment import launch
from gec_fair.gec.experiment.cells import Cell
from gec_fair.gec.experiment.launch import Jobs
from tests.cli.invoke import run
from tests.gec.experiment.toy import STEPS, words

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
    (("--launch", "slurm", "--gpus", "0.5"), "is not a valid integer", "a share of a GPU"),
    (("--launch", "slurm", "--gpus", "-1"), "it is a whole number, 0 or more", "less than none"),
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


def test_where_every_cell_is_finished_there_is_no_job(place, reference_run):
    done = run(*words(place, "run", reference_run[0], "--launch", "slurm", "--gpus", 0))
    assert (done.code, done.stdout) == (0, "")
    assert "nothing to run" in done.stderr


def test_a_job_goes_to_no_cell_with_other_settings(place, reference_run):
    done = run(*words(place, "run", reference_run[0], "--launch", "slurm", "--set", "settings.training.steps=4"))
    assert (done.code, done.stdout) == (2, "")
    assert f"training.steps ({STEPS} → 4)" in done.stderr
