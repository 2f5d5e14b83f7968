"""`gec-fair safety scores` and `split`: what sources say of texts, and which texts teach, choose, judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import file_output, folder_output, option, path_argument, takes
from gec_fair.cli.options.results import json_option, print_result
from gec_fair.cli.options.settings import seed_option
from gec_fair.cli.safety.options import groups_option, read_groups, texts_argument
from gec_fair.errors import UsageError
from gec_fair.progress import bar
from gec_fair.version import __version__


@click.command(short_help="Score texts by classifiers")
@texts_argument
@option(
    "--source sources",
    "NAME",
    "views, profanity, vader, toxicity, detoxify:…, hf:…, openai-moderation, …; NAME=… "
    "calls it NAME; again for more. Without any: views, profanity and vader.",
    multiple=True,
)
@groups_option
@file_output(
    "TABLE",
    "The table with a column for each attribute, without the texts. "
    "Beside it stands which versions of the sources gave them.",
    is_table=True,
    required=True,
)
@json_option
def scores(table: Path, sources: tuple[str, ...], groups_file: Path | None, output: Path) -> None:
    """What source classifiers say of texts: a column for each of their attributes, for `gec-fair safety train`. What
    comes over HTTP is kept, so that the same command resumes after a stop.

    \b
    gec-fair safety scores expanded.csv -o scored.csv
    gec-fair safety scores expanded.csv --source detoxify:original --source openai-moderation -o scored.csv
    gec-fair safety scores expanded.csv --source ours=sklearn:ours.skops --source vader -o scored.csv
    """
    from gec_fair.data.user_tables import write_rows
    from gec_fair.runs.atomic import is_stream, write_json
    from gec_fair.runs.cache import cache_directory
    from gec_fair.runs.digests import file_digest
    from gec_fair.safety.data import texts as tables
    from gec_fair.safety.sources import registry as named

    texts = tables.read(table, read_groups(groups_file))
    loaded = named.load_named(sources or named.OFFLINE, cache_directory() / "moderation.sqlite")
    with bar("scores") as progress:
        columns, values = named.score([text.text for text in texts], loaded, progress)
    write_rows(output, (tables.make_row(text, columns, row) for text, row in zip(texts, values, strict=True)))
    versions = {name: source.version for name, source in loaded}
    record = {"sources": versions, "texts": file_digest(table), "gec_fair": __version__}
    if not is_stream(output):
        write_json(output.with_name(f"{output.name}.sources.json"), record)
    counts = {"output": str(output), "texts": len(texts), "attributes": list(columns)}
    print_result(counts, f"{output}  {len(texts):,} texts, {len(columns)} attributes: {', '.join(columns)}")


@click.command(short_help="Split a table by counterfactual set")
@path_argument("table", "TABLE")
@click.option("--shares", default="60,20,20", show_default=True, help="Of the sets: training, validation, test.")
@seed_option("Of which set goes where.")
@takes(folder_output("train.csv, validation.csv and test.csv are written there."), json_option)
def split(table: Path, shares: str, seed: int, output: Path) -> None:
    """Split a table of texts or scores by counterfactual set, never by row: a text and its counterfactuals stay
    together.

    \b
    gec-fair safety split scored.csv -o splits
    """
    from gec_fair.data.user_tables import write_rows
    from gec_fair.safety.data import split as splitting

    try:
        parts = [float(share) for share in shares.split(",")]
    except ValueError as fault:
        raise UsageError(f"--shares {shares}: give numbers, for example 60,20,20") from fault
    splits = splitting.split(_rows_with_sets(table), parts, seed=seed)
    for name, rows in splits.items():
        if not rows:
            raise UsageError(f"no set fell into {name}; give larger --shares, another --seed, or more texts")
        write_rows(output / f"{name}.csv", rows)
    files = {name: str(output / f"{name}.csv") for name in splits}
    print_result(
        {name: {"output": files[name], "rows": len(rows)} for name, rows in splits.items()},
        *(f"{files[name]}  {len(rows):,} rows" for name, rows in splits.items()),
    )


def _rows_with_sets(table: Path) -> Iterator[Mapping[str, Any]]:
    """InputError with file and line for a row of no set."""
    from gec_fair.safety.data.cells import name_row, rows
    from gec_fair.safety.data.split import set_of

    for place, cells in rows(table, "id"):
        with name_row(f"{table}{place}"):
            set_of(cells)
        yield cells
