"""Tables of labelled texts, before any source has scored them: read, given counterfactuals, given scores.

    id, text, slices, set_id, copy_of, then a column for each harm (`examples` says what they mean)

Columns that are none of these are labels, and go along as they are; a counterfactual has its text's.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from gec_fair.corpus import tables
from gec_fair.corpus.atomic import write_bytes
from gec_fair.errors import InputError, UsageError
from gec_fair.safety.examples import told_slices
from gec_fair.safety.groups import Groups, Slice
from gec_fair.safety.scored import cell, rows

OWN = ("id", "set_id", "slices", "copy_of", "text")


@dataclass(frozen=True, slots=True)
class Text:
    """`labels`: the other columns of its row."""

    id: str
    text: str
    slices: tuple[Slice, ...] = ()
    set_id: str = ""
    copy_of: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def row(self) -> dict[str, str]:
        return {"id": self.id, "set_id": self.set_id, "slices": "; ".join(map(str, self.slices)),
                "copy_of": self.copy_of, "text": self.text, **self.labels}  # fmt: skip


def read(path: Path, groups: Groups) -> list[Text]:
    """InputError with file and line for a missing column, an id that is there twice, an unknown subgroup."""
    found: dict[str, Text] = {}
    for place, cells in rows(path, "text"):
        if lacking := [name for name in ("id", "text") if name not in cells]:
            raise InputError(f"{path}: no column {lacking[0]!r}; a table of texts has {', '.join(OWN)} and labels")
        try:
            told = {name: cell(cells.get(name)) for name in OWN}
            name = told["id"]
            if not name or name in found:
                raise InputError(f"id is {name!r}, {'told before' if name else 'empty'}; give each text one of its own")
            if not told["text"]:
                raise InputError("text is empty; leave the row out")
            labels = {key: cell(value) for key, value in cells.items() if key not in OWN}
            slices = tuple(told_slices(told["slices"], groups))
        except (InputError, UsageError) as fault:
            raise InputError(f"{path}{place}: {fault}") from fault
        found[name] = Text(name, told["text"], slices, told["set_id"], told["copy_of"], labels)
    if not found:
        raise InputError(f"{path}: holds no row; a table of texts has {', '.join(OWN)} and labels")
    return list(found.values())


def write(path: Path, texts: Iterable[Mapping[str, Any]]) -> None:
    """CSV, TSV or JSONL, by the file's name; whole or not at all. UsageError for another."""
    kind = tables.form(path)
    if kind == ".jsonl":
        write_bytes(path, (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in texts))
        return
    made = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in texts:
        if writer is None:
            writer = csv.DictWriter(made, list(row), delimiter="\t" if kind == ".tsv" else ",", lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    write_bytes(path, [made.getvalue().encode()])


class Rewriter(Protocol):
    """Counterfactuals of texts that name a subgroup: for every other one of its category a text, or why there is
    none."""

    def __call__(self, texts: Sequence[str], sources: Sequence[Slice]) -> Iterator[Sequence[Any]]: ...


@dataclass(frozen=True, slots=True)
class Expanded:
    """`texts`: each text, then its counterfactuals; `dropped`: how many could not be made, by category and reason."""

    texts: tuple[Text, ...]
    dropped: Mapping[tuple[str, str], int]
    whole: int
    """Texts with a counterfactual for every other subgroup."""
    named: int
    """Texts that name a subgroup."""


def expand(texts: Sequence[Text], rewriter: Rewriter) -> Expanded:
    """Texts that are no counterfactuals themselves, in order. A text and its counterfactuals share a set."""
    asked = [(text, each) for text in texts if not text.copy_of for each in text.slices]
    dropped: Counter[tuple[str, str]] = Counter()
    made: dict[str, list[Text]] = {}
    lacking: set[str] = set()
    answers = rewriter([text.text for text, _ in asked], [each for _, each in asked])
    for (text, own), found in zip(asked, answers, strict=True):
        for each in found:
            if each.text is None:
                dropped[own.category, each.reason] += 1
                lacking.add(text.id)
                continue
            others = tuple(one for one in text.slices if one != own)
            made.setdefault(text.id, []).append(
                Text(_copy_id(text, own, each.target), each.text, (each.target, *others), text.set_id or text.id,
                     text.id, text.labels))  # fmt: skip
    every: list[Text] = []
    for text in texts:
        copies = made.get(text.id, [])
        first = Text(text.id, text.text, text.slices, text.set_id or (text.id if copies else ""), text.copy_of,
                     text.labels)  # fmt: skip
        every += [first, *copies]
    named = {text.id for text, _ in asked}
    return Expanded(tuple(every), dict(dropped), len(named - lacking), len(named))


def _copy_id(text: Text, own: Slice, target: Slice) -> str:
    """Where a text names two subgroups of a category, its copies tell which was replaced."""
    several = sum(one.category == own.category for one in text.slices) > 1
    return f"{text.id}~{own.subgroup}>{target.subgroup}" if several else f"{text.id}~{target.subgroup}"


def told(found: Expanded) -> list[str]:
    """How many texts have all their counterfactuals, and what could not be made."""
    lines = [f"{found.whole:,} of {found.named:,} texts that name a subgroup have one for every other"]
    lines += [f"  {category}: {number:,} not made, {REASONS.get(reason, reason)}"
              for (category, reason), number in sorted(found.dropped.items())]  # fmt: skip
    return lines


REASONS: Mapping[str, str] = {
    "no mention": "no word of the table says the subgroup",
    "no counterpart": "the other subgroup has no word for what is said",
    "both named": "the other subgroup is named in the text too",
    "no answer": "the chat model gave no answer that fits",
    "incongruous": "the chat model's critique finds that it makes no sense of the other subgroup",
}


def scored_row(text: Text, columns: Sequence[str], scores: Iterable[float]) -> dict[str, Any]:
    """Without the text itself; a source without an answer leaves its cell empty."""
    row = {name: value for name, value in text.row().items() if name != "text"}
    return {**row, **{name: "" if value != value else round(float(value), 6)
                      for name, value in zip(columns, scores, strict=True)}}  # fmt: skip
