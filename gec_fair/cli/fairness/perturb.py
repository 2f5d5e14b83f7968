"""`gec-fair perturb`: rewrite gender, race or age in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import folder_output, takes
from gec_fair.cli.options.finished import tell_complaints, tell_complete
from gec_fair.cli.options.results import print_parts, printed_json, result_options
from gec_fair.perturber.rewriting.options import RULES, PerturbCorpusOptions
from gec_fair.report.table import Column, Record, Table, right

_TABLE_14 = 128  # words of BabyLM's chunks


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="TEXT…")
@folder_output("Where rewritten.txt, ledger.jsonl and manifest.json go.")
@takes(PerturbCorpusOptions)
@result_options
def perturb(inputs: tuple[str, ...], output: Path, options: PerturbCorpusOptions) -> None:
    """Rewrite one demographic reference of each text, and all that goes with it (Qian et al. 2022, Algorithm 1).

    \b
    gec-fair perturb corpus.txt -o out/perturbed --workers 2
    gec-fair perturb novels.txt.xz -o out/fair --tokens 256 --axes gender,race
    gec-fair perturb corpus.txt -o out/aged --axes age --insert
    gec-fair perturb corpus.txt -o out/religion --lexicon lexicons/axes --axes religion
    gec-fair perturb corpus.txt -o out/neural --perturber neural:facebook/perturber --tokens 128
    """
    from gec_fair.perturber.run import astray, axes_of, perturb_corpus, statistics
    from gec_fair.report.papers import read_printed

    final = perturb_corpus(inputs, output, options)
    manifest = final.manifest
    if printed_json(manifest.as_json()):
        return
    tell_complete(final)
    counts = manifest.counts
    share = 100 * counts["augmented"] / max(1, counts["lines"])
    print_parts(f"{output}: {counts['augmented']:,} of {counts['lines']:,} texts perturbed ({share:.1f} %)")
    for reason, number in manifest.reasons.get("discarded", {}).items():
        print_parts(f"{number:,} left as they were: {reason.replace('_', ' ')}")
    if options.perturber != RULES and (number := astray(output)):
        print_parts(f"{number:,} changed beyond the drawn word and its chain; see detail in ledger.jsonl")
    theirs = read_printed("babylm").get("table_14", {}) if options.tokens == _TABLE_14 else {}
    rows = statistics(manifest.reasons.get("augmented", {}), axes_of(manifest.identity.options))
    print_parts(_rewritings(rows, counts["lines"], theirs))
    for warning in manifest.warnings:
        click.echo(f"warning: {warning}", err=True)
    tell_complaints(final)


def _rewritings(rows: Iterable[tuple[str, str, int]], texts: int, theirs: Mapping[str, Any]) -> Table:
    """How many texts were perturbed, by axis and target; `theirs`: the paper's shares, where they are comparable."""
    records: list[Record] = []
    for axis, target, number in rows:
        overall = theirs.get("overall", {}).get("any_change" if axis == "any" else axis)
        share = {"axis": axis, "to": target, "texts": number, "share": 100 * number / max(1, texts)}
        records.append({**share, "paper": theirs.get(axis, {}).get(target) or overall})
    columns = (Column("axis"), Column("to"), right("texts", "{:,}"), right("share", "{:.1f}", "%"))
    paper = (right("paper", header="BabyLM, Table 14"),) if theirs else ()
    return Table("perturbed", "What texts became", records, columns=(*columns, *paper))
