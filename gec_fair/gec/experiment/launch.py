"""One job a cell, elsewhere: a Slurm array script.

A job is `gec-fair experiment run --cell SYSTEM/SEED`, so it resumes as any other run does.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import UsageError
from gec_fair.gec.experiment.cells import Cell


@dataclass(frozen=True, slots=True)
class Jobs:
    """The same command for every cell, and what each job is given. UsageError for fewer GPUs than none.

    Relative paths, in the settings too, are meant from `folder`, and jobs are started there: a run that names its files
    in other words would be another run.
    """

    settings: Path
    out: Path
    changes: Sequence[str]
    gpus: int = 1
    workers: int = 1
    folder: Path = Path()

    def __post_init__(self) -> None:
        if self.gpus < 0:
            raise UsageError(f"--gpus is {self.gpus}; it is a whole number, 0 or more")

    def command(self) -> list[str]:
        """What a job runs, up to the name of its cell."""
        changes = [word for change in self.changes for word in ("--set", change)]
        places = [str(self.settings.absolute()), "-o", str(self.out.absolute())]
        words = [sys.executable, "-m", "gec_fair", "experiment", "run", *places, *changes]
        return [*words, "--workers", str(self.workers), "--cell"]


def slurm(jobs: Jobs, waiting: Sequence[Cell]) -> str:
    """A script for sbatch: an array with a task a cell; a requeued task resumes. Makes the folder of the logs."""
    jobs.out.mkdir(parents=True, exist_ok=True)
    log = f"{str(jobs.out.absolute()).replace('%', '%%')}/slurm-%A_%a.log"
    options = {
        "job-name": "gec-fair",
        "array": f"0-{len(waiting) - 1}",
        "ntasks": "1",
        "cpus-per-task": str(jobs.workers),
        **({"gpus-per-node": str(jobs.gpus)} if jobs.gpus else {}),
        "requeue": "",
        "chdir": _quote(str(jobs.folder.absolute())),
        "output": _quote(log),
    }
    head = "".join(f"#SBATCH --{name}{'=' if value else ''}{value}\n" for name, value in options.items())
    return (
        f"#!/bin/bash\n{head}cells=({shlex.join(cell.name for cell in waiting)})\n"
        f'exec {shlex.join(jobs.command())} "${{cells[$SLURM_ARRAY_TASK_ID]}}"\n'
    )


def _quote(value: str) -> str:
    """As sbatch reads its own lines: a backslash before a quote or a backslash, in double quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
