"""One job a cell, elsewhere: a Slurm array script, or tasks of a Ray cluster.

A job is `gec-fair experiment run --cell SYSTEM/SEED`, so it resumes as any other run does.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from gec_fair.errors import GecFairError
from gec_fair.extras import require
from gec_fair.gec.experiment.cells import Cell


def command(settings: Path, out: Path, cell: str, changes: Sequence[str]) -> list[str]:
    """What a job runs."""
    more = [word for change in changes for word in ("--set", change)]
    return [
        sys.executable,
        "-m",
        "gec_fair.cli",
        "experiment",
        "run",
        str(settings),
        "-o",
        str(out),
        *more,
        "--cell",
        cell,
    ]


def slurm(settings: Path, out: Path, cells: Sequence[Cell], changes: Sequence[str], *, gpus: int = 1) -> str:
    """A script for sbatch: an array with a task for each unfinished cell; a task that is requeued goes on."""
    waiting = [cell.name for cell in cells if not cell.finished]
    words = shlex.join([*command(settings, out, "CELL", changes)[:-1]])
    return f"""#!/bin/bash
#SBATCH --job-name=gec-fair
#SBATCH --array=0-{max(0, len(waiting) - 1)}
#SBATCH --gpus-per-task={gpus}
#SBATCH --requeue
#SBATCH --output={out}/slurm-%A_%a.log
cells=({" ".join(waiting)})
exec {words} "${{cells[$SLURM_ARRAY_TASK_ID]}}"
"""


def ray(
    settings: Path, out: Path, cells: Sequence[Cell], changes: Sequence[str], *, gpus: float, cpus: float = 1
) -> list[str]:
    """Run every unfinished cell as a task of the Ray cluster that is here (RAY_ADDRESS), or of a local one; the
    folders must be on storage that all nodes share. Answers the names of cells that failed."""
    require("--launch ray", "ray", "ray")
    import ray as engine

    begun = not engine.is_initialized()
    if begun:
        engine.init(log_to_driver=False, configure_logging=False, include_dashboard=False)
    try:
        task = engine.remote(num_cpus=cpus, num_gpus=gpus, max_retries=3)(_job)
        waiting = [cell for cell in cells if not cell.finished]
        jobs = {task.remote(command(settings, out.resolve(), cell.name, changes)): cell.name for cell in waiting}
        failed: list[str] = []
        left = list(jobs)
        while left:
            ready, left = engine.wait(left)
            for job in ready:
                code, said = engine.get(job)
                if code:
                    failed.append(jobs[job])
                    print(f"{jobs[job]}: {said}", file=sys.stderr)
        return failed
    finally:
        if begun:
            engine.shutdown()


def _job(words: Sequence[str]) -> tuple[int, str]:
    """In a process of its own: a model's memory goes with it."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr[-2000:]


def refuse_failed(failed: Sequence[str]) -> None:
    if failed:
        raise GecFairError(f"{len(failed)} cells failed: {', '.join(failed)}; what they said stands above. The same "
                           "command runs only these again")  # fmt: skip
