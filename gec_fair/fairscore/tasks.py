"""Tasks by name: where their examples lie, what their fields and labels are, and what they are measured by.

$GEC_FAIR_DATA/glue/TASK/{train,dev}.*   files as the tasks' authors or GLUE give them out
glue:TASK                                the hub's `nyu-mll/glue`, through Hugging Face datasets
FILE.csv, FILE.tsv, FILE.jsonl           your own: --fields and --label name the columns
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gec_fair.corpus.fetch import offline
from gec_fair.errors import InputError, MissingResource, UsageError

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
    label's. `places`: both by number (0-based) in files without one; `files`: of each split, in the task's folder."""

    name: str
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    metric: Metric = "accuracy"
    answer: str = "label"
    files: Mapping[str, tuple[str, ...]] | None = None
    places: tuple[tuple[int, ...], int] | None = None
    renamed: Mapping[str, str] | None = None


GLUE = "nyu-mll/glue"
_HUB_SPLITS = {"train": "train", "dev": "validation"}
_HUB_COLUMNS = {"mrpc": ("sentence1", "sentence2")}
_GLUE_FILES = {"train": ("train.tsv",), "dev": ("dev.tsv",)}
_ENTAILS = ("entailment", "not_entailment")
TASKS = {task.name: task for task in (
    Task("cola", ("unacceptable", "acceptable"), ("sentence",), "mcc", places=((3,), 1),
         renamed={"0": "unacceptable", "1": "acceptable"},
         files={"train": ("train.tsv", "in_domain_train.tsv"),
                "dev": ("dev.tsv", "mixed_dev.tsv", "in_domain_dev.tsv")}),
    Task("sst2", ("negative", "positive"), ("sentence",), places=((0,), 1),
         renamed={"0": "negative", "1": "positive"}, files=_GLUE_FILES),
    Task("stsb", (), ("sentence1", "sentence2"), "pearson", places=((5, 6), 4), answer="score",
         files={"train": ("train.tsv", "sts-train.csv"), "dev": ("dev.tsv", "sts-dev.csv")}),
    Task("qqp", ("not_duplicate", "duplicate"), ("question1", "question2"), answer="is_duplicate",
         renamed={"0": "not_duplicate", "1": "duplicate"}, files=_GLUE_FILES),
    Task("mrpc", ("not_equivalent", "equivalent"), ("#1 String", "#2 String"), answer="Quality",
         renamed={"0": "not_equivalent", "1": "equivalent"},
         files={"train": ("msr_paraphrase_train.txt",), "dev": ("dev.tsv", "msr_paraphrase_test.txt")}),
    Task("rte", _ENTAILS, ("sentence1", "sentence2"), files=_GLUE_FILES),
    Task("qnli", _ENTAILS, ("question", "sentence"), files=_GLUE_FILES),
)}  # fmt: skip


def task(name: str) -> Task:
    """UsageError for a name that is none."""
    if name not in TASKS:
        raise UsageError(f"no task is called {name!r}; there are {', '.join(TASKS)}, or give a CSV, TSV or JSONL file")
    return TASKS[name]


def read(of: Task, split: Split, folder: Path, *, limit: int | None = None) -> list[Example]:
    """The examples of a split from the task's folder. MissingResource where no file of it is there, InputError for a
    row without a field, or with a label that is none."""
    names = (of.files or {}).get(split, ())
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    if path is None:
        raise MissingResource(f"{of.name}: none of {', '.join(names)} is in {folder}; put the task's files there, or "
                              f"give --task glue:{of.name}")  # fmt: skip
    rows = _by_place(path, of) if of.places and not _has_header(path, of) else _by_name(path, of)
    found = []
    for line, fields, answer in rows:
        found.append(_example(of, f"{path.name}:{line}", f"{path}:{line}", fields, answer))
        if len(found) == limit:
            break
    return found


def from_hub(of: Task, split: Split, *, limit: int | None = None) -> list[Example]:
    """The examples of a split of GLUE, through Hugging Face datasets. MissingResource where they cannot be had."""
    from datasets import load_dataset

    if offline():
        raise MissingResource(f"glue:{of.name} comes from the hub, and downloads are forbidden (GEC_FAIR_OFFLINE); "
                              f"give --task {of.name} with its files in a folder")  # fmt: skip
    print(f"asking the Hugging Face hub (or its cache) for {GLUE}, {of.name}", file=sys.stderr)
    try:
        rows = load_dataset(GLUE, of.name, split=_HUB_SPLITS[split])
    except (OSError, ValueError) as fault:
        raise MissingResource(f"glue:{of.name}: cannot be fetched ({fault}); put the task's files into "
                              f"$GEC_FAIR_DATA/glue/{of.name} and give --task {of.name}") from fault  # fmt: skip
    columns = _HUB_COLUMNS.get(of.name, of.columns)
    found = []
    for number, row in enumerate(rows):
        label = of.labels[int(row["label"])] if of.labels else str(row["label"])
        found.append(Example(f"{of.name}:{number}", tuple(row[name].strip() for name in columns), label))
        if len(found) == limit:
            break
    return found


def _example(of: Task, name: str, where: str, fields: Sequence[str], answer: str) -> Example:
    label = (of.renamed or {}).get(answer, answer)
    if of.labels and label not in of.labels:
        raise InputError(f"{where}: {answer!r} is none of {of.name}'s labels ({', '.join(of.labels)})")
    if not all(field.strip() for field in fields):
        raise InputError(f"{where}: a text is empty; mend the line, or leave it out")
    return Example(name, tuple(field.strip() for field in fields), label)


def _has_header(path: Path, of: Task) -> bool:
    with path.open(encoding="utf-8-sig") as file:
        return set(of.columns) <= set(file.readline().rstrip("\r\n").split("\t"))


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Cells apart by tabs; quotes mean nothing, as in GLUE's files."""
    with path.open(encoding="utf-8-sig", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line.rstrip("\r\n").split("\t")


def _by_place(path: Path, of: Task) -> Iterator[tuple[int, list[str], str]]:
    assert of.places is not None
    texts, answer = of.places
    for number, cells in _lines(path):
        if len(cells) <= max(*texts, answer):
            raise InputError(f"{path}:{number}: {len(cells)} columns, {max(*texts, answer) + 1} are needed; get the "
                             "file anew")  # fmt: skip
        yield number, [cells[at] for at in texts], cells[answer]


def _by_name(path: Path, of: Task) -> Iterator[tuple[int, list[str], str]]:
    rows = _lines(path)
    _, head = next(rows, (1, []))
    lacking = [name for name in (*of.columns, of.answer) if name not in head]
    if lacking:
        raise InputError(f"{path}:1: no column {', '.join(lacking)}; there are {', '.join(head)}")
    places, answer = [head.index(name) for name in of.columns], head.index(of.answer)
    for number, cells in rows:
        if len(cells) != len(head):
            raise InputError(f"{path}:{number}: {len(cells)} columns, the header has {len(head)}; get the file anew")
        yield number, [cells[at] for at in places], cells[answer]


def from_file(path: Path, fields: Sequence[str], answer: str) -> list[Example]:
    """A user's own CSV, TSV or JSONL. InputError with file and line for what is missing."""
    reader: Callable[[Path], Iterator[tuple[int, Mapping[str, Any]]]] = _jsonl if path.suffix == ".jsonl" else _csv
    found = []
    for number, row in reader(path):
        lacking = [name for name in (*fields, answer) if row.get(name) in (None, "")]
        if lacking:
            raise InputError(f"{path}:{number}: no {', '.join(lacking)}; there are {', '.join(map(str, row))}. Name "
                             "the columns with --fields and --label")  # fmt: skip
        found.append(Example(f"{path.name}:{number}", tuple(str(row[name]) for name in fields), str(row[answer])))
    return found


def _csv(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        for row in reader:
            yield reader.line_num, row


def _jsonl(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield number, json.loads(line)
            except ValueError as fault:
                raise InputError(f"{path}:{number}: is no JSON ({fault}); mend the line") from fault
