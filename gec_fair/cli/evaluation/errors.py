"""`gec-fair errors`: the kinds of errors in M2 files, side by side."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gec_fair.evaluate.scoring.scores import LEVELS


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="M2…")
@click.option(
    "--cat",
    "level",
    type=click.Choice([str(n) for n in LEVELS]),
    default="1",
    show_default=True,
    help="1 operation (R), 2 category (NOUN), 3 both (R:NOUN).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def errors(files: tuple[Path, ...], level: str, as_json: bool) -> None:
    """Count the edits of M2 files by kind, in numbers and shares (Lund et al. 2023, appendix B).

    \b
    gec-fair errors set_orig.m2 set_st_aug.m2
    gec-fair errors set_orig.m2 set_st_aug.m2 --cat 2 --json
    """
    from gec_fair.evaluate.scoring.distribution import compare, edits
    from gec_fair.evaluate.scoring.texts import read_reference

    references = [read_reference(path) for path in files]
    rows = compare(references, int(level))
    totals = [edits(reference) for reference in references]
    if as_json:
        told = [{"kind": r.kind, "counts": r.counts, "shares": [round(s, 2) for s in r.shares]} for r in rows]
        click.echo(json.dumps({"files": [path.name for path in files], "edits": totals, "kinds": told}))
        return
    click.echo("| kind | " + " | ".join(path.name for path in files) + " |\n| --- |" + " ---: |" * len(files))
    for row in rows:
        cells = (f"{count} ({share:.1f} %)" for count, share in zip(row.counts, row.shares, strict=True))
        click.echo(f"| {row.kind} | {' | '.join(cells)} |")
    click.echo(f"| all | {' | '.join(map(str, totals))} |")
