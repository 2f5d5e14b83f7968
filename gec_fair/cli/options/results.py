"""How a command prints its result: tables for people (`--table`), or plain data for programs (`--json`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click

from gec_fair.report.table import Table

Command = TypeVar("Command", bound=Callable[..., Any])

_FORMATS = ("markdown", "csv", "latex")
_TABLE = "gec_fair.table"
_JSON = "gec_fair.json"
_HELP = "Print JSON, in full precision."


def json_option(command: Command) -> Command:
    """Add `--json` as the argument `as_json`."""
    return click.option("--json", "as_json", is_flag=True, callback=_refuse_table, help=_HELP)(command)


def counts_option(command: Command) -> Command:
    """Add `--json` for `print_counts`, without an argument."""
    return click.option("--json", is_flag=True, expose_value=False, callback=_remember(_JSON), help=_HELP)(command)


def table_option(command: Command) -> Command:
    """Add `--table`, which decides how `print_parts` prints tables."""
    return click.option(
        "--table",
        "table_format",
        type=click.Choice(_FORMATS),
        callback=_remember(_TABLE),
        expose_value=False,
        help="Print tables as Markdown, CSV or LaTeX.  [default: markdown, aligned in a terminal]",
    )(command)


def result_options(command: Command) -> Command:
    """Add `--table` and `--json`."""
    return table_option(json_option(command))


def print_parts(*parts: Table | str) -> None:
    """Print tables and the lines between them. With `--table csv` or `latex`, stdout has the tables alone."""
    form = _chosen()
    for part in _with_gaps(parts, form):
        if isinstance(part, Table):
            click.echo(_draw(part, form))
        else:
            click.echo(part, err=form in ("csv", "latex"))


def print_tables(tables: Sequence[Table], *, with_notes: bool = False) -> None:
    """Print each table under its title. Its note follows where it explains ±, or `with_notes`."""
    for table in tables:
        notes = (table.note,) if table.note and (with_notes or table.has_spread()) else ()
        print_parts(table.title, "", table, *(("", *notes) if notes else ()), "")


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def print_counts(data: Any, *lines: str) -> None:
    """Print what a command wrote and counted, as lines; with the `--json` of `counts_option` as plain data."""
    if click.get_current_context().meta.get(_JSON):
        print_json(data)
    else:
        click.echo("\n".join(lines))


def rows_of(tables: Sequence[Table]) -> Mapping[str, Any]:
    """The rows of each table by its name, as plain data."""
    return {table.name: table.as_json() for table in tables}


def _remember(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def remember(context: click.Context, option: click.Parameter, value: Any) -> None:
        context.meta[key] = value
        _check(context)

    return remember


def _refuse_table(context: click.Context, option: click.Parameter, is_json: bool) -> bool:
    """The flag. UsageError where `--table` is given too."""
    context.meta[_JSON] = is_json
    _check(context)
    return is_json


def _check(context: click.Context) -> None:
    if context.meta.get(_JSON) and context.meta.get(_TABLE):
        raise click.UsageError("--json has no tables; leave out --table or --json", context)


def _chosen() -> str | None:
    chosen: str | None = click.get_current_context().meta.get(_TABLE)
    return chosen


def _with_gaps(parts: Sequence[Table | str], form: str | None) -> Iterator[Table | str]:
    """An empty line between two tables of CSV or LaTeX, whose text goes to stderr."""
    tables = 0
    for part in parts:
        if isinstance(part, Table):
            if tables and form in ("csv", "latex"):
                click.echo()
            tables += 1
        yield part


def _draw(table: Table, form: str | None) -> str:
    if form == "csv":
        return table.csv().removesuffix("\n")
    if form == "latex":
        return table.latex().removesuffix("\n")
    return table.markdown(padded=form is None and sys.stdout.isatty())
