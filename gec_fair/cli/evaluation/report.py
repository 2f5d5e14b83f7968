"""`gec-fair report`: comparisons as one page."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import folder_output, path_argument


@click.command()
@path_argument("folders", "DIR…", nargs=-1)
@folder_output("A folder; else the first DIR.", required=False)
def report(folders: tuple[Path, ...], output: Path | None) -> None:
    """Write report.html and every table from what `gec-fair compare` left in DIR; several DIRs become one report.

    \b
    gec-fair report out/gaps
    gec-fair report runs/gector runs/bart -o out/report
    """
    from gec_fair.evaluate.report import page

    read = [page.read(folder) for folder in folders]
    first = folders[0] if folders[0].is_dir() else folders[0].parent
    written = page.write(page.merge(read), output or first)
    click.echo(f"{written[0]}\n{written[1].parent}/  {len(written) - 1} files: every table as .md .csv .json .tex")
