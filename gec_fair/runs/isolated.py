"""A training in its own process: its memory is freed with it, and the next one starts afresh."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection

from gec_fair.errors import GecFairError
from gec_fair.runs.processes import Spawning, end_with_parent, portable


class Crashed(GecFairError):
    """A fault of the code, with its traceback."""

    exit_code = 1


class Killed(Crashed):
    """The process ended without a word."""


def run_isolated(call: Callable[[], object]) -> None:
    """Call something that can be pickled in a new process, which ends with this one.

    Raises the GecFairError or OSError that the call raised; for any other fault Crashed with its traceback;
    Killed if the process was killed.
    """
    start = Spawning()
    receiver, sender = start.Pipe(duplex=False)
    process = start.Process(target=_run, args=(call, sender))
    process.start()
    sender.close()
    try:
        fault = receiver.recv()
    except EOFError as ended:
        process.join()
        raise Killed(
            f"its process was killed (status {process.exitcode}), perhaps for want of memory; the same "
            "command resumes from its last checkpoint"
        ) from ended
    except BaseException:
        process.terminate()
        raise
    process.join()  # loggers that report elsewhere end their report
    if fault is not None:
        raise fault


def _run(call: Callable[[], object], sender: Connection) -> None:
    end_with_parent()
    sender.send(_fault(call))


def _fault(call: Callable[[], object]) -> Exception | None:
    try:
        call()
    except GecFairError as fault:
        return portable(fault)
    except OSError as fault:
        return fault
    except Exception as fault:
        return Crashed("".join(traceback.format_exception(fault)).rstrip())
    return None
