"""Child processes that end with their parent, and errors that survive the way back."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import sys
import threading
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext, SpawnContext, SpawnProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from gec_fair.errors import GecFairError

# Libraries with threads or their own device, which a fork would leave half alive in the child.
_NOT_FORKED = frozenset({"torch", "ray", "pyarrow"})


def context() -> BaseContext:
    """How worker processes start: forked if that is safe, else spawned."""
    return multiprocessing.get_context("fork") if _may_fork() else Spawning()


class _Spawned(SpawnProcess):
    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 - multiprocessing calls it
        main = sys.modules["__main__"]
        if not _runs_when_imported(main):
            return SpawnProcess._Popen(process)
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process)
        finally:
            sys.modules["__main__"] = main


class Spawning(SpawnContext):
    """The context *spawn*, for scripts without `if __name__ == "__main__"` too: a new process imports the script again,
    which would run it a second time, and so leaves such a script out."""

    Process = _Spawned


def _runs_when_imported(main: ModuleType) -> bool:
    path = Path(getattr(main, "__file__", None) or "")
    return path.is_file() and re.search(rb"^if\s+\(?__name__\s*==", path.read_bytes(), re.MULTILINE) is None


def _may_fork() -> bool:
    """Linux, one thread, and no library that does not survive a fork."""
    return sys.platform == "linux" and threading.active_count() == 1 and _NOT_FORKED.isdisjoint(sys.modules)


def end_with_parent() -> None:
    """In a child process: the parent handles Ctrl-C, and its death, however it comes, ends the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """A worker waits for tasks on a pipe that it holds open itself: without this it outlives a killed parent."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def portable(fault: GecFairError) -> GecFairError:
    """The error itself if it survives pickling, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(fault))
    except Exception:
        return GecFairError(str(fault))
    return fault
