"""Child processes that end with their parent, and errors that survive the way back."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

from gec_fair.errors import GecFairError

# Libraries with threads or their own device, which a fork would leave half alive in the child.
_NOT_FORKED = frozenset({"torch", "ray", "pyarrow"})


def context() -> BaseContext:
    """How worker processes start: forked if that is safe, else spawned."""
    return multiprocessing.get_context("fork" if _may_fork() else "spawn")


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
