"""`gec-fair safety audit`."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import folder_output, path_argument, refuse, takes
from gec_fair.cli.options.results import print_if_json, print_parts, print_tables, result_options, say, wants_json
from gec_fair.cli.safety.options import show_text_option, tell_texts, texts_option
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.safety.options import SafetyAuditOptions


@click.command(short_help="Audit a table of scores: ACV and sliced averages")
@path_argument("table", "TABLE")
@takes(SafetyAuditOptions, folder_output("Write report.html, tables and figures there.", required=False))
@takes(texts_option, show_text_option, result_options)
def audit(
    table: Path, options: SafetyAuditOptions, output: Path | None, texts: tuple[Path, ...], show_text: bool
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
    require("safety", "safety", "scipy")
    from gec_fair.safety import api
    from gec_fair.safety.report import examples

    if show_text and not texts:
        raise UsageError("--show-text wants the texts; name their table with --texts FILE")
    if wants_json():
        refuse(("show_text",), "prints for people; leave --json out")
    if output is None and not show_text:
        refuse(("texts",), "is for --output or --show-text")
    if options.source is None:
        refuse(("counterfactuals",), "are new texts to score; name a classifier with --source")
    audited = api.audit(table, **vars(options))
    results = audited.result
    if output is not None:
        audited.write(output, texts)
    if audited.summary:
        say(audited.summary)
    if print_if_json(audited.to_dict()):
        return
    print_parts(audited.finding, "")
    print_tables(audited.tables(), with_notes=True)
    if show_text:
        tell_texts(examples.of_audit(results.swings), texts)
    print_parts(results.signature)
