"""`gec-fair data list|fetch`: public data sets, each from one repository at one commit."""

from __future__ import annotations

import click

from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_result, result_options
from gec_fair.errors import MissingResource
from gec_fair.report.table import Column, Table

_COLUMNS = (
    Column("name", header="data set"),
    Column("here", lambda row: "yes" if row["here"] else "no"),
    Column("licence"),
    Column("about"),
    Column("repository", header="from"),
)
data = Group(
    help="""Public data sets that the bias suites of `gec-fair lmbias` are read from. Evaluation sets of GEC
    are `gec-fair evalset`'s; tasks lie in GEC_FAIR_DATA or on the hub (`gec-fair fairscore`)."""
)


@data.command("list", short_help="List the data sets that can be fetched")
@result_options
def list_sets() -> None:
    """Every data set that can be fetched: what it is, its licence, whether it is here, and the repository of GitHub
    that it comes from, which is not always its authors'.

    \b
    gec-fair data list
    """
    from gec_fair.data.public import find, read_catalogue
    from gec_fair.runs.cache import cache_directory

    def is_here(name: str) -> bool:
        try:
            find(name, cache_directory() / "data")
        except MissingResource:
            return False
        return True

    rows = [
        {"name": name, "here": is_here(name), **{key: entry[key] for key in ("licence", "about", "repository")}}
        for name, entry in read_catalogue().items()
    ]
    table = Table("data", "Data sets", rows, columns=_COLUMNS)
    print_result(table.as_json(), table)


@data.command(short_help="Download data sets into the cache")
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@click.option("--offline", is_flag=True, help="Download nothing; say what is missing and where it comes from.")
@json_option
def fetch(names: tuple[str, ...], offline: bool) -> None:
    """Download data sets into the cache directory; checksums are verified. Mind their licences: they are not ours. What
    lies in GEC_FAIR_DATA or the cache is not fetched again; remove its folder to get it anew.

    \b
    gec-fair data fetch crows_pairs stereoset
    """
    from gec_fair.data.public import fetch as get
    from gec_fair.data.public import find
    from gec_fair.runs.cache import cache_directory

    cached = cache_directory() / "data"
    folders, lines = {}, []
    for name in names:
        try:
            folder = find(name, cached)
            lines.append(f"{name}  already here, in {folder}")
        except MissingResource:
            folder = get(name, cached, offline=offline)
            lines.append(f"{name}  {folder}")
        folders[name] = str(folder)
    print_result(folders, *lines)
