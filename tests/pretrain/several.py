"""A command in several processes, as torchrun starts them, on one machine or on what is as good as several."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from glob import glob
from pathlib import Path


def torchrun(processes: int, *words: object, cache: Path, machines: int = 1) -> str:
    """What it says on standard output, all machines together; each runs `processes`."""
    env = {**os.environ, "GEC_FAIR_CACHE": str(cache), "OMP_NUM_THREADS": "1"}
    meeting = ["--nnodes", str(machines), "--rdzv_backend", "c10d", "--rdzv_endpoint", f"127.0.0.1:{_free_port()}"]
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        *(meeting if machines > 1 else ["--standalone"]),
        "--nproc_per_node",
        str(processes),
        "-m",
        "gec_fair.cli",
        *map(str, words),
    ]
    started = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(machines)
    ]
    said = [agent.communicate(timeout=300) for agent in started]
    assert not any(agent.returncode for agent in started), "\n".join(wrong[-3000:] for _, wrong in said)
    return "".join(told for told, _ in said)


def killed_when(written: Path, processes: int, *words: object, cache: Path) -> None:
    """The same on one machine, killed (−9) with all its processes as soon as files of that pattern are there."""
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
    agent = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while agent.poll() is None and not glob(str(written)):
        time.sleep(0.01)
    assert agent.poll() is None, "it ended before it was killed"
    children = Path(f"/proc/{agent.pid}/task/{agent.pid}/children").read_text().split()
    for process in (agent.pid, *map(int, children)):  # torchrun gives each of its processes a session of its own
        os.kill(process, signal.SIGKILL)
    agent.wait()


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
    return port
