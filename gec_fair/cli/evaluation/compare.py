"""`gec-fair compare`: a whole table of systems and seeds, with a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from gec_fair.cli.options.command import option, path_argument, refuse, takes
from gec_fair.cli.options.results import print_if_json, print_tables, result_options, say
from gec_fair.evaluate.options import CompareOptions

_PRINTED = ("gap-", "explicit-bias", "differences", "full")
_BY_SWAP = "gap-by-swap"


@click.command()
@path_argument("runs", "[RUNS]", required=False)
@option(
    "--system systems", "[NAME=]SYSTEM", "Without RUNS: the systems to run, by the names in the tables.", multiple=True
)
@takes(CompareOptions, result_options)
def compare(runs: Path | None, systems: tuple[str, ...], options: CompareOptions) -> None:
    """Measure every gap of RUNS/SYSTEM/SEED/SET/{orig,aug}.txt and write a report.

    SET may be left out where --evalset names one set. The cells of an experiment bring their sets and their
    development set with them. Without RUNS the systems that run here (identity, symspell, harper, quire) are run on
    every set that is here.

    \b
    gec-fair compare runs/ --workers 2
    gec-fair compare out/gector/cells -o out/gector/report
    gec-fair compare runs/ --evalset bea-195 --full ABCN.dev.gold.bea19.m2 -o out/report
    gec-fair compare --system symspell --system "mine=command:python my_model.py" --evalset they-probe
    """
    from gec_fair.api.comparing import compare as measure
    from gec_fair.evaluate.report import page, tables
    from gec_fair.gec.systems.registry import SYSTEMS, list_available
    from gec_fair.registry import read_labels

    page.check()
    if runs is not None:
        refuse(("systems",), "is for systems that run here; leave RUNS out, or run `gec-fair correct` first")
    out = Path(options.output or runs or "out/gaps")
    chosen = runs if runs is not None else read_labels(SYSTEMS.noun, systems or list_available())
    comparison = measure(chosen, **vars(replace(options, output=out)))
    report = comparison.to_dict()
    say(f"{len(report['inputs']) // 2} outputs of {len({row['system'] for row in report['rows']})} systems")
    written = comparison.write(out)
    if print_if_json(report):
        return
    print_tables(
        [table for table in tables.tables(report) if table.name.startswith(_PRINTED) and table.name != _BY_SWAP]
    )
    for note in report["notes"]:
        say(f"note: {note}")
    click.echo(f"{written[0]}\n{written[1].parent}/  {len(written) - 1} files: every table as .md .csv .json .tex")
