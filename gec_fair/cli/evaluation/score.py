"""`gec-fair score`: precision, recall and F0.5 of one system on one reference."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.annotator import annotator, annotator_options, reference_options
from gec_fair.evaluate.scoring.other_metrics import NAMES
from gec_fair.evaluate.scoring.scores import LEVELS, MEASURES
from gec_fair.report.table import Column, Record, Table, right


@click.command()
@click.option(
    "--hyp",
    "outputs",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Corrected texts, or M2; again for each further seed or system.",
)
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
@reference_options
@click.option("--beta", default=0.5, show_default=True, help="The weight of recall.")
@click.option(
    "--cat",
    "level",
    type=click.Choice([str(n) for n in LEVELS]),
    help="By error type too: 1 operation (R), 2 category (NOUN), 3 both (R:NOUN).",
)
@click.option("--also", multiple=True, type=click.Choice(NAMES), help="GLEU or chrF beside F; again for both.")
@annotator_options
def score(
    outputs: tuple[Path, ...],
    ref: Path,
    src: Path | None,
    measure: str,
    reference: str,
    annotators: str,
    beta: float,
    level: str | None,
    also: tuple[str, ...],
    english: str,
    workers: int,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Score corrected texts with ERRANT: precision, recall, F0.5, equal to errant_compare to the digit.

    Several outputs are annotated together: what they share costs nothing twice.

    \b
    gec-fair score --hyp system.txt --ref bea-dev.m2
    gec-fair score --hyp system.txt --ref bea-dev.m2 --cat 2 --also gleu --workers 2
    gec-fair score --hyp seed0.txt --hyp seed1.txt --hyp seed2.txt --ref bea-dev.m2
    """
    from gec_fair.evaluate.scoring import other_metrics
    from gec_fair.evaluate.scoring.score import ScoreOptions, judge_all
    from gec_fair.evaluate.scoring.texts import read_reference, read_texts

    options = ScoreOptions(measure, reference, beta, annotators)
    found = judge_all(outputs, ref, options, annotator(english, workers, no_cache), source=src)
    told = [each.as_json(int(level) if level else None) for each in found]
    signature = found[0].signature
    if also:
        gold = read_reference(ref)
        for path, each in zip(outputs, told, strict=True):
            each.update(other_metrics.measured(also, gold, read_texts(path)))
        signature += f"|{other_metrics.signature(also)}"
    for each in told:
        each["signature"] = signature
    if as_json:
        rows = [{"hyp": path.name, **each} for path, each in zip(outputs, told, strict=True)]
        click.echo(json.dumps(rows if len(rows) > 1 else told[0], ensure_ascii=False))
        return
    columns = ("precision", "recall", f"f{beta:g}", *(name for name in NAMES if name in also))
    if len(told) == 1:
        click.echo(_table("edits", {"all": told[0], **told[0].get("types", {})}, columns))  # type: ignore[dict-item]
    else:
        names = _names(outputs)
        click.echo(_table("output", dict(zip(names, told, strict=True)), columns, [_mean(told, columns)]))
        for name, each in zip(names, told, strict=True) if level else ():
            click.echo("\n" + _table(name, each["types"], columns))  # type: ignore[arg-type]
    click.echo(f"\n{signature}")


def _table(
    title: str, rows: Mapping[str, Mapping[str, Any]], columns: Sequence[str], mean: Sequence[Record] = ()
) -> str:
    """Rows of figures as Markdown, and their mean below."""
    headers = {"precision": "P", "recall": "R", "gleu": "GLEU", "chrf": "chrF"}
    counts = ("tp", "fp", "fn")
    records = [
        {"name": name, **{key: row[key] for key in counts}, **{key: row.get(key) for key in columns}}
        for name, row in rows.items()
    ]
    shown = (
        Column("name", header=title),
        *(right(key, header=key.upper()) for key in counts),
        *(right(key, (f"{{:.2f}} ± {{{key} two_sd:.2f}}", "{:.2f}"), headers.get(key, key.upper())) for key in columns),
    )
    return Table("scores", title, [*records, *mean], columns=shown).markdown()


def _mean(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Record:
    from statistics import fmean, stdev

    record: Record = {"name": "mean ± 2 s.d."}
    for column in columns:
        values = [row[column] for row in rows]
        record |= {column: fmean(values), f"{column} two_sd": 2 * stdev(values)}
    return record


def _names(paths: Sequence[Path]) -> list[str]:
    """Each output by its file name, by its whole path where two have the same."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]
