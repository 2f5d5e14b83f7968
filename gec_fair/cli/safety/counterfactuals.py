"""`gec-fair safety counterfactuals`: by tables and rules, or by a chat model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.chat import OPTIONS, chat_options, open_asker
from gec_fair.cli.options.command import file_output, option, refuse, takes
from gec_fair.cli.options.results import json_option
from gec_fair.cli.safety.options import identity_options, texts_argument, write_texts
from gec_fair.progress import bar

if TYPE_CHECKING:
    from gec_fair.safety.counterfactuals.identities import Identities
    from gec_fair.safety.data.texts import Rewriter, Text


@click.command(short_help="Rewrite each text for every other subgroup")
@texts_argument
@takes(identity_options, option("--model", "MODEL", "A chat model that rewrites, instead of tables and rules."))
@takes(chat_options, option("--min-sure", "P", "rules: leave out what is clean with a lower probability.", default=0.0))
@click.option("--no-critique", is_flag=True, help="Take the model's rewritings without its own critique.")
@option(
    "--review",
    "DIR",
    "Write there what a reviewer should see, for gec-fair review DIR: counterfactuals with an association of the "
    "group of their text, or what the model's critique finds incongruous.",
    type=click.Path(path_type=Path, file_okay=False),
)
@file_output("TEXTS", "The texts with their counterfactuals: CSV, TSV or JSONL.", is_table=True, required=True)
@json_option
def counterfactuals(
    table: Path,
    identities: Identities,
    model: str | None,
    min_sure: float,
    no_critique: bool,
    review: Path | None,
    output: Path,
    **chat: Any,
) -> None:
    """Each text that names a subgroup once more for every other subgroup of its category. Labels stay; what cannot be
    said of another subgroup is counted, with the reason; what says something that goes with the first (the Holocaust, a
    beard) is marked in the column association. By term tables and the rule perturber, offline; or by a chat
    model with few-shot prompts, which then criticises each set. Its answers are kept: the same command resumes.

    \b
    gec-fair safety counterfactuals seeds.csv -o expanded.csv
    gec-fair safety counterfactuals seeds.csv --review out/odd -o expanded.csv
    gec-fair safety counterfactuals seeds.csv --model gpt-4o-mini --review out/odd -o expanded.csv
    gec-fair safety counterfactuals texts.csv --groups ages.csv --terms age-terms.csv -o expanded.csv
    """
    from gec_fair.safety.counterfactuals.by_rule import Swapping
    from gec_fair.safety.data import texts as tables

    read = tables.read(table, identities.groups)
    if model is None:
        refuse((*OPTIONS, "no_critique"), "is for a chat model (--model)")
        rewriter: Rewriter = Swapping(identities, min_sure)
    else:
        from gec_fair.safety.counterfactuals.by_chat_model import PROMPTS, Injection

        asker = open_asker(**chat, table="safety")
        chat_model = asker.model(model, prompts=PROMPTS)
        refuse(("min_sure",), "is for rules, without --model")
        rewriter = Injection(chat_model, critique=not no_critique, identities=identities)
    with bar("counterfactuals") as progress:
        expanded = tables.expand(read, rewriter, progress)
    if review is not None:
        _write_review(rewriter, expanded.texts, review)
    write_texts(output, expanded.texts, "", *tables.summarise(expanded), left_out=expanded.count_dropped())


def _write_review(rewriter: Any, texts: Sequence[Text], folder: Path) -> None:
    from gec_fair.evaluate.evalsets.review.items import SENTENCES
    from gec_fair.runs.atomic import write_text
    from gec_fair.safety.data.texts import mark_rows

    rows = [*getattr(rewriter, "flagged", ()), *mark_rows(texts)]
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    write_text(folder / SENTENCES, "".join(lines))
