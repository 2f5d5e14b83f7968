"""Tasks by name: where their examples lie, what their fields and labels are, and what they are measured by.

$GEC_FAIR_DATA/glue/TASK/{train,dev}.*   files as the tasks' authors or GLUE give them out; race/ for RACE
hub:TASK                                 the hub's `nyu-mll/glue` and `ehovy/race`, through Hugging Face datasets
FILE.csv, FILE.tsv, FILE.jsonl           your own, .gz, .xz or .zst too: --fields and --label name the columns
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from gec_fair.config.suggest import closest
from gec_fair.data import user_tables
from gec_fair.data.columns import text_fault
from gec_fair.data.download import offline
from gec_fair.data.text_files import length_fault
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.extras import require
from gec_fair.fairscore import race
from gec_fair.progress import note

Metric = Literal["accuracy", "mcc", "pearson"]
Split = Literal["train", "dev"]


@dataclass(frozen=True, slots=True)
class Example:
    """`fields`: the texts of an example; `label`: its right answer, a number as text for a regression."""

    id: str
    fields: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Task:
    """`labels` () is a regression, which has no fairscore. `columns`: the texts in files with a header; `answer`: the
    label's. `places`: both by number (0-based) in files without one; `files`: in the task's folder, (train, dev) pairs
    that share no example.
    `choices`: the last fields, one a label, are candidates for an answer."""

    name: str
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    metric: Metric = "accuracy"
    answer: str = "label"
    files: tuple[tuple[str, str], ...] = ()
    places: tuple[tuple[int, ...], int] | None = None
    renamed: Mapping[str, str] | None = None
    choices: bool = False


HUB = "hub:"
"""Begins the name of a task whose examples come from the hub."""
GLUE = "nyu-mll/glue"
RACE = "ehovy/race"
_SPLITS = ("train", "dev")
_HUB_SPLITS = {"train": "train", "dev": "validation"}
_HUB_COLUMNS = {"mrpc": ("sentence1", "sentence2")}
_GLUE_FILES = (("train.tsv", "dev.tsv"),)
_ENTAILS = ("entailment", "not_entailment")
TASKS = {
    task.name: task
    for task in (
        Task(
            "cola",
            ("unacceptable", "acceptable"),
            ("sentence",),
            "mcc",
            places=((3,), 1),
            renamed={"0": "unacceptable", "1": "acceptable"},
            files=(
                *_GLUE_FILES,
                ("in_domain_train.tsv", "mixed_dev.tsv"),
                ("in_domain_train.tsv", "in_domain_dev.tsv"),
            ),
        ),
        Task(
            "sst2",
            ("negative", "positive"),
            ("sentence",),
            places=((0,), 1),
            renamed={"0": "negative", "1": "positive"},
            files=_GLUE_FILES,
        ),
        Task(
            "stsb",
            (),
            ("sentence1", "sentence2"),
            "pearson",
            places=((5, 6), 4),
            answer="score",
            files=(*_GLUE_FILES, ("sts-train.csv", "sts-dev.csv")),
        ),
        Task(
            "qqp",
            ("not_duplicate", "duplicate"),
            ("question1", "question2"),
            answer="is_duplicate",
            renamed={"0": "not_duplicate", "1": "duplicate"},
            files=_GLUE_FILES,
        ),
        Task(
            "mrpc",
            ("not_equivalent", "equivalent"),
            ("#1 String", "#2 String"),
            answer="Quality",
            renamed={"0": "not_equivalent", "1": "equivalent"},
            # GLUE's dev.tsv is a part of MSR's training file
            files=(*_GLUE_FILES, ("msr_paraphrase_train.txt", "msr_paraphrase_test.txt")),
        ),
        Task("rte", _ENTAILS, ("sentence1", "sentence2"), files=_GLUE_FILES),
        Task("qnli", _ENTAILS, ("question", "sentence"), files=_GLUE_FILES),
        Task("race", race.LABELS, ("article", "question"), choices=True),
    )
}


def task(name: str) -> Task:
    """With or without `hub:` before it. UsageError for a name that is none."""
    plain = name.removeprefix(HUB)
    if plain not in TASKS:
        raise UsageError(
            f"no task is called {plain!r}{closest(plain, TASKS)}; there are {', '.join(TASKS)}, or give a "
            f"file of your own ({', '.join(user_tables.FILES)})"
        )
    return TASKS[plain]


def examples(name: str, split: Split, *, limit: int | None = None) -> list[Example]:
    """Load a task's examples by name, from the hub or from GEC_FAIR_DATA. MissingResource if they are in neither."""
    known_task = task(name)
    if name.startswith(HUB):
        return from_hub(known_task, split, limit=limit)
    root = os.environ.get("GEC_FAIR_DATA")
    if not root:
        raise MissingResource(
            f"set GEC_FAIR_DATA to a folder with {_place(known_task)}, name the task {HUB}{name}, or give a "
            "CSV, TSV or JSONL file"
        )
    return read(known_task, split, Path(root) / _place(known_task), limit=limit)


def _place(task: Task) -> str:
    """Its folder in GEC_FAIR_DATA."""
    return task.name if task.choices else f"glue/{task.name}"


def read(task: Task, split: Split, folder: Path, *, limit: int | None = None) -> list[Example]:
    """The examples of a split from the task's folder. Rows without a field, or with a label that is none, are left out
    and told on stderr. MissingResource where no file is there, InputError where none of its rows is an example."""
    if task.choices:
        return _first(task, race.rows(folder, split), limit)
    path = _file(task, split, folder)
    rows = _by_place(path, task) if task.places and not _has_header(path, task) else _by_name(path, task)
    placed = (
        row if isinstance(row, InputError) else (f"{path}:{row[0]}", f"{path.name}:{row[0]}", *row[1:]) for row in rows
    )
    return _first(task, placed, limit)


def _file(task: Task, split: Split, folder: Path) -> Path:
    """The file of the first pair that is whole; else the first that has the split: who only evaluates needs no
    training file."""
    position = _SPLITS.index(split)
    present = {name: (folder / name).is_file() for names in task.files for name in names}
    pairs = sorted(task.files, key=lambda names: not all(present[name] for name in names))  # whole ones first
    path = next((folder / names[position] for names in pairs if present[names[position]]), None)
    if path is None:
        names = ", ".join(dict.fromkeys(names[position] for names in task.files))
        raise MissingResource(
            f"{task.name}: none of {names} is in {folder}; put the task's files there, "
            f"or name the task {HUB}{task.name}"
        )
    return path


def from_hub(task: Task, split: Split, *, limit: int | None = None) -> list[Example]:
    """The examples of a split, through Hugging Face datasets. MissingResource where they cannot be had."""
    require("tasks from the hub", "train", "datasets")
    from datasets import load_dataset

    name = f"{HUB}{task.name}"
    if offline():
        raise MissingResource(
            f"{name} comes from the hub, and downloads are forbidden (GEC_FAIR_OFFLINE); put the "
            f"task's files into $GEC_FAIR_DATA/{_place(task)} and name it {task.name}"
        )
    repository, part = (RACE, "all") if task.choices else (GLUE, task.name)
    print(f"asking the Hugging Face hub (or its cache) for {repository}, {part}", file=sys.stderr)
    try:
        rows = load_dataset(repository, part, split=_HUB_SPLITS[split])
    except (OSError, ValueError) as fault:
        raise MissingResource(
            f"{name}: cannot be fetched ({fault}); put the task's files into "
            f"$GEC_FAIR_DATA/{_place(task)} and name it {task.name}"
        ) from fault
    read_row = race.hub_row if task.choices else partial(_glue_row, task)
    return _first(task, (read_row(number, row) for number, row in enumerate(rows)), limit)


def _glue_row(task: Task, number: int, row: Mapping[str, Any]) -> race.Row:
    fields = tuple(row[name] for name in _HUB_COLUMNS.get(task.name, task.columns))
    name = f"{task.name}:{number}"
    return name, name, fields, task.labels[int(row["label"])] if task.labels else str(row["label"])


def _first(task: Task, rows: Iterable[race.Row | InputError], limit: int | None) -> list[Example]:
    return _usable((row if isinstance(row, InputError) else _example(task, *row) for row in rows), limit)


def _usable(rows: Iterable[Example | InputError], limit: int | None = None) -> list[Example]:
    """Rows that are none are left out and told; InputError, the first one's, where nothing else is there."""
    usable: list[Example] = []
    faults: list[InputError] = []
    for row in rows:
        if isinstance(row, InputError):
            faults.append(row)
        else:
            usable.append(row)
        if len(usable) == limit:
            break
    if faults and not usable:
        raise faults[0]
    if faults:
        note(f"{len(faults):,} rows were left out; the first: {faults[0]}")
    return usable


def _example(task: Task, where: str, name: str, fields: Sequence[str], answer: str) -> Example | InputError:
    label = (task.renamed or {}).get(answer, answer)
    if task.labels and label not in task.labels:
        return InputError(f"{where}: {answer!r} is none of {task.name}'s labels ({', '.join(task.labels)})")
    if not all(field.strip() for field in fields):
        return InputError(f"{where}: a text is empty; mend the line, or leave it out")
    if faults := [fault for field in fields if (fault := length_fault(field, where))]:
        return faults[0]
    if task.choices and len(fields) != len(task.columns) + len(task.labels):
        return InputError(f"{where}: {len(fields) - len(task.columns)} candidates, {len(task.labels)} are needed")
    if not task.labels and not _is_number(label):
        return InputError(f"{where}: {label!r} is not a number; mend the line")
    return Example(name, tuple(field.strip() for field in fields), label)


def _is_number(label: str) -> bool:
    try:
        return isfinite(float(label))
    except ValueError:
        return False


def _has_header(path: Path, task: Task) -> bool:
    with user_tables.open_text(path) as file:
        return set(task.columns) <= set(file.readline().rstrip("\r\n").split("\t"))


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Cells apart by tabs; quotes mean nothing, as in GLUE's files."""
    with user_tables.open_text(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line.rstrip("\r\n").split("\t")


_Cut = tuple[int, list[str], str]


def _by_place(path: Path, task: Task) -> Iterator[_Cut | InputError]:
    assert task.places is not None
    texts, answer = task.places
    for number, cells in _lines(path):
        if len(cells) <= max(*texts, answer):
            yield InputError(
                f"{path}:{number}: {len(cells)} columns, {max(*texts, answer) + 1} are needed; get the file anew"
            )
        else:
            yield number, [cells[at] for at in texts], cells[answer]


def _by_name(path: Path, task: Task) -> Iterator[_Cut | InputError]:
    rows = _lines(path)
    _, head = next(rows, (1, []))
    missing = [name for name in (*task.columns, task.answer) if name not in head]
    if missing:
        raise InputError(f"{path}:1: no column {', '.join(missing)}; there are {', '.join(head)}")
    places, answer = [head.index(name) for name in task.columns], head.index(task.answer)
    for number, cells in rows:
        if len(cells) != len(head):
            yield InputError(f"{path}:{number}: {len(cells)} columns, the header has {len(head)}; get the file anew")
        else:
            yield number, [cells[at] for at in places], cells[answer]


def from_file(path: Path, fields: Sequence[str], answer: str) -> list[Example]:
    """A user's own CSV, TSV or JSONL, an example named by file and line. Rows that are none are left out and told on
    stderr; InputError with file and line where no other is there."""
    return _usable(_from_row(path, row, (*fields, answer)) for row in user_tables.rows(path))


def _from_row(path: Path, row: user_tables.Row | InputError, names: Sequence[str]) -> Example | InputError:
    if isinstance(row, InputError):
        return row
    number, cells = row
    if missing := [name for name in names if name not in cells]:
        return InputError(
            f"{path}:{number}: no {', '.join(missing)}; there are {', '.join(cells)}. Name the columns "
            "with --fields and --label"
        )
    if wrong := text_fault(cells, names[:-1], names[-1:]):
        return InputError(f"{path}:{number}: {wrong}; mend the line, or leave it out")
    values = [str(cells[name]) for name in names]
    if faults := [fault for value in values if (fault := length_fault(value, f"{path}:{number}"))]:
        return faults[0]
    return Example(f"{path.name}:{number}", tuple(values[:-1]), values[-1])
