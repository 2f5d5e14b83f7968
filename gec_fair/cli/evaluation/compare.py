"""`gec-fair compare`: a whole table of systems and seeds, with a report."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gec_fair.cli.options.annotator import annotator, annotator_options, reference_options
from gec_fair.cli.options.tables import tell_tables
from gec_fair.progress import bar

_PRINTED = ("gap-", "explicit-bias", "differences", "full")
_BY_SWAP = "gap-by-swap"


@click.command()
@click.argument("runs", required=False, type=click.Path(path_type=Path))
@click.option("--set", "sets", multiple=True, metavar="NAME|DIR", help="Only this set; again for more.")
@click.option("--system", "systems", multiple=True, metavar="NAME", help="Without RUNS: the systems to run.")
@click.option("--full", type=click.Path(path_type=Path), metavar="M2", help="A reference for SYSTEM/SEED/full.txt.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where the report goes; else RUNS or out/gaps.")
@reference_options
@click.option("--resamples", default=10_000, show_default=True, help="Of the bootstrap.")
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@annotator_options
def compare(
    runs: Path | None,
    sets: tuple[str, ...],
    systems: tuple[str, ...],
    full: Path | None,
    output: Path | None,
    reference: str,
    annotators: str,
    resamples: int,
    seed: int,
    english: str,
    workers: int,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Measure every gap of RUNS/SYSTEM/SEED/SET/{orig,aug}.txt and write a report.

    SET may be left out where the number of lines tells it. The cells of an experiment bring their sets and their
    development set with them. Without RUNS the systems that run here (identity, symspell, harper) are run on every set
    that is here.

    \b
    gec-fair compare runs/ --workers 2
    gec-fair compare out/gector/cells -o out/gector/report
    gec-fair compare runs/ --set bea-195 --full ABCN.dev.gold.bea19.m2 -o out/report
    gec-fair compare --system identity --system symspell --set they-probe
    """
    from gec_fair.errors import InputError, UsageError
    from gec_fair.evaluate.gap import results
    from gec_fair.evaluate.gap.compare import RunsFile, discover, full_outputs
    from gec_fair.evaluate.gap.compare import compare as measure
    from gec_fair.evaluate.gap.compare import read_run_record as told_of
    from gec_fair.evaluate.report import page, tables
    from gec_fair.evaluate.scoring.score import ScoreOptions
    from gec_fair.gec.systems.run import outputs_cache, write_runs

    page.check()
    if runs is not None and systems:
        raise UsageError("RUNS has its own systems; leave --system out, or run `gec-fair correct` first")
    out = output or runs or Path("out/gaps")
    options = ScoreOptions(reference=reference, annotators=annotators)
    manifest = None
    about = told_of(runs) if runs is not None else RunsFile()
    if runs is None:
        runs = out / "runs"
        manifest = write_runs(systems, sets, runs, cache=None if no_cache else outputs_cache(), progress=bar)
    full_sets = full_outputs(runs)
    full = full or (Path(about.full) if about.full and full_sets else None)
    if full is not None and not full_sets:
        raise InputError(f"{runs}: no SYSTEM/SEED/full.txt in it; leave --full out")
    outputs = [o for o in discover(runs, sets or about.sets) if manifest is None or (o.system, o.set) in manifest]
    click.echo(f"{len(outputs)} outputs of {len({o.system for o in outputs})} systems", err=True)
    measured = measure(
        outputs,
        options,
        annotator(english, workers, no_cache),
        full=(full, full_sets) if full is not None else None,
        resamples=resamples,
        seed=seed,
    )
    report = results.as_json(measured, outputs, runs.name, trained_on=about.trained_on)
    results.write(report, out)
    written = page.write(report, out)
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False))
        return
    tell_tables(
        [table for table in tables.tables(report) if table.name.startswith(_PRINTED) and table.name != _BY_SWAP]
    )
    for note in report["notes"]:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{written[0]}\n{written[1].parent}/  {len(written) - 1} files: every table as .md .csv .json .tex")
