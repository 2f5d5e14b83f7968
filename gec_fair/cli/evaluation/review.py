"""`gec-fair review`: look at an evaluation set or at bias cases in the browser, with the keyboard."""

from __future__ import annotations

import getpass
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gec_fair.evaluate.evalsets.review.agreement import Agreement


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--reviewer", metavar="NAME", help="Whose decisions these are; else the login name.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0: any that is free.")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--export", "out", type=click.Path(path_type=Path), metavar="DIR", help="Write the finished set there.")
@click.option("--by", metavar="NAME", help="With --export: this reviewer's decisions alone.")
@click.option("--agreement", is_flag=True, help="Print how far the reviewers agree (Cohen's kappa).")
@click.option("--overwrite", is_flag=True, help="With --export: into a folder that is in use.")
def review(
    folder: Path,
    reviewer: str | None,
    port: int,
    no_browser: bool,
    out: Path | None,
    by: str | None,
    agreement: bool,
    overwrite: bool,
) -> None:
    """Review FOLDER, made by `gec-fair evalset build` (twins) or `gec-fair compare` (explicit bias), in the browser.

    Accept, edit, reject, or drop with a, e, r, d. The page is served to this machine alone; each decision is saved at
    once in FOLDER/review/NAME.json, and opening it again goes on.

    \b
    gec-fair review out/dev-st --reviewer anna
    gec-fair review out/dev-st --agreement
    gec-fair review out/dev-st --export out/dev-st-final
    """
    if agreement:
        from gec_fair.evaluate.evalsets.review.agreement import agreements
        from gec_fair.evaluate.evalsets.review.decisions import read_decisions
        from gec_fair.evaluate.evalsets.review.items import read_items

        keys = {item.key for item in read_items(folder)}
        now = {who: {k: d for k, d in their.items() if k in keys} for who, their in read_decisions(folder).items()}
        click.echo("\n".join(_agreed(agreements(now))))
        return
    if out is not None:
        from gec_fair.cli.options.annotator import annotator
        from gec_fair.evaluate.evalsets.review.export import export

        done = export(folder, out, annotator("embedded", 1, False), by=by, overwrite=overwrite)
        click.echo(f"{out}: {done.kept} kept; " + ", ".join(f"{n} {name}" for name, n in done.counts.items()))
        return
    from gec_fair.evaluate.evalsets.review.decisions import Session
    from gec_fair.evaluate.evalsets.review.server import serve

    session = Session(folder, reviewer or getpass.getuser())
    left = len(session.items) - len(session.decisions)

    def opened(address: str) -> None:
        click.echo(f"{len(session.items)} items, {left} to go\n{address}\nthe address works once; Ctrl+C stops")
        if not no_browser:
            webbrowser.open(address)

    serve(session, port=port, opened=opened)


def _agreed(found: list[Agreement]) -> list[str]:
    from gec_fair.evaluate.evalsets.review.decisions import VERDICTS

    lines = [
        "| reviewers | items | same verdict | kappa | accepted by both | with the same words |",
        "| --- |" + " ---: |" * 5,
    ]
    for each in found:
        if each.kappa is None or each.low is None or each.high is None:
            kappa = "–"
        else:
            kappa = f"{each.kappa:.2f} [{each.low:.2f}, {each.high:.2f}]"
        cells = (each.items, f"{100 * each.share:.1f} %", kappa, each.accepted, each.same_texts)
        lines.append(f"| {each.first}, {each.second} | {' | '.join(str(cell) for cell in cells)} |")
    for each in found:
        lines += ["", f"{each.first} ↓ {each.second} →  " + "  ".join(VERDICTS)]
        lines += [
            f"{name:8} " + "  ".join(f"{n:{len(v)}}" for n, v in zip(row, VERDICTS, strict=True))
            for name, row in zip(VERDICTS, each.table, strict=True)
        ]
    return lines
