"""`gec-fair audit-pairs`: whether a training corpus teaches explicit bias."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import takes
from gec_fair.cli.options.results import print_result, result_options, say
from gec_fair.evaluate.options import PairAuditOptions
from gec_fair.progress import bar

if TYPE_CHECKING:
    from gec_fair.api.auditing import PairAudit
    from gec_fair.report.table import Part

_MOST_SHOWN = 5


@click.command("audit-pairs")
@takes(click.argument("corpus", nargs=-1, required=True, type=click.Path()), PairAuditOptions)
@click.option(
    "--top",
    default=15,
    type=click.IntRange(0),
    show_default=True,
    help="Print so many of the commonest corrections.",
)
@result_options
def audit_pairs(corpus: tuple[str, ...], options: PairAuditOptions, top: int) -> None:
    """Count corrections in parallel CORPUS files that are explicit bias: they → he, a child → children, themself →
    themselves, … A parallel corpus is given as two files, the source first: train.src train.tgt.

    \b
    gec-fair audit-pairs clang8.tsv
    gec-fair audit-pairs clang8.tsv -o out/clean
    gec-fair audit-pairs pie.src pie.tgt --drop reflexive --drop gendered -o out/clean
    """
    import gec_fair as gf

    with bar("audit") as progress:
        audited = gf.audit_corpus(
            corpus, **{**vars(options), "progress": lambda done, total: progress(done, total or 0)}
        )
    for complaint in audited.complaints[:_MOST_SHOWN]:
        say(f"warning: {complaint}")
    if len(audited.complaints) > _MOST_SHOWN:
        more = len(audited.complaints) - _MOST_SHOWN
        say(f"warning: and {more:,} more malformed lines; -o lists all")
    print_result(audited.to_dict(), *_parts(audited, options.output, top))


def _parts(audited: PairAudit, output: str | Path | None, top: int) -> list[Part]:
    lines: list[Part] = [audited.tables()[0], "", f"{audited.pairs:,} pairs, {audited.malformed:,} malformed lines"]
    for row in audited.corrections[:top]:
        name = row["kind"].replace("_", " ")
        lines.append(f"  {row['count']:6,}  {name:12}  {row['old']} → {row['new'] or '(nothing)'}")
    if output is not None:
        clean = audited.pairs - audited.dropped
        lines.append(f"{output}: {clean:,} pairs left, {audited.dropped:,} filtered out")
    return lines
