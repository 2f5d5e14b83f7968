"""`gec-fair score`: precision, recall and F0.5 of one system on one reference."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gec_fair.cli.annotating import annotator, annotator_options
from gec_fair.evaluate.judge import REFERENCES
from gec_fair.evaluate.scores import LEVELS, MEASURES


@click.command()
@click.option("--hyp", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Corrected texts, or M2.")
@click.option("--ref", required=True, type=click.Path(path_type=Path), metavar="M2", help="The annotators' edits.")
@click.option(
    "--src", type=click.Path(path_type=Path), metavar="FILE", help="The source; checked against the reference."
)
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    default="correction",
    show_default=True,
    help="Correction; with types; or detection of spans or tokens.",
)
@click.option(
    "--reference",
    type=click.Choice(REFERENCES),
    default="human",
    show_default=True,
    help="The M2's own edits, or ERRANT's, extracted anew from the corrected text.",
)
@click.option("--beta", default=0.5, show_default=True, help="The weight of recall.")
@click.option(
    "--cat",
    "level",
    type=click.Choice([str(n) for n in LEVELS]),
    help="By error type too: 1 operation (R), 2 category (NOUN), 3 both (R:NOUN).",
)
@annotator_options
def score(
    hyp: Path, ref: Path, src: Path | None, measure: str, reference: str, beta: float, level: str | None, english: str,
    workers: int, no_cache: bool, as_json: bool,
) -> None:  # fmt: skip
    """Score corrected texts with ERRANT: precision, recall, F0.5, equal to errant_compare to the digit.

    \b
    gec-fair score --hyp system.txt --ref bea-dev.m2
    gec-fair score --hyp system.txt --ref bea-dev.m2 --cat 2 --workers 2
    """
    from gec_fair.evaluate.judge import ScoreOptions, judge

    found = judge(hyp, ref, ScoreOptions(measure, reference, beta), annotator(english, workers, no_cache), source=src)
    told = found.as_json(int(level) if level else None)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    click.echo("\n".join(_table(told, f"f{beta:g}")))
    click.echo(f"\n{found.signature}")


def _table(told: dict, f: str) -> list[str]:  # type: ignore[type-arg]
    """All edits, then each type, as Markdown."""
    rows = {"all": told, **told.get("types", {})}
    head = ["edits", "TP", "FP", "FN", "P", "R", f.upper()]
    lines = [f"| {' | '.join(head)} |", "| --- |" + " ---: |" * 6]
    for name, row in rows.items():
        percent = " | ".join(f"{row[column]:.2f}" for column in ("precision", "recall", f))
        lines.append(f"| {name} | {row['tp']} | {row['fp']} | {row['fn']} | {percent} |")
    return lines
