"""gec-fair that is killed (−9) so many seconds after it has put a certain file in its place.

python -m tests.gec.experiment.dying FILE SECONDS WORDS…
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

place, seconds, words = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
put = os.replace


def die() -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


def replace(source: object, target: object) -> None:
    put(source, target)  # type: ignore[arg-type]
    if str(target).endswith(place):
        threading.Thread(target=die).start() if seconds else die()


if __name__ == "__main__":
    os.replace = replace  # type: ignore[assignment]
    sys.argv = ["gec-fair", *words]
    from gec_fair.cli import main

    main()
