"""`gec-fair safety texts`: public data sets as tables of texts."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.output import file_output


@click.command()
@click.argument("name", metavar="NAME")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@file_output(required=True, metavar="TEXTS", help="A table of texts: CSV, TSV or JSONL.")
def texts(name: str, path: Path, output: Path) -> None:
    """A public data set (cf-fairness, openai-moderation, hatecheck) as a table of texts: id, set_id, slices, copy_of,
    text, and a column for each harm.

    \b
    gec-fair safety texts cf-fairness counterfactual_fairness_dataset_seeds.csv -o seeds.csv
    gec-fair safety texts hatecheck test_suite_cases.csv -o hatecheck.csv
    """
    from gec_fair.corpus.names import closest
    from gec_fair.errors import UsageError
    from gec_fair.safety import public
    from gec_fair.safety import texts as tables

    if name not in public.READERS:
        raise UsageError(f"no data set is called {name!r}{closest(name, public.READERS)}; there are "
                         f"{', '.join(public.READERS)}")  # fmt: skip
    found = list(public.READERS[name](path))
    tables.write(output, (one.row() for one in found))
    click.echo(f"{output}  {len(found):,} texts, {sum(bool(one.slices) for one in found):,} name a subgroup")
