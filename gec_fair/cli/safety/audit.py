"""`gec-fair safety audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from gec_fair.cli.options.results import print_json, print_parts, print_tables, result_options
from gec_fair.cli.safety.options import groups_option, show_text_option, tell_texts, terms_option, texts_option
from gec_fair.progress import bar


@click.command(short_help="Audit a table of scores: ACV and sliced averages")
@click.argument("table", type=click.Path(path_type=Path), metavar="TABLE")
@click.option(
    "--source",
    metavar="NAME",
    help="Score the column text by this classifier: hf:MODEL, toxicity, detoxify:…, openai-moderation, …",
)
@click.option("--score", default="", metavar="NAME", help="The column, or an attribute of --source.  [default: score]")
@click.option("--harm", default="", metavar="NAME", help="What is scored.  [default: the column harm, or --score]")
@click.option("--label", default="", metavar="COLUMN", help="0 safe, 1 unsafe.  [default: label, or the harm's name]")
@click.option("--text", default="", metavar="COLUMN", help="The texts.  [default: text]")
@click.option("--counterfactuals", is_flag=True, help="With --source: rewrite each text for the other subgroups too.")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="BASELINE",
    help="Another table of the same texts: what changed since it, in percent.",
)
@groups_option
@terms_option
@click.option("--threshold", default=0.5, show_default=True, help="A score at or above it flags a text.")
@click.option(
    "--resamples", default=10_000, show_default=True, type=click.IntRange(1), help="Of the bootstrap over sets."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of the bootstrap.")
@click.option(
    "--missing",
    type=click.Choice(("refuse", "drop")),
    default="refuse",
    show_default=True,
    help="Rows whose text is null or empty.",
)
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
    table: Path,
    source: str | None,
    score: str,
    harm: str,
    label: str,
    text: str,
    counterfactuals: bool,
    against: Path | None,
    groups_file: Path | None,
    terms: Path | None,
    threshold: float,
    resamples: int,
    seed: int,
    missing: Literal["refuse", "drop"],
    output: Path | None,
    texts: tuple[Path, ...],
    show_text: bool,
    as_json: bool,
) -> None:
    """Audit a classifier of unsafe text: ACV, normalised ACV, sliced averages, AUC by subgroup (subgroup, BPSN, BNSP)
    and counterfactual token fairness gaps, with intervals.

    TABLE (CSV, TSV, JSONL, Parquet) has scores, or texts that --source scores. Its columns are id, set_id, category and
    subgroup (or slices), harm, label and score, or text. Where the subgroups are missing, they are found in the texts.
    ACV needs sets of counterfactuals: a column set_id, or --counterfactuals.

    \b
    gec-fair safety audit texts.csv --source hf:unitary/toxic-bert --score toxic --counterfactuals -o out/audit
    gec-fair safety audit train.csv --text comment_text --label toxic --source toxicity --counterfactuals
    gec-fair safety audit predictions.csv --score p_toxic --harm toxicity --label is_toxic
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
    if source is None:
        refuse(("counterfactuals",), "are new texts to score; name a classifier with --source")
    audited = api.audit(
        table,
        against=against,
        source=source,
        score=score,
        harm=harm,
        label=label,
        text=text,
        counterfactuals=counterfactuals,
        groups=groups_file,
        terms=terms,
        threshold=threshold,
        resamples=resamples,
        seed=seed,
        missing=missing,
        progress=bar,
    )
    results = audited.result
    if output is not None:
        audited.write(output, texts)
    if audited.summary:
        click.echo(audited.summary, err=True)
    if as_json:
        print_json(audited.to_dict())
        return
    print_parts(audited.finding, "")
    print_tables(audited.tables(), with_notes=True)
    if show_text:
        tell_texts(examples.of_audit(results.swings), texts)
    print_parts(results.signature)
