"""`gec-fair show`: what a run changed, as a page or in the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click

from gec_fair.cli.options.command import file_output, takes
from gec_fair.cli.options.results import json_option_that, print_if_json, print_tables, rows_of, table_option
from gec_fair.config.options import Option
from gec_fair.progress import bar

_PLAIN = 20


@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """What `gec-fair show` shows."""

    plain: bool = False
    """Print to the terminal, and write no page."""
    sample: Annotated[int | None, Option("N", least=1)] = None
    """Changes that are shown.  [default: 200; 20 with --plain]"""
    seed: int = 0
    """The seed of the sample."""
    sort: Literal["sure"] | None = None
    """sure: show the rewritings that are least surely clean, those first, in place of a random sample."""
    outcome: Annotated[str, Option("NAME")] = ""
    """Sample this outcome: augmented, left, discarded, malformed or unchanged.  [default: all but left, unchanged]"""
    reason: Annotated[str, Option("NAME")] = ""
    """Sample texts with this reason: gate, correction_lost, …"""
    axis: Annotated[str, Option("NAME")] = ""
    """Sample changes of this axis."""
    word: Annotated[str, Option("WORD")] = ""
    """Sample changes that replace this word, or write it."""


@click.command()
@takes(
    click.argument("run", metavar="RUN"),
    file_output("PAGE", "An HTML file.  [default: show.html in RUN, if it is a folder]"),
)
@takes(ShowOptions, table_option, json_option_that("Print the counts as JSON, and write no page."))
def show(run: str, output: Path | None, options: ShowOptions) -> None:
    """Show what a run changed: a page with sampled texts, their changes in colour, filters and counts. RUN is the
    folder of an augmentation, of perturb or razor run, or one that babylm corpora made of either (corpora/cda/swapped);
    an evaluation set or its folder; or a table of safety counterfactuals.

    \b
    gec-fair show out/st
    gec-fair show out/st --reason gate --plain
    gec-fair show out/mf --sort sure --plain
    gec-fair show out/perturbed --word nurse --plain
    """
    from gec_fair.api.runs import read_run
    from gec_fair.changes.change import AUGMENTED
    from gec_fair.changes.page import PAGE, plain_lines, write_page
    from gec_fair.changes.summary import Filter, summarise

    rewritten = read_run(run)
    outcome = options.outcome or (AUGMENTED if options.sort else "")
    with bar("texts") as progress:
        summary = summarise(
            rewritten,
            sample=options.sample or (_PLAIN if options.plain else 200),
            seed=options.seed,
            keep=Filter(outcome, options.reason, options.axis, options.word),
            is_least_sure=options.sort is not None,
            progress=lambda done: progress(done, max(done, rewritten.total)),
        )
    if print_if_json(rows_of([summary.outcome_table(), summary.replacement_table(None)])):
        return
    if options.plain:
        style = "ansi" if sys.stdout.isatty() else "line"
        click.echo("\n".join(plain_lines(summary, style=style)))
        print_tables([summary.outcome_table(), summary.replacement_table(_PLAIN)])
    else:
        page = output or (Path(run) / PAGE if Path(run).is_dir() else Path(PAGE))
        write_page(page, rewritten, summary)
        click.echo(f"{page}  {len(summary.sample):,} of {summary.chosen:,} changes")
