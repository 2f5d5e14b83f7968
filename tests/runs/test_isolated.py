"""A training in its own process: its faults are raised here, and it does not outlive the process that started it."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from gec_fair.errors import DiskFull, GecFairError, InputError
from gec_fair.runs.grid import concerns_all
from gec_fair.runs.isolated import Killed, run_isolated
from tests.gec.experiment.dying import Picky, raise_fault


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


FAULTS = [
    (InputError, ("x.tsv:1: no",), InputError, "x.tsv:1: no", False, "one of ours"),
    (Picky, ("this", "that"), GecFairError, "this and that", False, "one of ours that pickle cannot carry"),
    (DiskFull, ("full",), DiskFull, "full", True, "a full disk, ours"),
    (OSError, (errno.ENOSPC, "full"), OSError, "full", True, "a full disk, the system's"),
    (ValueError, ("odd",), GecFairError, r"(?s)Traceback.*raise_fault.*ValueError: odd", False, "a fault of the code"),
]


@pytest.mark.parametrize(("kind", "args", "becomes", "said", "ends_all", "why"), FAULTS, ids=[row[5] for row in FAULTS])
def test_what_is_raised_there_is_raised_here(kind, args, becomes, said, ends_all, why):
    with pytest.raises(becomes) as caught:
        run_isolated(partial(raise_fault, kind, *args))
    assert re.search(said, str(caught.value))
    assert concerns_all(caught.value) == ends_all


def test_what_ends_well_says_nothing(tmp_path):
    run_isolated((tmp_path / "made").mkdir)
    assert (tmp_path / "made").is_dir()


def test_a_process_that_is_killed_is_told_of():
    with pytest.raises(Killed, match="status -9"):
        run_isolated(partial(signal.raise_signal, signal.SIGKILL))


SCRIPT = """
import sys
import time
from functools import partial
from pathlib import Path
from gec_fair.corpus.pool import context
from gec_fair.runs.isolated import run_isolated
with open("log", "a") as log:
    print("begun", file=log)
sys.modules["torch"] = None
run_isolated(partial(Path("made").mkdir))
with context().Pool(1) as pool:
    print(pool.map(abs, [-1]))
"""


@pytest.mark.parametrize("guard", ["", 'if __name__ == "__main__": pass\n'], ids=["without a guard", "with one"])
def test_a_script_that_starts_processes_runs_once_unless_it_has_a_guard(tmp_path, guard):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("sys.modules", f"{guard}sys.modules"))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    starts = (tmp_path / "log").read_text().count("begun")
    assert (ended.stdout == "[1]\n", ended.returncode, starts > 1) == ((False, 1, True) if guard else (True, 0, False))


@pytest.mark.parametrize(
    "stop_signal", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda stop_signal: stop_signal.name
)
def test_it_ends_when_whoever_started_it_does(tmp_path, stop_signal):
    # a shell that starts tests in the background has them ignore SIGINT, and their children too
    code = (
        "import signal, sys; from functools import partial; from pathlib import Path\n"
        "from gec_fair.runs.isolated import run_isolated\n"
        "from tests.gec.experiment.dying import wait_for_ever\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "run_isolated(partial(wait_for_ever, Path(sys.argv[1])))"
    )
    owner = subprocess.Popen([sys.executable, "-c", code, tmp_path / "log"], stderr=subprocess.DEVNULL)
    child = pid_in(tmp_path / "log")
    owner.send_signal(stop_signal)
    owner.wait(timeout=60)
    assert gone(child)
