"""`gec-fair correct`: run a GEC system over text."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.corrections import corrections, read_texts, text_argument, write_texts
from gec_fair.progress import bar


@click.command()
@text_argument
@click.option(
    "--system",
    "name",
    required=True,
    metavar="NAME",
    help="identity, symspell, harper, gector:FOLDER, bart:FOLDER, editscorer:FOLDER, command:PROGRAM, openai:MODEL.",
)
@corrections
@click.option("--prompt", type=click.Path(path_type=Path), help="openai: a file with other instructions.")
@click.option("--no-cache", is_flag=True, help="Ask the system anew for every text, and keep nothing.")
def correct(text: Path | None, name: str, output: Path | None, prompt: Path | None, no_cache: bool) -> None:
    """Correct TEXT, one tokenised text a line (an M2 file gives its sources); without TEXT, standard input.

    Answers are kept in the cache directory under the system and its version. What stands behind `command:` may
    change without its name changing: use --no-cache then.

    \b
    gec-fair correct learner.txt --system symspell -o symspell.txt
    gec-fair correct learner.txt --system "command:python my_model.py --beam 4" -o mine.txt
    gec-fair correct learner.txt --system openai:gpt-4o-mini -o gpt.txt
    """
    from gec_fair.gec.systems import run
    from gec_fair.gec.systems.protocol import count_passed
    from gec_fair.gec.systems.registry import load, visible_name

    system = load(name, prompt=prompt)
    texts = read_texts(text)
    with bar(visible_name(name)) as progress:
        answers = run.correct(system, texts, cache=None if no_cache else run.outputs_cache(), progress=progress)
    write_texts(answers, output)
    if number := count_passed(system):
        click.echo(
            f"note: {visible_name(name)} passed {number:,} texts through, as too long or without an answer", err=True
        )
