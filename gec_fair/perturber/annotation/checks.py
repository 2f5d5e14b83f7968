"""What experts look at afterwards: the audit of Table 9 (appendix E), and whether labels still hold (appendix J)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from gec_fair.changes.change import AUGMENTED
from gec_fair.changes.corpus_run import read_run
from gec_fair.corpus.manifest import read_manifest
from gec_fair.data import user_tables
from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.annotation import AnnotationSet, Subject
from gec_fair.evaluate.evalsets.review.tasks import AUDIT, LABELS
from gec_fair.perturber.neural import panda
from gec_fair.runs.json_files import read_object, refuse_other_content
from gec_fair.runs.record import MANIFEST

PANDA = "panda.csv"
"""What stage 3 exports."""
Item = TypeVar("Item")


def audit(source: Path, *, sample: int | None = None, seed: int = 0) -> AnnotationSet:
    """The audit of rewritings: of PANDA's rows (a CSV, TSV or JSONL file, or the folder of an exported stage 3), or of
    the changed texts of a finished `gec-fair perturb`. `sample`: so many are drawn by `seed`. InputError for another
    source, or one without a rewriting."""
    subjects = _of_run(source) if (source / MANIFEST).is_file() else _of_rows(_table(source))
    if not subjects:
        raise InputError(f"{source}: no text was rewritten, so there is nothing to audit")
    return AnnotationSet(AUDIT, {}, tuple(draw(subjects, sample, seed)))


def labels(subjects: Sequence[Subject], *, sample: int | None = None, seed: int = 0) -> AnnotationSet:
    """The check of labels. `sample`: so many are drawn by `seed`. InputError where no example was changed."""
    if not subjects:
        raise InputError("no example with a label was rewritten, so labels cannot be checked")
    return AnnotationSet(LABELS, {}, tuple(draw(subjects, sample, seed)))


def flipped(path: Path) -> list[Subject]:
    """The examples of a fairscore's JSON (`gec-fair fairscore -o FILE`) whose prediction flipped. InputError for
    another file."""
    remedy = "give what `gec-fair fairscore -o` wrote"
    rows = read_object(path, remedy)
    with refuse_other_content(path, remedy):
        return [
            Subject(
                str(row["id"]),
                tuple(map(str, row["original"])),
                rewriting=tuple(map(str, row["perturbed"])),
                label=str(row["label"]),
                group=str(row["axis"]),
                facts=f"{row['source']} → {row['target']}",
            )
            for row in rows["flipped"]
        ]


def rewritten_rows(path: Path, fields: Sequence[str], rewriting: Sequence[str], label: str) -> list[Subject]:
    """The rows of a user's table that hold originals, rewritings and labels. InputError, with the line, for a row
    without one of the columns."""
    subjects = []
    for line, cells in user_tables.valid_rows(path):
        if missing := [name for name in (*fields, *rewriting, label) if not str(cells.get(name) or "").strip()]:
            raise InputError(
                f"{path}:{line}: no {', '.join(missing)}; there are {', '.join(cells)}. Name the columns with "
                "--fields, --rewriting and --label"
            )
        old, new = (tuple(str(cells[name]) for name in names) for names in (fields, rewriting))
        if old != new:
            subjects.append(Subject(f"{path.name}:{line}", old, rewriting=new, label=str(cells[label])))
    return subjects


def draw(items: Sequence[Item], sample: int | None, seed: int) -> list[Item]:
    """So many of the items, in their order; all where there are fewer."""
    if sample is None or sample >= len(items):
        return list(items)
    return [items[at] for at in sorted(Random(seed).sample(range(len(items)), sample))]


def _table(source: Path) -> Path:
    return source / PANDA if (source / PANDA).is_file() else source


def _of_rows(path: Path) -> list[Subject]:
    """Unchanged rewritings too: they may be incorrectly unperturbed."""
    return [
        Subject(
            f"{path.name}:{number}",
            (row.original,),
            rewriting=(row.rewritten,),
            group=row.axis,
            facts=f"{row.word} → {row.target}",
        )
        for number, row in enumerate(panda.read(path), 1)
        if row.original and row.rewritten
    ]


def read_changes(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Of each text that a finished `gec-fair perturb` changed: its place, the original, the rewriting, and the
    attributes. InputError for the folder of another run."""
    if read_manifest(folder).identity.job != "perturb":
        raise InputError(f"{folder}: is another command's; give the folder of a finished `gec-fair perturb`")
    for change in read_run(folder).read():
        if change.outcome == AUGMENTED:
            pieces = change.sides[0].pieces
            old, new = ("".join(piece[side] for piece in pieces) for side in (0, 1))
            yield f"{change.file}:{change.line}", old, new, change.reason


def _of_run(folder: Path) -> list[Subject]:
    return [Subject(place, (old,), rewriting=(new,), facts=reason) for place, old, new, reason in read_changes(folder)]
