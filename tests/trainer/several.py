"""A command in several processes, as torchrun starts them, on one machine or on what is as good as several."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from glob import glob
from pathlib import Path

from tests import warm


def torchrun(processes: int, *words: object, cache: Path) -> str:
    """What it says on standard output."""
    env = {**os.environ, "GEC_FAIR_CACHE": str(cache), "OMP_NUM_THREADS": "1"}
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc_per_node",
        str(processes),
        "-m",
        "gec_fair.cli",
        *map(str, words),
    ]
    agent = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert not agent.returncode, agent.stderr[-3000:]
    return agent.stdout


def start_processes(processes: int, *words: object, cache: Path, log: Path, machines: int = 1) -> list[warm.Started]:
    """The processes that torchrun would start, without torchrun, of as many machines."""
    env = {
        **os.environ,
        "GEC_FAIR_CACHE": str(cache),
        "OMP_NUM_THREADS": "1",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_free_port()),
        "WORLD_SIZE": str(processes * machines),
        "LOCAL_WORLD_SIZE": str(processes),
    }
    ranks = [
        (rank, env | {"RANK": str(rank), "LOCAL_RANK": str(rank % processes)}) for rank in range(processes * machines)
    ]
    return [warm.start([*map(str, words)], log / str(rank), env=mine) for rank, mine in ranks]


def wait_for_all(processes: list[warm.Started]) -> str:
    """What they said on standard output, all together."""
    for process in processes:
        assert process.wait().returncode == 0, process.stderr[-3000:]
    return "".join(process.stdout for process in processes)


def killed_when(written: Path, processes: list[warm.Started]) -> None:
    """They are killed (−9), all of them, as soon as files of that pattern are there."""
    while all(process.alive for process in processes) and not glob(str(written)):
        time.sleep(0.01)
    assert all(process.alive for process in processes), "they ended before they were killed"
    for process in processes:
        process.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
