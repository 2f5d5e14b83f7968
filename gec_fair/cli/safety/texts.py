"""`gec-fair safety texts` and `mentions`: public data sets as tables of texts, and whom texts name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import file_output, path_argument, takes
from gec_fair.cli.options.results import json_option
from gec_fair.cli.safety.options import identity_options, texts_argument, write_texts
from gec_fair.progress import bar

if TYPE_CHECKING:
    from gec_fair.safety.counterfactuals.identities import Identities
    from gec_fair.safety.data.texts import Text


@click.command(short_help="Write a public data set as a table of texts")
@takes(click.argument("name", metavar="NAME"), path_argument("paths", "FILE…", nargs=-1))
@takes(file_output("TEXTS", "A table of texts: CSV, TSV or JSONL.", is_table=True, required=True), json_option)
def texts(name: str, paths: tuple[Path, ...], output: Path) -> None:
    """A public data set (cf-fairness, davidson, ethos, hatecheck, openai-moderation, toxigen) as a table of texts: id,
    set_id, slices, copy_of, text, and a column for each harm.

    \b
    gec-fair safety texts cf-fairness counterfactual_fairness_dataset_seeds.csv -o seeds.csv
    gec-fair safety texts cf-fairness counterfactual_fairness_dataset_seeds.csv counterfactuals.csv -o both.csv
    gec-fair safety texts hatecheck test_suite_cases.csv -o hatecheck.csv
    """
    from gec_fair.safety.data import public

    labelled = public.read(name, paths)
    _write(output, labelled)


@click.command(short_help="Find whom texts name")
@takes(texts_argument, identity_options)
@takes(file_output("TABLE", "The same texts: CSV, TSV or JSONL.", is_table=True, required=True), json_option)
def mentions(table: Path, identities: Identities, output: Path) -> None:
    """Whom texts name, by term tables and the parse: fills `slices` where it is empty.

    \b
    gec-fair safety mentions ours.csv -o named.csv
    """
    from gec_fair.safety.counterfactuals import mentions as whom
    from gec_fair.safety.data import texts as tables

    with bar("texts") as progress:
        named_texts = whom.find_named(tables.read(table, identities.groups), identities, progress)
    _write(output, named_texts)


def _write(output: Path, texts: Sequence[Text]) -> None:
    named = sum(bool(text.slices) for text in texts)
    write_texts(output, texts, f", {named:,} name a subgroup", name_a_subgroup=named)
