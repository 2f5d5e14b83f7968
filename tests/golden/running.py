"""Carry out one frozen run in its own folder, in this process, and record all that it said."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli import invoke
from tests.golden import inputs
from tests.golden.runs import Run

SAID = "said"
"""Where the standard outputs and exit codes of a run's commands lie, beside its files."""

FEW = 18
"""Layers whose first values are recorded."""


@contextmanager
def within(folder: Path, cache: Path) -> Iterator[None]:
    """In that folder, with an empty cache, its own public data if it has any, offline, and one thread."""
    before, place = dict(os.environ), Path.cwd()
    for name in ("GEC_FAIR_DATA", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        os.environ.pop(name, None)
    os.environ |= {"GEC_FAIR_CACHE": str(cache), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    if (folder / "data").is_dir():
        os.environ["GEC_FAIR_DATA"] = str(folder / "data")
    os.chdir(folder)
    threads = sys.modules["torch"].get_num_threads() if "torch" in sys.modules else None
    try:
        if threads is not None:
            sys.modules["torch"].set_num_threads(1)
        yield
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(before)
        if threads is not None:
            sys.modules["torch"].set_num_threads(threads)


def carry_out(run: Run, folder: Path) -> Path:
    """The folder `folder/work`, in which the run was called."""
    work = folder / "work"
    work.mkdir(parents=True)
    if run.models:
        import torch  # noqa: F401  before its threads are counted
    with within(work, folder / "cache"):
        inputs.make(run.inputs, work)
        if (work / "data").is_dir():
            os.environ["GEC_FAIR_DATA"] = str(work / "data")
        said = work / SAID
        said.mkdir()
        for number, command in enumerate(run.commands, 1):
            _call(command, said, number)
    return work


def _call(command: str, said: Path, number: int) -> None:
    """One command; `< FILE` at its end is what it reads."""
    words, _, source = command.partition(" < ")
    stdin = Path(source).read_text(encoding="utf-8") if source else ""
    with logits() as seen:
        done = invoke.run(*words.split(), stdin=stdin)
    for name, content in (("stdout", done.stdout), ("stderr", done.stderr), ("code", f"{done.code}\n")):
        (said / f"{number}.{name}").write_text(content, encoding="utf-8")
    if seen:
        (said / f"{number}.logits").write_text("".join(seen), encoding="utf-8")
    if done.code:
        raise AssertionError(f"gec-fair {command}\nended with {done.code}:\n{done.stderr}")


@contextmanager
def logits() -> Iterator[list[str]]:
    """Of the models that a command calls without learning: the first values of the first call's linear layers, one
    layer a line, the widths before. They depend on no module's name."""
    if "torch" not in sys.modules:
        yield []
        return
    import torch

    seen: list[str] = []

    def record(module: torch.nn.Module, inputs: object, output: object) -> None:
        if len(seen) < FEW and isinstance(module, torch.nn.Linear) and not torch.is_grad_enabled():
            values = [f"{value:.6f}" for value in output.reshape(-1)[:6].tolist()]
            seen.append(f"{module.in_features} {module.out_features}: {' '.join(values)}\n")

    hook = torch.nn.modules.module.register_module_forward_hook(record)
    try:
        yield seen
    finally:
        hook.remove()
