"""gec-fair that is killed (−9) so many seconds after a certain file is in its place; of `child:FILE`, the process alone
that puts it there.

python -m tests.gec.experiment.dying FILE SECONDS WORDS…
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time

put = os.replace


def die() -> None:
    place, seconds = os.environ["DYING"].split("|")
    time.sleep(float(seconds))
    parent = multiprocessing.parent_process()
    os.kill(parent.pid if parent and not place.startswith("child:") else os.getpid(), signal.SIGKILL)


def replace(source: object, target: object) -> None:
    put(source, target)  # type: ignore[arg-type]
    place, seconds = os.environ["DYING"].split("|")
    if str(target).endswith(place.removeprefix("child:")):
        threading.Thread(target=die).start() if float(seconds) else die()


if __name__ in ("__main__", "__mp_main__"):  # a training's own process imports this too
    os.replace = replace  # type: ignore[assignment]
if __name__ == "__main__":
    os.environ["DYING"] = "|".join(sys.argv[1:3])
    sys.argv = ["gec-fair", *sys.argv[3:]]
    from gec_fair.cli import main

    main()
