"""Parquet rows, one row group after another. Imports pyarrow: the extra `gec-fair[parquet]`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gec_fair.corpus.formats.malformed import make_malformed
from gec_fair.corpus.formats.parsing import Row
from gec_fair.data.columns import refuse_twice
from gec_fair.errors import InputError

_BATCH = 16
"""Rows at a time: a small file may have one long text in all of them."""


def rows(path: Path, fields: tuple[str, str]) -> Iterator[Row]:
    """Every row as a mapping. Raises InputError for a file that is not Parquet or lacks the fields."""
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as fault:
        raise InputError(f"{path}: no Parquet file ({fault}); fetch it again, or say --format") from fault
    names = file.schema_arrow.names
    refuse_twice(names, str(path))
    for field in fields:
        if field not in names:
            raise InputError(f"{path}: no column {field!r}; there are: {', '.join(names)}; name them with --fields")
    return _rows(file)


def _rows(file: Any) -> Iterator[Row]:
    try:
        with file:
            for batch in file.iter_batches(batch_size=_BATCH):
                yield from _batch_rows(batch)
    except (pa.ArrowInvalid, OSError) as damage:
        yield make_malformed("corrupt", f"the Parquet file is damaged here ({damage})")


def _batch_rows(batch: Any) -> Iterator[Row]:
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:  # pyarrow does not check strings; find the rows that are at fault
        for at in range(batch.num_rows):
            yield _single(batch.slice(at, 1))


def _single(batch: Any) -> Row:
    try:
        row: Row = batch.to_pylist()[0]
    except UnicodeDecodeError as fault:
        return make_malformed("invalid_utf8", f"a column is not UTF-8 ({fault.reason})")
    return row
