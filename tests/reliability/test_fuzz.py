"""Commands that get a spoilt file do their work or say what is wrong: exit 0 or 2, and never a traceback.

`make fuzz` runs 1,000 of them; GEC_FAIR_FUZZ says how many, and GEC_FAIR_FUZZ_SEED which.
"""

from __future__ import annotations

import os
import random
import shutil
import traceback
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.invoke import Done, run
from tests.reliability import inputs, mutations
from tests.reliability.commands import COMMANDS
from tests.shared import once

RUNS = int(os.environ.get("GEC_FAIR_FUZZ", "150"))
TRAINING = ("babylm.experiment", "babylm.debias.experiment", "gec.experiment.running", "lmbias.survey")
LINE_BY_LINE = ("rewrite", "show")
"""Commands to which an empty line is a text that stays as it is."""
SEED = int(os.environ.get("GEC_FAIR_FUZZ_SEED", "30"))


@dataclass(frozen=True)
class Case:
    """A command line, the file that is spoilt, and how."""

    name: str
    words: str
    file: str
    mutation: mutations.Mutation
    seed: int

    def __str__(self) -> str:
        return f"{self.seed}: {self.mutation.__name__} {self.file}: gec-fair {self.name} {self.words}"


def files_of(words: str, folder: Path) -> list[str]:
    """The files that a command line names, and those in folders that it names; paths below `folder`."""
    parts = [part for word in words.split() for part in word.replace("=", ",").strip("[]").split(",")]
    paths = [folder / part.strip("[]") for part in dict.fromkeys(parts) if part and (folder / part).exists()]
    every = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    return [file.relative_to(folder).as_posix() for file in every if file.is_file() and file.suffix != ".lock"]


def cases(folder: Path, number: int, seed: int) -> list[Case]:
    """Every command line with each of its files in turn, in an order that the seed gives, spoilt in drawn ways."""
    targets = [
        (name, words, file) for name, lines in COMMANDS.items() for words in lines for file in files_of(words, folder)
    ]
    chance = random.Random(seed)
    drawn: list[Case] = []
    while len(drawn) < number:
        chance.shuffle(targets)
        drawn += [Case(*target, chance.choice(mutations.MUTATIONS), chance.randrange(10**6)) for target in targets]
    return drawn[:number]


def spoil(case: Case, good: Path, folder: Path) -> None:
    """Fill a folder with the good files, which nothing writes into, and the spoilt one."""
    folder.mkdir()
    for path in good.iterdir():
        is_named = path.name in case.words.replace("/", " ").split() or path.name == Path(case.file).parts[0]
        if path.is_dir() and is_named:
            shutil.copytree(path, folder / path.name)
        else:
            (folder / path.name).symlink_to(path)
    (folder / case.file).unlink()
    content = (good / case.file).read_bytes()
    (folder / case.file).write_bytes(case.mutation(content, random.Random(case.seed)))


def call(case: Case, folder: Path) -> Done | str:
    """What the command said, or its traceback."""
    words, _, stdin = case.words.partition(" < ")
    command = [word.replace("MINE", "He lost his keys .") for word in (*case.name.split(), *words.split())]
    text = (folder / stdin).read_bytes() if stdin else b""
    try:
        return run(*(word.replace("_", " ") if "lost" in word else word for word in command), stdin=text, cwd=folder)
    except Exception:
        return traceback.format_exc()


def fault_of(case: Case, done: Done | str) -> str:
    """What the command did that it must not do; "" for nothing."""
    if isinstance(done, str):
        return done
    is_named = case.file in case.words
    if done.code not in (0, 2) or "Traceback" in done.stderr:
        return f"exit {done.code}: {done.stderr[-1500:]}"
    if case.mutation is mutations.unchanged and done.code:
        return f"the good file is refused: {done.stderr[-1500:]}"
    is_text = case.mutation is mutations.blank_lines and case.name.startswith(LINE_BY_LINE)
    if case.mutation in mutations.UNUSABLE and is_named and not is_text:
        if done.code == 0:
            return f"exit 0, and no line was usable: {done.stdout[-300:]} {done.stderr[-300:]}"
        if Path(case.file).name not in done.stderr and "stdin" not in done.stderr:
            return f"the message does not name the file: {done.stderr[-500:]}"
    return ""


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    return once(tmp_path_factory, "fuzz", inputs.write)


@pytest.fixture
def quick(monkeypatch, bias_sets, chat):
    """Trainings in this process, and a chat server that gives each text back."""
    for module in TRAINING:
        monkeypatch.setattr(f"gec_fair.{module}.run_isolated", lambda call: call())


def test_spoilt_files_are_used_or_refused_with_a_message(good, quick, tmp_path):
    faults = []
    for n, case in enumerate(cases(good, RUNS, SEED)):
        spoil(case, good, tmp_path / str(n))
        fault = fault_of(case, call(case, tmp_path / str(n)))
        if fault:
            faults.append(f"{case}\n{fault}\n")
        shutil.rmtree(tmp_path / str(n))
    assert not faults, f"{len(faults)} of {RUNS}\n" + "\n".join(faults)
