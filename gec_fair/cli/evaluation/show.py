"""`gec-fair show`: what a run changed, as a page or in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

import click

from gec_fair.cli.options.command import takes
from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import print_json, print_tables, rows_of, table_option
from gec_fair.config.options import Option

if TYPE_CHECKING:
    from gec_fair.changes.change import Rewritten

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
@click.argument("run", metavar="RUN")
@file_output(metavar="PAGE", help="An HTML file.  [default: show.html in RUN]")
@takes(ShowOptions)
@table_option
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON, and write no page.")
def show(run: str, output: Path | None, options: ShowOptions, as_json: bool) -> None:
    """Show what a run changed: a page with sampled texts, their changes in colour, filters and counts. RUN is the
    folder of an augmentation, of perturb, razor run or babylm corpora; an evaluation set or its folder; or a table
    of safety counterfactuals.

    \b
    gec-fair show out/st
    gec-fair show out/st --reason gate --plain
    gec-fair show out/mf --sort sure --plain
    gec-fair show out/perturbed --word nurse --plain
    """
    from gec_fair.changes.change import AUGMENTED
    from gec_fair.changes.page import PAGE, plain_lines, write_page
    from gec_fair.changes.summary import Filter, summarise
    from gec_fair.progress import bar

    rewritten = find_run(run)
    with bar("texts") as progress:
        summary = summarise(
            rewritten,
            sample=options.sample or (_PLAIN if options.plain else 200),
            seed=options.seed,
            keep=Filter(
                options.outcome or (AUGMENTED if options.sort else ""), options.reason, options.axis, options.word
            ),
            is_least_sure=options.sort is not None,
            progress=lambda done: progress(done, max(done, rewritten.total)),
        )
    if as_json:
        print_json(rows_of([summary.outcome_table(), summary.replacement_table(None)]))
    elif options.plain:
        style = "ansi" if sys.stdout.isatty() else "line"
        click.echo("\n".join(plain_lines(summary, style=style)))
        print_tables([summary.outcome_table(), summary.replacement_table(_PLAIN)])
    else:
        page = output or (Path(run) / PAGE if Path(run).is_dir() else Path(PAGE))
        write_page(page, rewritten, summary)
        click.echo(f"{page}  {len(summary.sample):,} of {summary.chosen:,} changes")


def find_run(name: str) -> Rewritten:
    """What RUN names. UsageError with the kinds there are for anything else."""
    from gec_fair.changes.comparison import compare_sides
    from gec_fair.data.user_tables import FILES
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.evalsets import catalogue

    path = Path(name)
    if path.is_dir():
        return _find_in(path)
    if name in catalogue.read_known():
        return compare_sides(catalogue.find(name))
    if path.is_file() and any(suffix in FILES for suffix in path.suffixes):
        from gec_fair.safety.counterfactuals.changes import read_table

        return read_table(path)
    raise UsageError(
        f"{name}: is not a folder, an evaluation set or a table of counterfactuals; give the folder of a run"
    )


def _find_in(folder: Path) -> Rewritten:
    from gec_fair.changes import corpus_run
    from gec_fair.changes.comparison import compare_sides
    from gec_fair.corpus.partial_run import PARTIAL
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.evalsets import catalogue
    from gec_fair.razor.rewriting import changes as razor
    from gec_fair.runs.record import MANIFEST, START_FILE, read_record

    if (folder / MANIFEST).is_file():
        manifest = read_record(folder / MANIFEST)
        job = str(manifest.get("job", ""))
        if job == "razor":
            return razor.read_run(folder)
        if "reading" in manifest:
            return corpus_run.read_run(folder, partial(_axis_by_reason, options=manifest.get("options", {})))
    if any(folder.glob("*_aug*.m2")):
        return compare_sides(catalogue.in_folder(folder))
    if (folder / PARTIAL).exists() or (folder / START_FILE).exists():
        raise UsageError(f"{folder}: the run is not finished; the same command resumes it")
    raise UsageError(
        f"{folder}: holds no rewriting; give the folder of gec-fair augment, perturb or razor run, or of an "
        "evaluation set"
    )


def _axis_by_reason(reason: str, options: Mapping[str, object] = MappingProxyType({})) -> str:
    """Rewritings without a reason are of gender; the perturber's have the exchanged attributes as theirs. `options`: of
    the run, which name the axes of a user's tables."""
    from gec_fair.perturber.run import axes_of, axis_of

    return axis_of(reason, axes_of(options)) if reason else "gender"
