"""How processes of the tests end; a module that is quickly imported.

`python -m tests.gec.experiment.dying FILE SECONDS WORDS…` is gec-fair that is killed (−9) so many seconds after a
certain file is in its place; of `child:FILE`, the process alone that puts it there.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

from gec_fair.errors import GecFairError

put = os.replace


def die() -> None:
    place, seconds, command = os.environ["DYING"].split("|")
    time.sleep(float(seconds))
    os.kill(os.getpid() if place.startswith("child:") else int(command), signal.SIGKILL)


def replace(source: object, target: object) -> None:
    put(source, target)  # type: ignore[arg-type]
    place, seconds, _ = os.environ["DYING"].split("|")
    if str(target).endswith(place.removeprefix("child:")):
        threading.Thread(target=die).start() if float(seconds) else die()


class Picky(GecFairError):
    """Cannot be made again from its text alone."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second}")


def raise_fault(kind: type[Exception], *args: object) -> None:
    raise kind(*args)


def wait_for_ever(log: Path) -> None:
    """Write this process's number, and stay."""
    log.write_text(f"{os.getpid()}\n")
    time.sleep(600)


def arm(place: str, seconds: float) -> None:
    """This process, and the trainings that it starts, are to die so."""
    os.environ["DYING"] = f"{place}|{seconds}|{os.getpid()}"
    os.replace = replace  # type: ignore[assignment]


if __name__ == "__mp_main__":  # a training's own process, which is spawned, imports this too
    os.replace = replace  # type: ignore[assignment]
if __name__ == "__main__":
    arm(sys.argv[1], float(sys.argv[2]))
    sys.argv = ["gec-fair", *sys.argv[3:]]
    from gec_fair.cli import main

    main()
