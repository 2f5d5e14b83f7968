"""`gec-fair safety texts` and `mentions`: public data sets as tables of texts, and whom texts name."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.output import file_output
from gec_fair.cli.safety.options import groups_option, load_identities, terms_option, texts_argument


@click.command(short_help="Write a public data set as a table of texts")
@click.argument("name", metavar="NAME")
@click.argument("paths", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE…")
@file_output(required=True, metavar="TEXTS", help="A table of texts: CSV, TSV or JSONL.")
def texts(name: str, paths: tuple[Path, ...], output: Path) -> None:
    """A public data set (cf-fairness, davidson, ethos, hatecheck, openai-moderation, toxigen) as a table of texts: id,
    set_id, slices, copy_of, text, and a column for each harm.

    \b
    gec-fair safety texts cf-fairness counterfactual_fairness_dataset_seeds.csv -o seeds.csv
    gec-fair safety texts cf-fairness seeds.csv counterfactuals.csv -o both.csv
    gec-fair safety texts hatecheck test_suite_cases.csv -o hatecheck.csv
    """
    from gec_fair.safety.data import public
    from gec_fair.safety.data import texts as tables

    texts_ = list(public.read(name, paths))
    tables.write(output, (one.row() for one in texts_))
    click.echo(f"{output}  {len(texts_):,} texts, {sum(bool(one.slices) for one in texts_):,} name a subgroup")


@click.command(short_help="Find whom texts name")
@texts_argument
@groups_option
@terms_option
@file_output(required=True, metavar="TABLE", help="The same texts: CSV, TSV or JSONL.")
def mentions(table: Path, groups_file: Path | None, terms: Path | None, output: Path) -> None:
    """Whom texts name, by term tables and the parse: fills `slices` where it is empty.

    \b
    gec-fair safety mentions ours.csv -o named.csv
    """
    from gec_fair.progress import bar
    from gec_fair.safety.counterfactuals import mentions as whom
    from gec_fair.safety.data import texts as tables

    identities = load_identities(groups_file, terms)
    with bar("texts") as progress:
        named_texts = whom.named(tables.read(table, identities.groups), identities, progress)
    tables.write(output, (one.row() for one in named_texts))
    click.echo(
        f"{output}  {len(named_texts):,} texts, {sum(bool(one.slices) for one in named_texts):,} name a subgroup"
    )
