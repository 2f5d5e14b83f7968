"""A command in several processes, as torchrun starts them on one machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def torchrun(processes: int, *words: object, cache: Path) -> str:
    """What it says on standard output."""
    env = {**os.environ, "GEC_FAIR_CACHE": str(cache), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(processes),
               "-m", "gec_fair.cli", *map(str, words)]  # fmt: skip
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
