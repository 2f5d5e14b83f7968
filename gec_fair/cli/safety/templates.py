"""`gec-fair safety generate` and `fill`: templates with <social_group>, by a chat model, and filled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.chat import chat_options, open_asker
from gec_fair.cli.options.command import file_output, option, path_argument, path_option, takes
from gec_fair.cli.options.results import json_option
from gec_fair.cli.safety.options import identity_options, write_texts

if TYPE_CHECKING:
    from gec_fair.safety.counterfactuals.identities import Identities


@click.command(short_help="Have a chat model write templates")
@click.argument("harms", nargs=-1, required=True, metavar="HARM…")
@takes(option("--model", "MODEL", "A chat model.", required=True), chat_options)
@click.option("--number", default=50, show_default=True, type=click.IntRange(1), help="Prompts of each.")
@path_option(
    "--policies",
    "FILE",
    "Policies, themes and forms of your own, as gec_fair/safety/counterfactuals/prompts/policies.toml.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of themes and forms.")
@file_output("TEMPLATES", "Prompts with <social_group>: CSV, TSV or JSONL.", is_table=True, required=True)
@json_option
def generate(
    harms: tuple[str, ...], model: str, number: int, policies: Path | None, seed: int, output: Path, **chat: Any
) -> None:
    """Have a chat model write prompts with <social_group> (after AART): of each HARM by its policy, or harmless ones,
    by theme and form. Answers are kept: the same command resumes.

    \b
    gec-fair safety generate hate violence harmless --model gpt-4o-mini -o templates.csv
    gec-fair safety fill templates.csv -o filled.csv
    """
    from gec_fair.safety.counterfactuals import generation

    known = generation.policies(policies)
    chat_model = open_asker(**chat, table="safety").model(model, prompts=generation.PROMPTS)
    texts, dropped = generation.generate(chat_model, harms, number, known=known, seed=seed)
    left = "".join(f"; {number:,} left out: {why}" for why, number in sorted(dropped.items()))
    write_texts(output, texts, left, noun="prompts", left_out=dropped)


@click.command(short_help="Fill templates for every subgroup")
@path_argument("templates", "TEMPLATES")
@option("--category categories", "NAME", "Of identities; again for more. Without any: all.", multiple=True)
@identity_options
@takes(file_output("TEXTS", "The filled templates: CSV, TSV or JSONL.", is_table=True, required=True), json_option)
def fill(templates: Path, categories: tuple[str, ...], identities: Identities, output: Path) -> None:
    """Fill <social_group> in a table of templates (id, text, a column for each harm) for every subgroup, in the form
    that the words around it want: a <social_group> man, <social_group> are, or <social_group:faith>.

    \b
    gec-fair safety fill templates.csv --category Religion -o filled.csv
    gec-fair safety fill templates.csv --groups ages.csv --terms age-terms.csv -o filled.csv
    """
    from gec_fair.safety.counterfactuals.templates import fill_all
    from gec_fair.safety.data import texts as tables

    known = identities.groups
    subgroups = [known.category(name) for name in categories] or list(known.subgroups)
    texts, dropped = fill_all(tables.read(templates, known), subgroups, identities)
    left = f"; {dropped:,} left out, for the subgroup has no such word"
    write_texts(output, texts, left, left_out=dropped)
