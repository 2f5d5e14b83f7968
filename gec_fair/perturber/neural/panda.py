"""PANDA (Qian et al. 2022, §3) in both its forms, and what a model trains on.

the archive's   original  selected_word  perturbed_category  rewrite
the hub's       original  selected_word  target_attribute    perturbed
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gec_fair.data.user_tables import open_text
from gec_fair.errors import InputError, UsageError
from gec_fair.perturber.rewriting.segments import SEPARATOR, occurs
from gec_fair.perturber.words.axes import SHIPPED
from gec_fair.runs.json_files import parse_json

_FORMS = (
    ("original", "selected_word", "perturbed_category", "rewrite"),
    ("original", "selected_word", "target_attribute", "perturbed"),
)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A text, the word that was selected, the attribute that it was to have, and what an annotator made of it. Fields
    of a text of several are joined by ` <SEP> `."""

    original: str
    word: str
    target: str
    rewritten: str

    @property
    def axis(self) -> str:
        """The axis of the target attribute."""
        return SHIPPED.axis_of(self.target)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the original text, split at ` <SEP> `."""
        return tuple(part.strip() for part in self.original.split(SEPARATOR))

    @property
    def usable(self) -> bool:
        """Whether the selected word stands in the text."""
        return occurs(self.word, self.fields)


def read(path: Path) -> list[Rewrite]:
    """The rows of a CSV, TSV or JSONL file, white space at the ends of texts taken off. InputError for columns of
    neither form, or for a row with an attribute that is none."""
    rows_ = []
    for line, row in _rows(path):
        names = next((form for form in _FORMS if all(isinstance(row.get(name), str) for name in form)), None)
        if names is None:
            forms = "; or ".join(", ".join(form) for form in _FORMS)
            raise InputError(f"{path}:{line}: has {', '.join(map(str, row))}; PANDA's columns are {forms}")
        original, word, target, rewritten = (row[name].strip() for name in names)
        try:
            rows_.append(Rewrite(original, word, SHIPPED.attribute(target), rewritten))
        except UsageError as fault:
            raise InputError(f"{path}:{line}: {fault}") from fault
    if not rows_:
        raise InputError(f"{path}: holds no row; give PANDA's train or valid file")
    return rows_


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    try:
        with open_text(path) as file:
            if path.suffix == ".jsonl":
                for number, line in enumerate(file, 1):
                    if not line.strip():
                        continue
                    row = parse_json(line)
                    if not isinstance(row, dict):
                        raise ValueError(f"line {number} is not a JSON object")
                    yield number, row
                return
            reader = csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
            for row in reader:
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, ValueError, csv.Error) as fault:
        raise InputError(f"{path}: cannot be read as CSV, TSV or JSONL ({fault})") from fault
