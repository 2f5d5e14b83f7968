"""`gec-fair data list|fetch`: public data sets, from their authors at one commit."""

from __future__ import annotations

import click


@click.group()
def data() -> None:
    """Public data sets that bias suites and tasks are read from; evaluation sets of GEC are `gec-fair evalset`'s."""


@data.command("list")
def list_sets() -> None:
    """Every data set that can be fetched: what it is, its licence, and whether it is here.

    \b
    gec-fair data list
    """
    from gec_fair.corpus.public import find, known
    from gec_fair.errors import MissingResource
    from gec_fair.evaluate.store import cache_directory

    click.echo("| data set | here | licence | about |\n| --- | --- | --- | --- |")
    for name, entry in known().items():
        try:
            find(name, cache_directory() / "data")
            here = "yes"
        except MissingResource:
            here = "no"
        click.echo(f"| {name} | {here} | {entry['licence']} | {entry['about']} |")


@data.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--offline", is_flag=True, help="Download nothing; say what is missing and where it comes from.")
def fetch(names: tuple[str, ...], offline: bool) -> None:
    """Download data sets into the cache directory; checksums are verified. Mind their licences: they are not ours.

    \b
    gec-fair data fetch crows_pairs stereoset
    """
    from gec_fair.corpus.public import fetch as get
    from gec_fair.evaluate.store import cache_directory

    for name in names:
        click.echo(f"{name}  {get(name, cache_directory() / 'data', offline=offline)}")
