"""`gec-fair explain st 'source' 'target'`: what would happen to one pair, and why."""

from __future__ import annotations

import sys

import click

from gec_fair.augmentation.options import Options
from gec_fair.cli.options.command import takes
from gec_fair.cli.options.results import json_option, print_json, wants_json


@click.command()
@takes(Options, click.argument("source"), click.argument("target", required=False), json_option)
def explain(options: Options, source: str, target: str | None) -> None:
    """Show parse, clusters (st and neo), edits and outcome for one pair (words separated by spaces).

    \b
    gec-fair explain st "He say he lost his hat ." "He says he lost his hat ." --mirror
    gec-fair explain fm "Anna met Tom ." --names draw --seed 7
    """
    from gec_fair.augmentation.explain import explain_pair
    from gec_fair.augmentation.parallel import Augmenter
    from gec_fair.corpus.records import Pair

    pair = Pair("pairs", 1, source, source if target is None else target)
    if wants_json():
        import gec_fair as gf

        (result,) = gf.augment([(pair.source, pair.target)], **vars(options))
        print_json(result.to_dict())
        return
    style = "ansi" if sys.stdout.isatty() else "line"
    click.echo(explain_pair(pair, Augmenter(options), style=style), nl=False)
