"""`gec-fair audit-pairs`: whether a training corpus teaches explicit bias."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.progress import bar

if TYPE_CHECKING:
    from gec_fair.api.auditing import PairAudit
    from gec_fair.report.table import Part

_MOST_SHOWN = 5
_KINDS = ("gendered", "pluralised", "reflexive", "deleted", "wrong_gender", "neopronoun")


@click.command("audit-pairs")
@click.argument("corpus", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write the cleaned corpus there.")
@click.option(
    "--drop",
    multiple=True,
    type=click.Choice(_KINDS),
    default=("gendered", "pluralised", "reflexive", "neopronoun"),
    show_default=True,
    help="A kind to filter out; again for more.",
)
@click.option("--fields", metavar="SOURCE,TARGET", help="Names of the two fields, or 1-based columns of a TSV file.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["tsv", "csv", "parallel", "m2", "jsonl", "parquet"]),
    help="Overrules the file names.",
)
@click.option("--limit", type=int, metavar="N", help="Only the first N lines.")
@click.option("--top", default=15, show_default=True, help="How many of the commonest corrections to print.")
@click.option("--overwrite", is_flag=True, help="Write into a folder that is in use.")
@click.option("--strict", is_flag=True, help="Exit 2 at the first malformed line.")
@result_options
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
    themselves, … A parallel corpus is given as two files, the source first: train.src train.tgt.

    \b
    gec-fair audit-pairs clang8.tsv
    gec-fair audit-pairs clang8.tsv -o out/clean
    gec-fair audit-pairs pie.src pie.tgt --drop reflexive --drop gendered -o out/clean
    """
    import gec_fair as gf

    names = tuple(part.strip() for part in fields.split(",")) if fields else None
    with bar("audit") as progress:
        audited = gf.audit_corpus(
            corpus,
            output,
            drop=drop,  # type: ignore[arg-type]
            fields=names,  # type: ignore[arg-type]
            format=form,  # type: ignore[arg-type]
            limit=limit,
            strict=strict,
            overwrite=overwrite,
            progress=progress,
        )
    for complaint in audited.complaints[:_MOST_SHOWN]:
        click.echo(f"warning: {complaint}", err=True)
    if len(audited.complaints) > _MOST_SHOWN:
        more = len(audited.complaints) - _MOST_SHOWN
        click.echo(f"warning: and {more:,} more malformed lines; -o lists all", err=True)
    if as_json:
        print_json(audited.to_dict())
        return
    print_parts(*_parts(audited, output, top))


def _parts(audited: PairAudit, output: Path | None, top: int) -> list[Part]:
    lines: list[Part] = [audited.tables()[0], "", f"{audited.pairs:,} pairs, {audited.malformed:,} malformed lines"]
    for row in audited.corrections[:top]:
        name = row["kind"].replace("_", " ")
        lines.append(f"  {row['count']:6,}  {name:12}  {row['old']} → {row['new'] or '(nothing)'}")
    if output is not None:
        clean = audited.pairs - audited.dropped
        lines.append(f"{output}: {clean:,} pairs left, {audited.dropped:,} filtered out")
    return lines
