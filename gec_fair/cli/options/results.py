"""How a command prints its result: tables for people (`--table`), or plain data for programs (`--json`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.report.table import Part, Table

if TYPE_CHECKING:
    from gec_fair.corpus.run import Finished
    from gec_fair.report.results import Result

Command = TypeVar("Command", bound=Callable[..., Any])
_TABLE = "gec_fair.table"
_JSON = "gec_fair.json"
_MOST_COMPLAINTS = 5
say = partial(click.echo, err=True)
"""Print on standard error, to people."""


def _remember(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def remember(context: click.Context, option: click.Parameter, value: Any) -> None:
        context.meta[key] = value
        if context.meta.get(_JSON) and context.meta.get(_TABLE):
            raise click.UsageError("--json has no tables; leave out --table or --json", context)

    return remember


def json_option_that(text: str) -> Callable[[Command], Command]:
    """`json_option` with another help."""
    remember = _remember(_JSON)
    return click.option("--json", "as_json", is_flag=True, expose_value=False, callback=remember, help=text)


json_option = json_option_that("Print JSON, in full precision.")
"""`--json`, which decides what `print_result` prints."""
table_option = click.option(
    "--table",
    "table_format",
    type=click.Choice(("markdown", "csv", "latex")),
    callback=_remember(_TABLE),
    expose_value=False,
    help="Print tables as Markdown, CSV or LaTeX.  [default: markdown, aligned in a terminal]",
)
"""`--table`, which decides how `print_parts` prints tables."""


def result_options(command: Command) -> Command:
    """Add `--table` and `--json`."""
    return table_option(json_option(command))


def print_parts(*parts: Part) -> None:
    """Print tables and the lines between them. With `--table csv` or `latex`, stdout has the tables alone."""
    form: str | None = click.get_current_context().meta.get(_TABLE)
    are_apart = False  # tables of CSV or LaTeX, whose text goes to stderr, by an empty line
    for part in parts:
        if isinstance(part, Table):
            click.echo("\n" * are_apart + _draw(part, form))
            are_apart = form in ("csv", "latex")
        else:
            click.echo(part, err=form in ("csv", "latex"))


def print_tables(tables: Sequence[Table], *, with_notes: bool = False) -> None:
    """Print each table under its title. Its note follows where it explains ±, or `with_notes`."""
    for table in tables:
        notes = (table.note,) if table.note and (with_notes or table.has_spread()) else ()
        print_parts(table.title, "", table, *(("", *notes) if notes else ()), "")


def print_report(tables: Sequence[Table], written: Sequence[object], *, with_notes: bool = False) -> None:
    """Print the tables of a report, and which files were written, the page first; with `--json` the rows."""
    if print_if_json(rows_of(tables)):
        return
    print_tables(tables, with_notes=with_notes)
    if written:
        print_parts(f"{written[0]}  {len(written) - 1} tables and figures beside it")


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def wants_json() -> bool:
    """Whether `--json` was given."""
    return bool(click.get_current_context().meta.get(_JSON))


def print_if_json(data: Any) -> bool:
    """Print plain data as JSON if `--json` was given, and tell whether it was."""
    if wants_json():
        print_json(data)
    return wants_json()


def print_result(data: Any, *parts: Part) -> None:
    """Print tables and lines; with `--json` plain data instead."""
    if not print_if_json(data):
        print_parts(*parts)


def show_result(result: Result) -> None:
    """Print what a function of the API returned; with `--json` as plain data."""
    print_result(result.to_dict(), *result.parts())


def rows_of(tables: Sequence[Table]) -> Mapping[str, Any]:
    """The rows of each table by its name, as plain data."""
    return {table.name: table.as_json() for table in tables}


def _draw(table: Table, form: str | None) -> str:
    if form == "csv":
        return table.csv().removesuffix("\n")
    if form == "latex":
        return table.latex().removesuffix("\n")
    return table.markdown(padded=form is None and sys.stdout.isatty())


def print_run(finished: Finished, parts: Callable[[], Sequence[Part]], *, warnings: Sequence[str] = ()) -> None:
    """Print what became of a run directory; on standard error that nothing was done where all had been done before, the
    warnings, and the first malformed lines. With `--json` the manifest instead."""
    from gec_fair.corpus import complaints

    if print_if_json(finished.manifest.as_json()):
        return
    if finished.before == "complete":
        say(f"{finished.directory} is complete already; nothing was done (--overwrite does it again)")
    print_parts(*parts())
    for warning in warnings:
        say(f"warning: {warning}")
    for complaint in islice(complaints(finished.directory), _MOST_COMPLAINTS):
        say(f"malformed: {complaint}")
