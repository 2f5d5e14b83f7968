"""Texts in and corrections out, of every command that corrects."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from gec_fair.cli.options.command import file_output

text_argument = click.argument("text", required=False, type=click.Path(path_type=Path, allow_dash=True))
corrections = file_output("FILE", "Else standard output.", endings=(".txt",))


def read_texts(text: Path | None) -> list[str]:
    """Tokenised texts from a file (an M2 file gives its sources) or, without one, from standard input. InputError with
    the line for what cannot be read."""
    from gec_fair.evaluate.scoring.texts import read_sources, read_stream

    if text is None or str(text) == "-":
        return read_stream(sys.stdin.buffer, "<stdin>")
    return read_sources(text)


def write_texts(texts: Iterable[str], output: Path | None) -> None:
    """One text a line, into a file or on standard output."""
    from gec_fair.runs.atomic import write_text

    input_text = "".join(text + "\n" for text in texts)
    if output is None:
        click.echo(input_text, nl=False)
    else:
        write_text(output, input_text)
