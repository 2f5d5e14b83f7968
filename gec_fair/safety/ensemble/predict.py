"""An ensemble over new rows of source scores, some thousands at a time."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gec_fair.config.suggest import closest
from gec_fair.data import user_tables
from gec_fair.errors import InputError, UsageError
from gec_fair.runs.atomic import write_bytes
from gec_fair.safety.data.cells import PARQUET, cell, name_row, refuse_short, rows
from gec_fair.safety.data.examples import Examples, feature
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats
from gec_fair.safety.ensemble.model import Ensemble

_AT_ONCE = 8192
_TWICE = re.compile(r"(.*)\.\d+")
Block: TypeAlias = tuple[Sequence[str], Floats]
"""Ids, and (texts, sources)."""


class _OddTable(Exception):
    """A CSV or TSV file that is to be read cell by cell, to say what is wrong with it and where."""


@dataclass(slots=True)
class Predicted:
    """How many rows; of how many no source has a score, so that they get the median of training."""

    rows: int = 0
    blank: int = 0


def predict(ensemble: Ensemble, table: Path, output: Path) -> Predicted:
    """Writes id and a probability for each harm, streaming. InputError with file and line for a missing column, a row
    that is too short, or a score that is not a number."""
    kind = user_tables.output_form(output)
    if kind == ".jsonl":
        raise UsageError(f"{output}: probabilities are written as CSV or TSV")
    is_plain = table.suffix != PARQUET and user_tables.form(table) != ".jsonl"
    between = "\t" if kind == ".tsv" else ","
    for read_blocks in (_by_column, _by_cell) if is_plain else (_by_cell,):
        summary = Predicted()
        with suppress(_OddTable):
            write_bytes(output, _lines(ensemble, table, read_blocks(ensemble, table), between, summary))
            break
    return summary


def _lines(
    ensemble: Ensemble, table: Path, blocks: Iterator[Block], between: str, summary: Predicted
) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=between, lineterminator="\n")
    writer.writerow(["id", *ensemble.harms])
    for names, features in blocks:
        scores = ensemble.scores(features)
        writer.writerows(zip(names, *(np.round(scores[harm], 6).tolist() for harm in ensemble.harms), strict=True))
        summary.rows += len(names)
        summary.blank += int(np.isnan(features).all(axis=1).sum())
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
    if not summary.rows:
        raise InputError(f"{table}: holds no row; give a table with id and the sources' scores")


def _by_column(ensemble: Ensemble, table: Path) -> Iterator[Block]:
    """By pandas, twenty times as fast as cell by cell; _OddTable for whatever is not plainly a table of numbers."""
    from pandas import RangeIndex, read_csv
    from pandas.errors import ParserError

    sources, is_tsv = list(ensemble.inputs.sources), user_tables.form(table) == ".tsv"
    with user_tables.open_text(table) as file:
        try:
            for block in read_csv(
                file,
                sep="\t" if is_tsv else ",",
                quoting=csv.QUOTE_NONE if is_tsv else csv.QUOTE_MINIMAL,  # a quotation mark may be a letter of a text
                chunksize=_AT_ONCE,
                dtype={"id": str},
                keep_default_na=False,
                na_values={name: [""] for name in sources},
            ):
                names = set(block.columns)
                if any((twice := _TWICE.fullmatch(name)) and twice[1] in names for name in names):
                    raise _OddTable("a column twice, which pandas calls NAME.1")
                if {"id", *sources} - names or not isinstance(block.index, RangeIndex):
                    raise _OddTable("other columns, or more cells than columns")
                features = block[sources]
                if not all(kind.kind in "fiu" for kind in features.dtypes):
                    raise _OddTable("no numbers")
                values = features.to_numpy(dtype=np.float64)
                if np.isinf(values).any() or block.iloc[:, -1].isna().any() or not block["id"].str.strip().all():
                    raise _OddTable("infinite numbers, rows that may be too short, or without an id")
                if is_tsv and block["id"].str.contains('"').any():
                    raise _OddTable("ids in quotes")
                yield [name.strip() for name in block["id"]], values
        except (ParserError, ValueError) as odd:
            raise _OddTable(str(odd)) from odd


def _by_cell(ensemble: Ensemble, table: Path) -> Iterator[Block]:
    columns = ("id", *ensemble.inputs.sources)
    row_iterator = iter(rows(table, "id"))
    missing = None
    while block := list(islice(row_iterator, _AT_ONCE)):
        if missing is None and (missing := [name for name in columns if name not in block[0][1]]):
            near = closest(missing[0], block[0][1])
            raise InputError(f"{table}: no column {missing[0]!r}{near}; the ensemble was trained on it")
        names, features = zip(*(_read_row(ensemble, table, *row) for row in block), strict=True)
        yield names, np.array(features)


def _read_row(ensemble: Ensemble, table: Path, place: str, cells: Mapping[str, Any]) -> tuple[str, list[float]]:
    """The id, and the score of each source."""
    with name_row(f"{table}{place}"):
        refuse_short(table, cells, ("id", *ensemble.inputs.sources))
        if not (text_id := cell(cells.get("id"))):
            raise InputError("id is empty; give each text one")
        return text_id, [feature(name, cell(cells.get(name))) for name in ensemble.inputs.sources]


def audit_rows(test: Examples, model: Ensemble) -> bytes:
    """What an ensemble says of labelled texts, as `gec-fair safety audit` reads it (CSV)."""
    named = test.find_subgroups()
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["id", "set_id", "category", "subgroup", "harm", "label", "score"])
    for harm, scores in model.scores(test.features).items():
        writer.writerows(
            [name, test.sets[n], category, subgroup, harm, test.labels[harm][n], scores[n]]
            for n, name in enumerate(test.ids)
            if test.labels[harm][n] >= 0
            for category, subgroup in named[n] or [Slice("", "")]
        )
    return buffer.getvalue().encode()
