"""RACE (Lai et al. 2017), multiple choice: an example's fields are article, question and the four candidates.

RACE/{train,dev,test}/{middle,high}/*.txt, a JSON object a file: article, questions, options, answers
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError, MissingResource
from gec_fair.runs.json_files import parse_json

LABELS = ("A", "B", "C", "D")
LEVELS = ("middle", "high")
Row = tuple[str, str, Sequence[str], str]
"""Where it stands, an id, the fields, the answer."""


def rows(folder: Path, split: str) -> Iterator[Row | InputError]:
    """From the files as its authors give them out, in the order of their numbers; an InputError for a file that is not
    of that form. MissingResource where there is none."""
    files = [path for level in LEVELS for path in sorted((folder / split / level).glob("*.txt"), key=_number)]
    if not files:
        raise MissingResource(
            f"race: no {split}/middle/*.txt or {split}/high/*.txt in {folder}; put the unpacked "
            "RACE there, or name the task hub:race"
        )
    for path in files:
        try:
            document = parse_json(path.read_text(encoding="utf-8"))
            parts = list(zip(document["questions"], document["options"], document["answers"], strict=True))
            article = document["article"]
        except (ValueError, KeyError, TypeError) as fault:
            yield InputError(
                f"{path}: is not a file of RACE with article, questions, options and answers ({fault}); get it anew"
            )
            continue
        for number, (question, options, answer) in enumerate(parts):
            name = f"{path.parent.name}/{path.name}:{number}"
            yield f"{path}, question {number}", name, (article, question, *options), answer


def hub_row(number: int, row: Mapping[str, Any]) -> Row:
    """A row of the hub's `ehovy/race`."""
    name = f"race:{number}"
    return name, name, (row["article"], row["question"], *row["options"]), row["answer"]


def _number(path: Path) -> tuple[int, str]:
    return (int(path.stem) if path.stem.isdecimal() else 0, path.stem)
