"""The changes of corpora made by interventions: of one corpus, or of a folder of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from gec_fair.babylm.corpora.build import CORPUS, ORIGINAL, lines
from gec_fair.babylm.corpora.toxicity import RUN
from gec_fair.changes.change import Change, Rewritten
from gec_fair.changes.corpus_run import Input, Row, text_changes, text_rows
from gec_fair.changes.corpus_run import read_run as read_corpus_run
from gec_fair.corpus.ledger import NAME as LEDGER
from gec_fair.corpus.ledger import read_ledger
from gec_fair.errors import InputError
from gec_fair.runs.record import MANIFEST, read_record

JOB = "babylm corpus"
AxisOf = Callable[[str], str]


def is_corpora(folder: Path) -> bool:
    """Whether a folder holds finished corpora, or a folder of corpora."""
    return bool(_corpora(folder))


def read_folder(folder: Path, axis_of: AxisOf) -> Rewritten:
    """Every corpus of a folder; the changes name theirs as their part. InputError if none has changes."""
    runs = {path.name: read_corpus(path, axis_of) for path in _corpora(folder) if path.name != ORIGINAL}
    if not runs:
        raise InputError(f"{folder}: holds no corpus of an intervention; make some with gec-fair babylm corpora")

    def read() -> Iterator[Change]:
        for name, run in runs.items():
            yield from (replace(change, part=name) for change in run.read())

    return Rewritten(f"corpora: {', '.join(runs)}", read, sum(run.unchanged for run in runs.values()))


def read_corpus(folder: Path, axis_of: AxisOf) -> Rewritten:
    """The corpus of one intervention: what its rewriting changed, or its own ledger if it has one."""
    manifest = read_record(folder / MANIFEST)
    title, about = f"{JOB} {folder.name}", (str(manifest["signature"]),)
    runs = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not runs and (folder / LEDGER).is_file():
        count = sum(1 for _ in lines(folder / CORPUS))
        rows = partial(_rows, folder, [Input(CORPUS, count)])
        return Rewritten(title, partial(text_changes, rows, _no_axis), total=count, about=about)
    is_of_toxicity = bool(runs) and runs[0].name == RUN
    run = read_corpus_run(runs[0], _no_axis if is_of_toxicity else axis_of) if runs else None
    if run is None or "copies" in manifest["counts"]:  # the original, and behind it the changed copies
        return Rewritten(title, run.read if run else _nothing, about=about)
    return replace(run, title=title, about=(*about, *run.about))


def _corpora(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}") if _is_corpus(path))


def _is_corpus(path: Path) -> bool:
    return str(read_record(path).get("job", "")).startswith(JOB)


def _rows(folder: Path, inputs: Sequence[Input]) -> Iterator[Row]:
    return text_rows(folder / CORPUS, inputs, read_ledger(folder))


def _no_axis(reason: str) -> str:
    return ""


def _nothing() -> Iterator[Change]:
    return iter(())
