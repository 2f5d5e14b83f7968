"""`gec-fair augment fm|st|neo INPUT… -o DIR`: a parallel corpus in, a counterfactual one out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from gec_fair.augmentation.options import AugmentOptions, Method
from gec_fair.cli.options.command import folder_output, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import print_run, result_options
from gec_fair.errors import UsageError

_HELP: Mapping[Method, str] = {
    "fm": """Swap feminine and masculine pronouns, nouns and first names (FM-CDA, Lund et al. 2023, §3.1).

    \b
    gec-fair augment fm pairs.tsv -o out/mf
    gec-fair augment fm dev.m2 -o out/mf --names draw --seed 7
    """,
    "st": """Rewrite he and she to singular they where one person is meant (St-CDA, Lund et al. 2023, §3.2).

    \b
    gec-fair augment st pairs.tsv -o out/st --workers 8
    gec-fair augment st train.src train.tgt -o out/st --gate none
    """,
    "neo": """Rewrite he and she to a neopronoun, through the same gate as singular they.

    \b
    gec-fair augment neo pairs.tsv -o out/xe --paradigm xe
    gec-fair augment neo pairs.tsv -o out/own --paradigm thon/thon/thons/thons/thonself
    """,
}
_SUMMARIES = {
    "fm": "Swap feminine and masculine words (FM-CDA)",
    "st": "Rewrite to singular they (St-CDA)",
    "neo": "Rewrite to a neopronoun",
}
_EXPLAINED = 5  # pairs that --explain shows
augment = Group(help="Augment parallel GEC data: source/target-consistent rewritings, with an account of every line.")


def _add(method: Method) -> None:
    @augment.command(method, help=_HELP[method], short_help=_SUMMARIES[method])
    @click.argument("inputs", nargs=-1, required=True, metavar="INPUT…")
    @folder_output("Where pairs.tsv, ledger.jsonl and manifest.json go.", required=False)
    @takes(AugmentOptions, method=method)
    @click.option(
        "--explain", is_flag=True, help="Show the first rewritten, left or discarded pairs in full; write nothing."
    )
    @result_options
    def run(inputs: tuple[str, ...], output: Path | None, options: AugmentOptions, explain: bool) -> None:
        if explain:
            from gec_fair.augmentation.run import examples

            for text in examples(inputs, options, number=_EXPLAINED):
                click.echo(text)
            return
        if output is None:
            raise UsageError("--output DIR is missing: where the pairs, the ledger and the manifest go")
        from gec_fair.augmentation.run import augment_corpus
        from gec_fair.augmentation.summary import parts

        finished = augment_corpus(inputs, output, options)
        print_run(finished, lambda: parts(finished.manifest, finished.directory))


for _method in _HELP:
    _add(_method)
