"""A command in several processes, as torchrun starts them, on one machine or on what is as good as several."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path


def torchrun(processes: int, *words: object, cache: Path, machines: int = 1) -> str:
    """What it says on standard output, all machines together; each runs `processes`."""
    env = {**os.environ, "GEC_FAIR_CACHE": str(cache), "OMP_NUM_THREADS": "1"}
    meeting = ["--nnodes", str(machines), "--rdzv_backend", "c10d", "--rdzv_endpoint", f"127.0.0.1:{_free_port()}"]
    command = [sys.executable, "-m", "torch.distributed.run", *(meeting if machines > 1 else ["--standalone"]),
               "--nproc_per_node", str(processes), "-m", "gec_fair.cli", *map(str, words)]  # fmt: skip
    started = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
               for _ in range(machines)]  # fmt: skip
    said = [agent.communicate(timeout=300) for agent in started]
    assert not any(agent.returncode for agent in started), "\n".join(wrong[-3000:] for _, wrong in said)
    return "".join(told for told, _ in said)


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
    return port
