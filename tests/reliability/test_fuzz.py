"""Commands that get a spoilt file do their work or say what is wrong: exit 0 or 2, and never a traceback.

`make fuzz` runs 1,000 of them; GEC_FAIR_FUZZ says how many, and GEC_FAIR_FUZZ_SEED which.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import traceback
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from tests.cli.invoke import Done, run
from tests.cli.test_help import LEAVES
from tests.reliability import inputs, mutations
from tests.reliability.commands import COMMANDS, NO_INPUT
from tests.shared import once

RUNS = int(os.environ.get("GEC_FAIR_FUZZ", "150"))
FEW = 20
"""Of these, in the quick test."""
TRAINING = ("babylm.experiment", "babylm.debiasing.experiment", "gec.experiment.running", "lmbias.survey")
WRITTEN_ALONE = {".lock", "figures", "report.html", "README.md", "checkpoints", "log.jsonl"}
"""What runs write for people, or for themselves."""
PAIRS = ("pairs.tsv", "train.tsv", "dev.tsv")
"""Files whose lines are of no use without their second column."""
LINE_BY_LINE = ("rewrite", "perturb", "show")
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
    parts = dict.fromkeys(re.split(r"[\s=,:[\]]", words))
    paths = [folder / part for part in parts if part and (folder / part).exists()]
    files = [path for path in paths if path.is_file()]
    for path in paths:
        files += [file for file in sorted(path.rglob("*")) if file.is_file() and not WRITTEN_ALONE & {*file.parts}]
    return [file.relative_to(folder).as_posix() for file in files]


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
        is_named = path.name in re.split(r"[\s=,:/[\]]", f"{case.words} {case.file}")
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


def is_unusable(case: Case, good: Path) -> bool:
    """Whether no line of the spoilt file can be used. Only files that the command line names must be read."""
    if case.file not in case.words or (case.mutation is mutations.blank_lines and case.name.startswith(LINE_BY_LINE)):
        return False
    if case.file in PAIRS and case.mutation is mutations.one_column:
        return True
    content = case.mutation((good / case.file).read_bytes(), random.Random(case.seed))
    is_header_alone = case.file.endswith(".csv") and len(content.splitlines()) < 2
    return case.mutation in mutations.UNUSABLE or is_header_alone


def fault_of(case: Case, done: Done | str, good: Path) -> str:
    """What the command did that it must not do; "" for nothing."""
    if isinstance(done, str):
        return done
    if done.code not in (0, 2) or "Traceback" in done.stderr:
        return f"exit {done.code}: {done.stderr[-1500:]}"
    if case.mutation is mutations.unchanged and done.code:
        return f"the good file is refused: {done.stderr[-1500:]}"
    if is_unusable(case, good):
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


def names_of_files(value: object, good: Path) -> bool:
    """Whether a parameter's value names a file or folder of the good ones."""
    if isinstance(value, (tuple, list)):
        return any(names_of_files(part, good) for part in value)
    return any((good / part).exists() for part in re.split(r"[=,:[\]]", str(value)) if part)


@pytest.mark.parametrize("name", LEAVES)
def test_every_parameter_that_names_a_file_is_in_the_table(name, good, monkeypatch):
    monkeypatch.chdir(good)
    contexts = [
        LEAVES[name].make_context(name, words.partition(" < ")[0].split(), resilient_parsing=True)
        for words in COMMANDS.get(name, ())
    ]
    missing = [
        flag
        for parameter in LEAVES[name].params
        if isinstance(parameter.type, (click.Path, click.types.StringParamType))
        and (flag := parameter.opts[-1]) not in NO_INPUT
        and f"{name} {flag}" not in NO_INPUT
        and not getattr(parameter, "hidden", False)
        and not any(names_of_files(context.params[parameter.name], good) for context in contexts)
    ]
    assert not missing, f"{name}: {missing}: name a file there in tests/reliability/commands.py, or in NO_INPUT"


@pytest.mark.parametrize(
    "part", [slice(FEW), pytest.param(slice(FEW, None), marks=pytest.mark.slow)], ids=["few", "rest"]
)
def test_spoilt_files_are_used_or_refused_with_a_message(part, good, quick, tmp_path):
    faults = []
    for n, case in enumerate(cases(good, RUNS, SEED)[part]):
        spoil(case, good, tmp_path / str(n))
        fault = fault_of(case, call(case, tmp_path / str(n)), good)
        if fault:
            faults.append(f"{case}\n{fault}\n")
        shutil.rmtree(tmp_path / str(n))
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults)
