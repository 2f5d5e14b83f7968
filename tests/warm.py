"""gec-fair in processes that need not import torch first: they are forked from one that has done so, and nothing else.

Each is a process like any other: it has its own environment, and it can be killed. Only its first seconds are missing.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from gec_fair.corpus import pool
from gec_fair.evaluate.scoring import errant


def server() -> BaseContext:
    """What forks; it is started by the first process that is asked of it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.warm_imports"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")  # torch reads it once, as it is imported
        forkserver.ensure_running()
    return context


class Forks:
    """In place of the context in which a process is spawned."""

    def __init__(self, context: BaseContext) -> None:
        self.context = context

    def Pipe(self, duplex: bool = True) -> tuple[Any, Any]:  # noqa: N802
        return self.context.Pipe(duplex)

    def Process(self, target: Callable[..., object], args: tuple[Any, ...]) -> BaseProcess:  # noqa: N802
        return self.context.Process(target=_run_there, args=(dict(os.environ), target, args))  # type: ignore[attr-defined]


def _run_there(environment: Mapping[str, str], call: Callable[..., object], args: tuple[Any, ...]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    call(*args)


def trainings(patch: pytest.MonkeyPatch) -> None:
    """The trainings of an experiment that runs in this process are forked too."""
    patch.setattr("gec_fair.runs.isolated.Spawning", lambda: Forks(server()))


def pools(patch: pytest.MonkeyPatch) -> None:
    """The workers of `--workers` are forked too, which a process with torch in it would spawn."""
    patch.setattr(pool, "context", server)
    patch.setattr(errant, "context", server)


class Started:
    """A command under way, and what it said once it has ended."""

    def __init__(
        self, words: list[str], log: Path, environment: Mapping[str, str], begin: Callable[[], object]
    ) -> None:
        self.log = log
        log.mkdir(parents=True, exist_ok=True)
        request = (dict(environment), _command, ([str(word) for word in words], log, begin))
        self.process = server().Process(target=_run_there, args=request)  # type: ignore[attr-defined]
        self.process.start()

    def wait(self) -> Started:
        self.process.join(300)
        assert self.process.exitcode is not None, "it did not end"
        return self

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    @property
    def returncode(self) -> int:
        return self.process.exitcode

    @property
    def stdout(self) -> str:
        return (self.log / "stdout").read_text()

    @property
    def stderr(self) -> str:
        return (self.log / "stderr").read_text()


def nothing() -> None:
    """What a command begins with."""


def start(
    words: list[str], log: Path, *, begin: Callable[[], object] = nothing, env: Mapping[str, str] | None = None
) -> Started:
    """`gec-fair` of these words; what it says goes to the folder `log`. `begin` is called there before it: something
    that can be pickled."""
    return Started(words, log, os.environ if env is None else env, begin)


def run(words: list[str], log: Path, **more: Any) -> Started:
    return start(words, log, **more).wait()


def _command(words: list[str], log: Path, begin: Callable[[], object]) -> None:
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(log / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
    from gec_fair.runs import grid, isolated

    isolated.Spawning = lambda: Forks(multiprocessing.get_context("fork"))  # type: ignore[assignment,misc]
    grid.PAUSE = 0.1
    sys.argv = ["gec-fair", *words]
    begin()
    from gec_fair.cli import main

    main()
