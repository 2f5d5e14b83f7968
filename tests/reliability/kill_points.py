"""A command that is killed (SIGKILL) at one operation on the files of its run.

What a kill leaves on the disk changes only when the run creates or renames a file. So each such operation is a point
for a kill, and a run that is not killed writes the list of all of them. Python reports the operations to an audit hook,
so no test watches a clock.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests import warm

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
UNTIDY = (".lock",)
"""Files that say nothing about the state of a run."""

DRAWN = re.compile(r"\.[0-9a-f]{16}(?=\.partial$)")
"""What is drawn by chance in the name of a temporary file."""


class Watch:
    """Writes each operation on a file below `out` to `journal`; kills the command before the first one that is
    called `point`."""

    def __init__(self, out: Path, journal: Path, point: str) -> None:
        self.out, self.point, self.command = f"{out}{os.sep}", point, os.getpid()
        self.journal = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        name = self._operation(event, args)
        if name is None:
            return
        os.write(self.journal, f"{name}\n".encode())
        if name == self.point:
            for process in (self.command, os.getpid()):  # a training runs in a child process
                os.kill(process, signal.SIGKILL)

    def _operation(self, event: str, args: tuple[Any, ...]) -> str | None:
        if event == "os.rename":
            verb, path = "rename to", args[1]
        elif event == "open" and args[2] and args[2] & WRITES:
            verb, path = "open", args[0]
        else:
            return None
        path = os.path.abspath(os.fsdecode(path)) if isinstance(path, (str, bytes, os.PathLike)) else ""
        path = DRAWN.sub("", path)
        is_of_run = path.startswith(self.out) and not path.endswith(UNTIDY)
        return f"{verb} {path.removeprefix(self.out)}" if is_of_run else None


def watch(out: Path, journal: Path, point: str) -> None:
    """This process, and those that it forks, report to a `Watch`."""
    sys.addaudithook(Watch(out, journal, point))


def run(words: Iterable[object], out: Path, log: Path, point: str = "") -> warm.Started:
    """The command in a new process, killed at `point` if one is named. Its journal is `log/journal`."""
    log.mkdir(parents=True, exist_ok=True)
    return warm.run([*map(str, words), "-o", str(out)], log, begin=partial(watch, out, log / "journal", point))


def operations(log: Path) -> list[str]:
    """The operations of a run in their order, each once."""
    return list(dict.fromkeys((log / "journal").read_text().splitlines()))


def draw(points: Sequence[str], phases: Mapping[str, str], seed: int) -> dict[str, str]:
    """One of the points for each phase, each behind the one before. A phase is a name with a pattern of the files that
    are written in it."""
    chance = random.Random(seed)
    drawn: dict[str, str] = {}
    for name, pattern in phases.items():
        start = max((points.index(point) + 1 for point in drawn.values()), default=0)
        drawn[name] = chance.choice([point for point in points[start:] if re.search(pattern, point)])
    return drawn


def contents(out: Path, ignored: str) -> dict[str, bytes]:
    """The bytes of each file of a run by its path, without files whose path matches `ignored`."""
    paths = [path for path in sorted(out.rglob("*")) if path.is_file()]
    names = {path.relative_to(out).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if not re.search(ignored, name)}
