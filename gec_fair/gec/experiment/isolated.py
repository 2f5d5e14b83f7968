"""A training in a process of its own: what it took goes back with it, and the next one begins as fresh as the first."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection

from gec_fair.corpus.pool import end_with_parent, portable
from gec_fair.errors import GecFairError


class Killed(GecFairError):
    """The process ended without a word."""


def apart(call: Callable[[], object]) -> None:
    """Call something that can be pickled in a new process, which ends with this one.

    Raises the GecFairError or OSError that it raised; for any other fault a GecFairError with its traceback; Killed
    where the process was.
    """
    start = multiprocessing.get_context("spawn")
    here, there = start.Pipe(duplex=False)
    process = start.Process(target=_called, args=(call, there))
    process.start()
    there.close()
    try:
        fault = here.recv()
    except EOFError as ended:
        process.join()
        raise Killed(
            f"its process was killed (status {process.exitcode}), perhaps for want of memory; the same "
            "command goes on from its last checkpoint"
        ) from ended
    except BaseException:
        process.terminate()
        raise
    process.join()  # what reports elsewhere ends its report
    if fault is not None:
        raise fault


def _called(call: Callable[[], object], end: Connection) -> None:
    end_with_parent()
    end.send(_fault(call))


def _fault(call: Callable[[], object]) -> Exception | None:
    try:
        call()
    except GecFairError as fault:
        return portable(fault)
    except OSError as fault:
        return fault
    except Exception as fault:
        return GecFairError("".join(traceback.format_exception(fault)).rstrip())
    return None
