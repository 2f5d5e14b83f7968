"""Labelled documents of a classification data set: one text, or a claim with its evidence (Yang et al. 2024, §3.1).

Where a field's name is not given, the first of these names that a row has is taken:

    id        id, unique_id, pairID, cid
    label     gold_label, label
    text      claim, hypothesis, sentence2, query, text, sentence
    evidence  evidence, evidence_sentence, premise, sentence1, context, gold_evidence   (never needed)

which reads FEVER-NLI, VitaminC, the symmetric sets, FM2, SNLI and MNLI as their authors give them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gec_fair.data import user_tables
from gec_fair.data.columns import Missing, is_missing, rows_with_texts, text_fault
from gec_fair.data.text_files import length_fault
from gec_fair.errors import InputError
from gec_fair.progress import note
from gec_fair.razor.options import NAMES, Fields
from gec_fair.runs.json_files import HALF_PAIR

UNDECIDED = "-"
"""SNLI's label where its annotators did not agree."""


@dataclass(frozen=True, slots=True)
class Document:
    """`text` is what is scored and rewritten; `evidence` stays. `row`: all that the input says of it."""

    id: str
    label: str
    text: str
    evidence: str = ""
    row: Mapping[str, Any] = field(default_factory=dict, compare=False)
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that is not a document, and why; `after`: how many documents come before it. `row`: None where there is
    none to be read."""

    fault: InputError
    after: int
    row: Mapping[str, Any] | None = None


def from_rows(
    rows: Iterable[Mapping[str, Any]], fields: Fields | None = None, *, missing: Missing = "refuse"
) -> tuple[list[Document], int]:
    """The documents of rows in memory, and how many rows without a text or a label were left out, with "drop".
    UsageError for a text that is not a string, InputError for another row that is not a document, with its number."""
    fields = fields or Fields()
    every = list(rows)
    text, label = (fields.read(field, every[0] if every else {}) for field in ("text", "label"))
    placed = [(f"documents: row {number}", row) for number, row in enumerate(every, 1)]
    checked = rows_with_texts(placed, [text] if text else [], labels=[label] if label else [], missing=missing)
    numbered = [(int(place.rpartition(" ")[2]), row) for place, row in checked.rows]
    read = [_document(Path("documents"), row, fields) for row in numbered]
    documents = [document for document in read if isinstance(document, Document)]
    faults = [fault for fault in read if isinstance(fault, InputError)]
    if faults and (missing == "refuse" or not documents):
        raise faults[0]
    return documents, checked.dropped + len(faults)


def read(path: Path, fields: Fields | None = None) -> tuple[list[Document], list[LeftOut]]:
    """The documents of a CSV, TSV or JSONL in their order, and the other rows. A document without an id is named by its
    line. InputError where a file cannot be read or holds none."""
    documents: list[Document] = []
    left: list[LeftOut] = []
    lines: dict[str, int] = {}
    for row in user_tables.rows(path):
        if isinstance(row, InputError):
            left.append(LeftOut(row, len(documents)))
            continue
        document = _document(path, row, fields or Fields())
        if isinstance(document, Document) and lines.setdefault(document.id, row[0]) != row[0]:
            document = InputError(
                f"{document.where}: the id {document.id!r} stands in line {lines[document.id]} already; "
                "give each document its own"
            )
        if isinstance(document, Document):
            documents.append(document)
        else:
            left.append(LeftOut(document, len(documents), row[1]))
    if not documents:
        raise left[0].fault
    return documents, left


def read_files(paths: Sequence[Path], fields: Fields, labels: Sequence[str] = ()) -> list[Document]:
    """The documents of several files, with these labels if any are named. Prints what was left out on stderr.
    InputError for an id that two files have, or where no document remains."""
    documents: list[Document] = []
    for path in paths:
        read_documents, left = read(path, fields)
        report_left_out(left)
        documents += [document for document in read_documents if not labels or document.label in labels]
    by_id: dict[str, Document] = {}
    for document in documents:
        if (first := by_id.setdefault(document.id, document)) is not document:
            raise InputError(
                f"{document.where}: the id {document.id!r} stands in {first.where} too; give each document its own"
            )
    if not documents:
        raise InputError(f"{', '.join(map(str, paths))}: no document is {' or '.join(labels)}; check --labels")
    return documents


def _document(path: Path, row: user_tables.Row, fields: Fields) -> Document | InputError:
    number, cells = row
    where = f"{path}:{number}"
    names = {field: fields.read(field, cells) for field in NAMES}
    if missing := [field for field in ("label", "text") if names[field] is None or names[field] not in cells]:
        return InputError(
            f"{where}: no {' and no '.join(missing)}; there are {', '.join(cells)}. Name the fields with "
            f"{', '.join(f'--{field}' for field in missing)}"
        )
    if unknown := [name for field, name in names.items() if name is not None and name not in cells]:
        return InputError(f"{where}: no {', '.join(unknown)}; there are {', '.join(cells)}. Name another field")
    if wrong := text_fault(cells, [str(names["text"])], [str(names["label"])]):
        return InputError(f"{where}: {wrong}; mend the line, or leave it out")
    values = {field: _words(cells.get(name)) for field, name in names.items() if name is not None}
    if no_text := [field for field, value in values.items() if value is None]:
        return InputError(f"{where}: {names[no_text[0]]} is not text; name another field with --{no_text[0]}")
    if broken := [
        field for field, value in values.items() if value != (value or "").encode("utf-8", "ignore").decode()
    ]:
        return InputError(f"{where}: {names[broken[0]]} {HALF_PAIR}; replace it")
    label, text = values["label"] or "", values["text"] or ""
    if not label or label == UNDECIDED:
        return InputError(f"{where}: has no label; give it one, or leave it out")
    if (fault := length_fault(text, where)) is not None:
        return fault
    name = values.get("id") or f"{path.name}:{number}"
    return Document(name, label, text, values.get("evidence") or "", cells, where)


def _words(value: Any) -> str | None:
    """A cell as text: numbers as they are written, a list of sentences joined, "" for a missing one; None where it is
    none of these."""
    if is_missing(value):
        return ""
    if isinstance(value, (str, int, float)):
        return str(value).strip()
    if isinstance(value, Sequence):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in value]
        sentences = [part for part in parts if isinstance(part, str)]
        return " ".join(sentences).strip() if len(sentences) == len(parts) else None
    return None


def has_evidence(documents: Iterable[Document]) -> bool:
    """Whether any has evidence; a classifier then reads evidence and text of each."""
    return any(document.evidence for document in documents)


def report_left_out(left: Sequence[LeftOut]) -> None:
    """On stderr, how many rows were left out, and the first."""
    if left:
        note(f"{len(left):,} rows were left out; the first: {left[0].fault}")
