"""Texts in and corrections out, of every command that corrects."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

text_argument = click.argument("text", required=False, type=click.Path(path_type=Path, allow_dash=True))
corrections = click.option("-o", "--output", type=click.Path(path_type=Path), help="A file; else standard output.")


def read_texts(text: Path | None, output: Path | None) -> list[str]:
    """Tokenised texts from a file (an M2 file gives its sources) or, without one, from standard input. InputError with
    the line for what cannot be read; UsageError where the answers could not be written afterwards."""
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.texts import read_sources, read_stream

    if output is not None and output.is_dir():
        raise UsageError(f"{output}: is a folder; name a file in it")
    if text is None or str(text) == "-":
        return read_stream(sys.stdin.buffer.read(), "<stdin>")
    return read_sources(text)


def write_texts(texts: Iterable[str], output: Path | None) -> None:
    """One text a line, into a file or on standard output."""
    from gec_fair.corpus.atomic import write_text

    told = "".join(text + "\n" for text in texts)
    if output is None:
        click.echo(told, nl=False)
    else:
        write_text(output, told)
