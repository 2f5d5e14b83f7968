"""`gec-fair errors`: the kinds of errors in M2 files, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import path_argument
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.report.table import Column, Record, Table, right

if TYPE_CHECKING:
    from gec_fair.evaluate.scoring.distribution import Row


@click.command()
@path_argument("files", "M2…", nargs=-1)
@click.option(
    "--cat",
    "level",
    type=click.Choice(["1", "2", "3"]),
    default="1",
    show_default=True,
    help="1 operation (R), 2 category (NOUN), 3 both (R:NOUN).",
)
@result_options
def errors(files: tuple[Path, ...], level: str, as_json: bool) -> None:
    """Count the edits of M2 files by kind, in numbers and shares (Lund et al. 2023, appendix B).

    \b
    gec-fair errors set_orig.m2 set_st_aug.m2
    gec-fair errors set_orig.m2 set_st_aug.m2 --cat 2 --json
    """
    from gec_fair.evaluate.scoring.distribution import compare, edits
    from gec_fair.evaluate.scoring.texts import read_reference

    references = [read_reference(path) for path in files]
    rows = compare(references, int(level))
    totals = [edits(reference) for reference in references]
    if as_json:
        records = [{"kind": row.kind, "counts": row.counts, "shares": row.shares} for row in rows]
        print_json({"files": [path.name for path in files], "edits": totals, "kinds": records})
        return
    print_parts(_tabulate([path.name for path in files], rows, totals))


def _tabulate(names: Sequence[str], rows: Sequence[Row], totals: Sequence[int]) -> Table:
    """A row for each kind: its number, and its share in percent, in each file. Names may be alike."""
    records: list[Record] = [
        {
            "kind": row.kind,
            **{f"count {n}": count for n, count in enumerate(row.counts)},
            **{f"share {n}": share for n, share in enumerate(row.shares)},
        }
        for row in rows
    ]
    records.append({"kind": "all", **{f"count {n}": total for n, total in enumerate(totals)}})
    texts = ((f"{{}} ({{share {n}:.1f}} %)", "{}") for n in range(len(names)))
    figures = (right(f"count {n}", text, name) for n, (text, name) in enumerate(zip(texts, names, strict=True)))
    return Table("errors", "Errors by kind", records, columns=(Column("kind"), *figures))
