"""`gec-fair safety audit`."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.results import print_json, print_parts, print_tables, result_options
from gec_fair.cli.safety.options import groups_option, show_text_option, tell_texts, texts_option


@click.command(short_help="Audit a table of scores: ACV and sliced averages")
@click.argument("scores", type=click.Path(path_type=Path), metavar="SCORES")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="BASELINE",
    help="Another table of the same texts: what changed since it, in percent.",
)
@groups_option
@click.option("--threshold", default=0.5, show_default=True, help="A score at or above it flags a text.")
@click.option(
    "--resamples", default=10_000, show_default=True, type=click.IntRange(1), help="Of the bootstrap over sets."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of the bootstrap.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write report.html, tables and figures there.",
)
@texts_option
@show_text_option
@result_options
def audit(
    scores: Path,
    against: Path | None,
    groups_file: Path | None,
    threshold: float,
    resamples: int,
    seed: int,
    output: Path | None,
    texts: tuple[Path, ...],
    show_text: bool,
    as_json: bool,
) -> None:
    """ACV, normalised ACV and sliced averages, with intervals, of a table of scores (CSV, TSV, JSONL, Parquet): set_id,
    category, subgroup, harm, label (0 safe, 1 unsafe), score (0 to 1), and id where a text names several subgroups.

    \b
    gec-fair safety audit scores.csv
    gec-fair safety audit remediated.csv --against baseline.csv -o out/audit
    gec-fair safety audit scores.csv --texts texts.csv --show-text
    gec-fair safety audit scores.parquet --groups hatecheck-groups.csv --json
    """
    from gec_fair.cli.options.unused import refuse
    from gec_fair.extras import require

    require("safety", "safety", "scipy")
    from gec_fair.errors import UsageError
    from gec_fair.safety import api
    from gec_fair.safety.report import examples

    if show_text and not texts:
        raise UsageError("--show-text wants the texts; name their table with --texts FILE")
    if as_json:
        refuse(("show_text",), "prints for people; leave --json out")
    if output is None and not show_text:
        refuse(("texts",), "is for --output or --show-text")
    audited = api.audit(
        scores, against=against, groups=groups_file, threshold=threshold, resamples=resamples, seed=seed
    )
    results = audited.result
    if output is not None:
        from gec_fair.safety.report import page

        page.write_audit(results, output, texts)
    if as_json:
        print_json(audited.to_dict())
        return
    print_tables(audited.tables(), with_notes=True)
    if show_text:
        tell_texts(examples.of_audit(results.swings), texts)
    print_parts(results.signature)
