"""`gec-fair review`: look at an evaluation set or at bias cases in the browser, with the keyboard."""

from __future__ import annotations

import getpass
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from gec_fair.cli.options.command import path_argument, refuse, takes
from gec_fair.cli.options.results import json_option_that, show_result, table_option
from gec_fair.config.options import Option

if TYPE_CHECKING:
    from gec_fair.evaluate.evalsets.review.export import Exported


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """What `gec-fair review` does."""

    reviewer: Annotated[str | None, Option("NAME")] = None
    """Whose decisions these are; else the login name."""
    port: Annotated[int, Option(least=0, most=65535)] = 0
    """0: any that is free."""
    no_browser: bool = False
    """Print the address and open nothing."""
    export: Annotated[Path | None, Option("DIR")] = None
    """Write the result there."""
    partial: bool = False
    """With --export: although items are undecided; they are left out."""
    by: Annotated[str | None, Option("NAME")] = None
    """With --export: this reviewer's decisions alone."""
    agreement: bool = False
    """Print how far the reviewers agree."""
    overwrite: bool = False
    """With --export: into a folder that is in use."""


@click.command()
@path_argument("folder", "FOLDER")
@takes(ReviewOptions, table_option, json_option_that("With --agreement: print JSON."))
def review(folder: Path, options: ReviewOptions) -> None:
    """Review FOLDER in the browser, made by `gec-fair evalset build` (twins), `gec-fair compare` (explicit bias) or
    `gec-fair perturber annotate` (PANDA's three stages).

    Accept, edit, reject, or drop with a, e, r, d; the page names the keys of each task. It is served to this machine
    alone; each decision is saved at once in FOLDER/review/NAME.json, and opening it again continues.

    \b
    gec-fair review out/dev-st --reviewer anna
    gec-fair review out/dev-st --agreement
    gec-fair review out/dev-st --export out/dev-st-final
    """
    if options.agreement:
        from gec_fair.evaluate.evalsets.review.agreement import read_agreements

        show_result(read_agreements(folder))
        return
    refuse(("as_json",), "is for --agreement")
    if options.export is not None:
        done = _export(folder, options)
        counts = ", ".join(f"{n} {name}" for name, n in done.counts.items())
        click.echo(f"{options.export}: {done.exported} exported; {counts}")
        return
    from gec_fair.evaluate.evalsets.review.decisions import Session
    from gec_fair.evaluate.evalsets.review.server import serve

    session = Session(folder, options.reviewer or getpass.getuser())
    left = len(session.items) - len(session.decisions)

    def announce(address: str) -> None:
        click.echo(f"{len(session.items)} items, {left} to go\n{address}\nthe address works once; Ctrl+C stops")
        if not options.no_browser:
            webbrowser.open(address)

    serve(session, port=options.port, on_start=announce)


def _export(folder: Path, options: ReviewOptions) -> Exported:
    from gec_fair.evaluate.evalsets.review.annotation import NAME as ANNOTATION

    assert options.export is not None
    choices = {"by": options.by, "partial": options.partial, "overwrite": options.overwrite}
    if (folder / ANNOTATION).is_file():
        from gec_fair.perturber.annotation import export as export_annotation

        return export_annotation(folder, options.export, **choices)  # type: ignore[arg-type]
    from gec_fair.evaluate.evalsets.review.export import export
    from gec_fair.evaluate.options import Annotating
    from gec_fair.evaluate.scoring.errant import make_annotator

    return export(folder, options.export, make_annotator(Annotating()), **choices)  # type: ignore[arg-type]
