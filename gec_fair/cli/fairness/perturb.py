"""`gec-fair perturb`: rewrite gender, race or age in plain text."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import folder_output, takes
from gec_fair.cli.options.results import print_run, result_options
from gec_fair.perturber.rewriting.options import PerturbCorpusOptions


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="TEXT…")
@takes(folder_output("Where rewritten.txt, ledger.jsonl and manifest.json go."), PerturbCorpusOptions, result_options)
def perturb(inputs: tuple[str, ...], output: Path, options: PerturbCorpusOptions) -> None:
    """Rewrite one demographic reference of each text, and all that goes with it (Qian et al. 2022, Algorithm 1).

    \b
    gec-fair perturb corpus.txt -o out/perturbed --workers 2
    gec-fair perturb novels.txt.xz -o out/fair --tokens 256 --axes gender,race
    gec-fair perturb corpus.txt -o out/aged --axes age --insert
    gec-fair perturb corpus.txt -o out/religion --lexicon lexicons/axes --axes religion
    gec-fair perturb corpus.txt -o out/neural --perturber neural:facebook/perturber --tokens 128
    """
    from gec_fair.perturber.run import parts, perturb_corpus

    final = perturb_corpus(inputs, output, options)
    print_run(final, lambda: parts(final, options), warnings=final.manifest.warnings)
