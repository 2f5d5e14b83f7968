"""One process at a time in a folder: a lock that dies with its owner."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from gec_fair.errors import GecFairError
from gec_fair.runs.atomic import open_own

PAUSE = 5.0  # seconds between two attempts at a folder that another process works in
_LOCKS: set[IO[bytes]] = set()
if hasattr(os, "register_at_fork"):  # a forked child that outlives this process would keep its locks
    os.register_at_fork(after_in_child=lambda: [file.close() for file in _LOCKS])


class Busy(GecFairError):
    """Another process works in this folder."""


@contextmanager
def lock(folder: Path, name: str = ".lock") -> Iterator[None]:
    """No second process in a folder: Busy. The death of its owner frees the lock, whatever the owner's children do.
    GecFairError for storage without file locks. Windows has no such locks: there, two processes are the user's care."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open_own(folder / name) as file:
        _LOCKS.add(file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            if fault.errno in (errno.EWOULDBLOCK, errno.EAGAIN):
                raise Busy(f"{folder}: another process is at it") from fault
            raise GecFairError(
                f"{folder}: cannot be locked ({fault.strerror}); the experiment's folder must be on "
                "storage that has file locks"
            ) from fault
        try:
            yield
        finally:
            _LOCKS.discard(file)


@contextmanager
def wait_for_lock(
    folder: Path, say: Callable[[str], None], pause: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """The same, waiting until no other process works in the folder; `say` gets one line about it."""
    with ExitStack() as stack:
        is_announced = False
        while True:
            try:
                stack.enter_context(lock(folder))
                break
            except Busy as busy:
                if not is_announced:
                    say(f"waiting: {busy}")
                is_announced = True
                pause(PAUSE)
        yield
