"""One job a cell, elsewhere: a Slurm array script, or tasks of a Ray cluster.

A job is `gec-fair experiment run --cell SYSTEM/SEED`, so it resumes as any other run does.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.gec.experiment.cells import Cell
from gec_fair.runs.atomic import open_own

_ENVIRONMENT = "GEC_FAIR_"  # variables of that beginning go with a job
_SAID = 2000  # characters of a failed job's log that are shown


@dataclass(frozen=True, slots=True)
class Jobs:
    """The same command for every cell, and what each job is given. UsageError for what no job can be given.

    Relative paths, in the settings too, are meant from `folder`, and jobs are started there: a run that names its files
    in other words would be another run.
    """

    settings: Path
    out: Path
    changes: Sequence[str]
    gpus: float = 1
    workers: int = 1
    folder: Path = Path()

    def __post_init__(self) -> None:
        if self.gpus < 0 or (self.gpus > 1 and self.gpus != int(self.gpus)):
            raise UsageError(f"--gpus is {self.gpus:g}; it is 0, a share of one GPU (Ray alone), or a whole number")

    def command(self, cell: str) -> list[str]:
        """What a job runs."""
        changes = [word for change in self.changes for word in ("--set", change)]
        return [
            sys.executable,
            "-m",
            "gec_fair",
            "experiment",
            "run",
            str(self.settings.absolute()),
            "-o",
            str(self.out.absolute()),
            *changes,
            "--workers",
            str(self.workers),
            "--cell",
            cell,
        ]


def slurm(jobs: Jobs, waiting: Sequence[Cell]) -> str:
    """A script for sbatch: an array with a task a cell; a requeued task resumes. Makes the folder of the logs.
    UsageError for a share of a GPU."""
    if jobs.gpus != int(jobs.gpus):
        raise UsageError(f"--gpus is {jobs.gpus:g}; Slurm gives whole GPUs, so name a whole number")
    jobs.out.mkdir(parents=True, exist_ok=True)
    log = f"{str(jobs.out.absolute()).replace('%', '%%')}/slurm-%A_%a.log"
    options = {
        "job-name": "gec-fair",
        "array": f"0-{len(waiting) - 1}",
        "ntasks": "1",
        "cpus-per-task": str(jobs.workers),
        **({"gpus-per-node": str(int(jobs.gpus))} if jobs.gpus else {}),
        "requeue": "",
        "chdir": _quote(str(jobs.folder.absolute())),
        "output": _quote(log),
    }
    head = "".join(f"#SBATCH --{name}{'=' if value else ''}{value}\n" for name, value in options.items())
    *words, _ = jobs.command("")
    return (
        f"#!/bin/bash\n{head}cells=({shlex.join(cell.name for cell in waiting)})\n"
        f'exec {shlex.join(words)} "${{cells[$SLURM_ARRAY_TASK_ID]}}"\n'
    )


def _quote(value: str) -> str:
    """As sbatch reads its own lines: a backslash before a quote or a backslash, in double quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def ray(jobs: Jobs, waiting: Sequence[Cell], say: Callable[[str], None]) -> list[str]:
    """Run the cells as tasks of the Ray cluster that is here (RAY_ADDRESS), or of a local one; the folders must be on
    storage that all nodes share. Answers the names of cells that failed. UsageError where no node has what a job asks
    for."""
    require("--launch ray", "ray", "ray")
    import ray as engine

    starts_engine = not engine.is_initialized()
    if starts_engine:
        engine.init(log_to_driver=False, configure_logging=False, include_dashboard=False)
    try:
        check_nodes([node["Resources"] for node in engine.nodes() if node["Alive"]], jobs)
        task = engine.remote(num_cpus=jobs.workers, num_gpus=jobs.gpus, max_retries=3)(run_in_group)
        variables = environment(os.environ)
        running = {
            task.remote(jobs.command(cell.name), str(jobs.folder.absolute()), variables, str(log_of(jobs, cell))): cell
            for cell in waiting
        }
        return _await_jobs(engine, running, say)
    finally:
        if starts_engine:
            engine.shutdown()


def _await_jobs(engine: Any, running: Mapping[Any, Cell], say: Callable[[str], None]) -> list[str]:
    """Wait for the jobs, reporting each as it ends. Returns the names of the cells that failed."""
    failed, left = [], list(running)
    while left:
        ready, left = engine.wait(left)
        for job in ready:
            try:
                code, said = engine.get(job)
            except engine.exceptions.RayError as fault:  # its node is gone, again and again
                code, said = 1, str(fault)
            say(f"{running[job].name}: {said if code else 'finished'}")
            failed += [running[job].name] if code else []
    return failed


def check_nodes(nodes: Iterable[Mapping[str, float]], jobs: Jobs) -> None:
    """UsageError where a job would wait for ever: it runs on one node."""
    wanted = {"GPU": jobs.gpus, "CPU": float(jobs.workers)}
    have = list(nodes)
    if not any(all(node.get(name, 0) >= number for name, number in wanted.items()) for node in have):
        offers = "; ".join(f"{node.get('GPU', 0):g} GPUs and {node.get('CPU', 0):g} CPUs" for node in have) or "none"
        raise UsageError(
            f"a cell wants {jobs.gpus:g} GPUs and {jobs.workers} CPUs (--gpus, --workers), and no node of "
            f"the Ray cluster has them; its nodes: {offers}"
        )


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """What a job on another machine must know of this one: where the data, the sets and the cache are."""
    return {name: value for name, value in variables.items() if name.startswith(_ENVIRONMENT)}


def log_of(jobs: Jobs, cell: Cell) -> Path:
    """The log of a cell's job on Ray."""
    return jobs.out.absolute() / f"ray-{cell.system}-{cell.seed}.log"


def run_in_group(words: Sequence[str], folder: str, variables: Mapping[str, str], log: str) -> tuple[int, str]:
    """Run a command from that folder, in its own process (which frees a model's memory) and its own process group. The
    group ends with the command, with this call, and with the process that makes it. Returns the exit status and the
    end of the output."""
    if not Path(folder).is_dir():
        return 2, f"{folder} is not on this node; start from a folder on storage that all nodes share"
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    with open_own(Path(log)) as said:  # what an earlier try said stays
        watched = [sys.executable, "-m", "gec_fair.runs.monitor", *words]
        child = subprocess.Popen(
            watched,
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = child.wait()
        finally:
            with suppress(ProcessLookupError, PermissionError):  # a Mac says so of a group of zombies
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    return code, Path(log).read_text(encoding="utf-8", errors="replace")[-_SAID:]
