"""Run a command that does not outlive whoever started it: the end of standard input, which the death of any process
brings, ends the whole group.

    python -m gec_fair.runs.monitor COMMAND…     as leader of its own group
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Run a program until it ends or standard input closes."""
    command = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.exit(command.wait())


if __name__ == "__main__":
    main()
