"""An ensemble over new rows of source scores, some thousands at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.corpus import tables
from gec_fair.corpus.atomic import write_bytes
from gec_fair.corpus.names import closest
from gec_fair.errors import InputError, UsageError
from gec_fair.safety.ensemble import Ensemble
from gec_fair.safety.examples import feature
from gec_fair.safety.scored import cell, rows

_AT_ONCE = 8192


def predict(ensemble: Ensemble, table: Path, output: Path) -> tuple[int, tuple[str, ...]]:
    """Writes id and a probability for each harm, streaming; how many rows, and the harms. InputError with file and line
    for a missing column or a score that is no number."""
    kind = tables.form(output)
    if kind == ".jsonl":
        raise UsageError(f"{output}: probabilities are written as CSV or TSV")
    count = [0]
    write_bytes(output, _lines(ensemble, table, "\t" if kind == ".tsv" else ",", count))
    return count[0], ensemble.harms


def _lines(ensemble: Ensemble, table: Path, between: str, count: list[int]) -> Iterator[bytes]:
    made = io.StringIO()
    writer = csv.writer(made, delimiter=between, lineterminator="\n")
    writer.writerow(["id", *ensemble.harms])
    given = iter(rows(table, "id"))
    while some := list(islice(given, _AT_ONCE)):
        if not count[0]:
            _check(ensemble, table, some[0][1])
        told = ensemble.scores(np.array([_features(ensemble, table, *one) for one in some]))
        names = [cell(cells.get("id")) for _, cells in some]
        writer.writerows(zip(names, *(np.round(told[harm], 6).tolist() for harm in ensemble.harms), strict=True))
        count[0] += len(some)
        yield made.getvalue().encode()
        made.seek(0)
        made.truncate()
    if not count[0]:
        raise InputError(f"{table}: holds no row; give a table with id and the sources' scores")


def _check(ensemble: Ensemble, table: Path, cells: Mapping[str, Any]) -> None:
    for name in ("id", *ensemble.inputs.sources):
        if name not in cells:
            raise InputError(f"{table}: no column {name!r}{closest(name, cells)}; the ensemble was trained on it")


def _features(ensemble: Ensemble, table: Path, place: str, cells: Mapping[str, Any]) -> list[float]:
    try:
        return [feature(name, cell(cells.get(name))) for name in ensemble.inputs.sources]
    except InputError as fault:
        raise InputError(f"{table}{place}: {fault}") from fault
