"""The tables of a report, printed for people or, with `--json`, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from gec_fair.report.table import Table


def tell_tables(tables: Sequence[Table], *, with_notes: bool = False) -> None:
    """Each with its title, and below it its note if it has ± or `with_notes`."""
    for table in tables:
        note = f"{table.note}\n" if with_notes and not table.has_spread() else ""
        click.echo(f"{table.title}\n\n{table.explained(padded=True)}\n{note}")


def tell_json(tables: Sequence[Table]) -> None:
    """The rows of each table by its name."""
    rows = {table.name: table.as_json() for table in tables}
    click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
