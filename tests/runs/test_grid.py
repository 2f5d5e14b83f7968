"""Several processes at one experiment, and cells that fail: nobody waits while there is something to do."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gec_fair.errors import GecFairError, InputError, MissingResource, UsageError
from gec_fair.gec.experiment.cells import Cell
from gec_fair.runs.grid import CellsFailed, concerns_all, refuse_torchrun, run_cells
from gec_fair.runs.lock import Busy, lock
from gec_fair.trainer.nan_guard import report_full_disk

CELLS = [Cell(system, 0, "x.tsv", Path(system)) for system in "abc"]


class Work:
    """Answers each cell's name in capitals, after the faults that are planned for it."""

    def __init__(self, **faults: list[Exception]) -> None:
        self.faults, self.tried, self.said, self.done, self.pauses = faults, [], [], [], 0

    def __call__(self, cell):
        self.tried.append(cell.system)
        if self.faults.get(cell.system):
            raise self.faults[cell.system].pop(0)
        return {"of": cell.system.upper()}

    def turns(self):
        for _, scores in run_cells(CELLS, self, self.said.append, pause=self.pause):
            self.done.append(scores["of"])
        return self.done

    def pause(self, seconds):
        self.pauses += 1


def test_a_cell_that_another_process_is_at_is_left_for_later():
    work = Work(a=[Busy()])
    assert work.turns() == ["B", "C", "A"]
    assert (work.tried, work.pauses, work.said) == (["a", "b", "c", "a"], 0, [])


def test_who_has_nothing_else_to_do_waits_and_says_once_for_whom():
    work = Work(a=[Busy()] * 6, b=[Busy()] * 2)
    assert work.turns() == ["C", "B", "A"]
    assert work.pauses == 4
    assert work.said == [f"waiting for {cells}: another process is at it" for cells in ("a/0, b/0", "a/0")]


def test_a_cell_that_fails_does_not_stop_the_others_and_is_named_in_the_end():
    work = Work(a=[InputError("a.tsv: is empty")], b=[ValueError("shapes")])
    with pytest.raises(CellsFailed, match="2 cells failed: a/0, b/0; why stands above") as fault:
        work.turns()
    assert fault.value.exit_code == 1
    assert work.done == ["C"]
    assert work.said[0] == "a/0: a.tsv: is empty"  # ours is a sentence …
    assert "Traceback" in work.said[1]  # … and others are reported with their traceback


def explain_fault(fault):
    """What a trainer says of it."""
    try:
        with report_full_disk(Path("nowhere")):
            raise fault
    except (GecFairError, RuntimeError, ValueError) as said:
        return said


FATAL = [
    (explain_fault(OSError(errno.ENOSPC, "No space left on device")), True, "a full disk, as the trainer says it"),
    (OSError(errno.ENOSPC, "No space left on device"), True, "a full disk, as Python says it"),
    (explain_fault(RuntimeError("[enforce fail] . unexpected pos 576 vs 534")), True, "a full disk, as torch says it"),
    (
        explain_fault(ValueError("Error while serializing: I/O error: File too large (os error 27)")),
        True,
        "a file that may not grow, as safetensors says it",
    ),
    (MissingResource("no GPU"), True, "what is missing for one is missing for all"),
    (InputError("a.tsv: is empty"), False, "data of one system"),
    (RuntimeError("CUDA out of memory"), False, "one process's memory"),
]


@pytest.mark.parametrize(("fault", "ends", "why"), FATAL, ids=[row[2] for row in FATAL])
def test_what_would_meet_every_cell_ends_the_run_at_once(fault, ends, why):
    assert concerns_all(fault) is ends
    work = Work(a=[fault])
    with pytest.raises(type(fault) if ends else CellsFailed):
        work.turns()
    assert work.tried == (["a"] if ends else ["a", "b", "c"])


def test_two_processes_do_not_meet_in_one_cell(tmp_path):
    pytest.importorskip("fcntl")
    with lock(tmp_path / "cell"), pytest.raises(Busy), lock(tmp_path / "cell"):
        raise AssertionError
    with lock(tmp_path / "cell"):
        pass  # and who has left it does not bar it


OWNER = """
import os, signal, sys, time
from pathlib import Path
from gec_fair.runs.lock import lock
with lock(Path(sys.argv[1])):
    child = os.fork()
    if not child:
        os.close(1)
        time.sleep(60)
        os._exit(0)
    print(child, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_lock_ends_with_its_owner_though_a_child_of_it_lives(tmp_path):
    pytest.importorskip("fcntl")
    done = subprocess.run([sys.executable, "-c", OWNER, tmp_path], stdout=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    child = int(done.stdout)
    try:
        with lock(tmp_path):
            os.kill(child, 0)  # it lives
    finally:
        os.kill(child, signal.SIGKILL)


def test_storage_without_locks_is_not_taken_for_another_process(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def flock(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(GecFairError, match=r"cannot be locked \(No locks available\)") as fault, lock(tmp_path):
        raise AssertionError
    assert not isinstance(fault.value, Busy)


@pytest.mark.parametrize("variables", [{"WORLD_SIZE": "2", "RANK": "0"}, {"RANK": "1"}])
def test_torchrun_is_refused(monkeypatch, variables):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match="start one process for each GPU"):
        refuse_torchrun()
