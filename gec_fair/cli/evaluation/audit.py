"""`gec-fair audit-pairs`: whether a training corpus teaches explicit bias."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gec_fair.progress import bar
from gec_fair.report.table import Column, Table, right

_MOST_SHOWN = 5
_COLUMNS = (
    Column("kind", lambda row: f"{row['kind']} {row['name'].replace('_', ' ')}"),
    right("cases", "{:,}", unknown="–"),
    right("pairs", "{:,}", unknown="–"),
    right("exposed_words", "{:,}", "words that could be hit", "–"),
    right("per_1000_words", "{:,}", "per 1,000 of them", "–"),
    right("per_1000_pairs", "{:,}", "per 1,000 pairs", "–"),
)
_KINDS = ("gendered", "pluralised", "reflexive", "deleted", "wrong_gender", "neopronoun")


@click.command("audit-pairs")
@click.argument("corpus", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write the cleaned corpus there.")
@click.option(
    "--drop",
    multiple=True,
    type=click.Choice(_KINDS),
    help="Kinds to filter out. [gendered, pluralised, reflexive, neopronoun]",
)
@click.option("--fields", metavar="SOURCE,TARGET", help="Names of the two fields, or 1-based columns of a TSV file.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["tsv", "parallel", "m2", "jsonl", "parquet"]),
    help="Overrules the file names.",
)
@click.option("--limit", type=int, metavar="N", help="Only the first N lines.")
@click.option("--top", default=15, show_default=True, help="How many of the commonest corrections to print.")
@click.option("--overwrite", is_flag=True, help="Write into a folder that is in use.")
@click.option("--strict", is_flag=True, help="Exit 2 at the first malformed line.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every correction.")
def audit_pairs(
    corpus: tuple[str, ...],
    output: Path | None,
    drop: tuple[str, ...],
    fields: str | None,
    form: str | None,
    limit: int | None,
    top: int,
    overwrite: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Count corrections in parallel CORPUS files that are explicit bias: they → he, a child → children, themself →
    themselves, … A parallel corpus is given as two files with a comma between: train.src,train.tgt.

    \b
    gec-fair audit-pairs clang8.tsv
    gec-fair audit-pairs clang8.tsv -o out/clean
    gec-fair audit-pairs pie.src,pie.tgt --drop reflexive --drop gendered -o out/clean
    """
    from gec_fair.corpus.formats.readers import Reading
    from gec_fair.evaluate.bias.corpus import DROPPED, audit
    from gec_fair.evaluate.bias.explicit import Kind

    names = tuple(part.strip() for part in fields.split(",")) if fields else None
    kinds = [Kind[name.upper()] for name in drop] or DROPPED
    with bar("audit") as progress:
        results = audit(
            corpus,
            out=output,
            drop=kinds,
            reading=Reading(names, form, limit),  # type: ignore[arg-type]
            overwrite=overwrite,
            strict=strict,
            progress=lambda done, _: progress(done, 0),
        )
    for complaint in results.complaints[:_MOST_SHOWN]:
        click.echo(f"warning: {complaint}", err=True)
    if len(results.complaints) > _MOST_SHOWN:
        click.echo(
            f"warning: and {len(results.complaints) - _MOST_SHOWN:,} more malformed lines; -o lists all", err=True
        )
    if as_json:
        click.echo(json.dumps(results.as_json(), ensure_ascii=False))
        return
    click.echo("\n".join(_lines(results.as_json(top=top), output)))


def _lines(report: dict[str, Any], output: Path | None) -> list[str]:
    lines = [Table("kinds", "Explicit bias by kind", report["kinds"], columns=_COLUMNS).markdown()]
    lines += ["", f"{report['pairs']:,} pairs, {report['malformed']:,} malformed lines"]
    for row in report["corrections"]:
        name = row["kind"].replace("_", " ")
        lines.append(f"  {row['count']:6,}  {name:12}  {row['old']} → {row['new'] or '(nothing)'}")
    if output is not None:
        lines.append(f"{output}: {report['pairs'] - report['dropped']:,} pairs kept, {report['dropped']:,} dropped")
    return lines
