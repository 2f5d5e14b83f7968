"""`-o FILE`, refused before the work where nothing could be written there afterwards, or where its name says another
format than is written; `-o -` is standard output, and what the command says goes to standard error then."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TypeVar

import click

_FORMATS = frozenset(".csv .tsv .json .jsonl .m2 .parquet .md .html .tex .yaml .toml .xlsx".split())
Command = TypeVar("Command", bound=Callable[..., Any])


def file_output(
    *names: str, is_table: bool = False, endings: Sequence[str] = (), **more: Any
) -> Callable[[Command], Command]:
    """The option, `-o` unless it has other `names`, with `more` of click's. Folders that are not there yet are made
    with the file. The name of a table says how it is written. `endings`: of names that say what is written."""
    kind = click.Path(path_type=Path, dir_okay=False, readable=False)

    def refuse(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
        from gec_fair.data.user_tables import output_form

        path = _refuse(context, option, path)
        if path is None:
            return None
        ending = path.suffix.lower()
        if endings and ending in _FORMATS and ending not in endings:
            message = f"{path}: {ending} is not what is written; let the name end with {' or '.join(endings)}"
            raise click.BadParameter(message, context, option)
        if is_table:
            output_form(path)
        return path

    return click.option(*(names or ("-o", "--output")), type=kind, callback=refuse, **more)


def _refuse(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    from gec_fair.data.compression import COMPRESSIONS
    from gec_fair.runs.atomic import final_path, is_stream, own_stream

    if path is None:
        return None
    path = Path("/dev/stdout") if str(path) == "-" else path
    if own_stream(path) == 1:
        context.with_resource(redirect_stdout(sys.stderr))
    if is_stream(path):
        return path
    if not path.name:
        raise click.BadParameter("names no file", context, option)
    if path.suffix in COMPRESSIONS:
        raise click.BadParameter(
            f"files are written plain; leave {path.suffix} out, and compress the file afterwards", context, option
        )
    folder = next(parent for parent in final_path(path).parents if os.path.exists(parent))
    if not folder.is_dir():
        raise click.BadParameter(f"{folder} is a file, no folder; name another place", context, option)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise click.BadParameter(f"nothing can be written in {folder}; name another place", context, option)
    return path
