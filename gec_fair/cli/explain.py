"""`gec-fair explain st 'source' 'target'`: what would happen to one pair, and why."""

from __future__ import annotations

import sys
from typing import Any

import click

from gec_fair.augment.options import METHODS, Options


@click.command()
@click.argument("method", type=click.Choice(METHODS))
@click.argument("source")
@click.argument("target", required=False)
@click.option("--english", default="embedded", show_default=True, metavar="NAME|PATH", help="spaCy pipeline.")
@click.option("--coref", default="embedded", show_default=True, help="Coreference backend.")
@click.option("--gate", type=click.Choice(["coref", "none"]), default="coref", show_default=True, help="st, neo.")
@click.option("--paradigm", default="", metavar="NAME|FORMS", help="neo: the paradigm.")
@click.option("--mirror", is_flag=True, help="Mirror agreement errors that would vanish.")
def explain(method: str, source: str, target: str | None, **given: Any) -> None:
    """Show parse, clusters, edits, alignment and outcome for one pair (words separated by spaces).

    \b
    gec-fair explain st "He say he lost his hat ." "He says he lost his hat ."
    """
    from gec_fair.augment.explained import explain_pair
    from gec_fair.augment.parallel import Augmenter
    from gec_fair.corpus.records import Pair

    pair = Pair("pair", 1, source, source if target is None else target)
    style = "ansi" if sys.stdout.isatty() else "line"
    click.echo(explain_pair(pair, Augmenter(Options(method, **given)), style=style), nl=False)
