"""`gec-fair safety train` and `predict`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import file_output, folder_output, path_argument, refuse, takes
from gec_fair.cli.options.results import json_option, print_report, print_result, result_options, say, wants_json
from gec_fair.cli.options.settings import reads
from gec_fair.cli.safety.options import groups_option, read_groups, show_text_option, tell_texts
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.progress import bar

if TYPE_CHECKING:
    from gec_fair.safety.remedy.options import SafetyTraining


@click.command(short_help="Train a baseline and a remediated ensemble; judge both")
@reads("gec_fair.safety.remedy.options:SafetyTraining", part="", example="seeds=1")
@folder_output("The run's folder; the same command resumes in it after a stop.")
@takes(show_text_option, result_options)
def train(options: SafetyTraining, output: Path, show_text: bool) -> None:
    """Train a baseline ensemble and a remediated one (counterfactual balance, Fair Data Reweighting), with every seed,
    and judge both on held-out counterfactual sets: tables, figures, report.html, and the ensembles as skops.

    \b
    gec-fair safety train training/safety.yaml -o out/safety
    gec-fair safety train training/safety.yaml --set search.trials=40 -o out/searched
    gec-fair safety train training/safety.yaml --set 'texts=[texts.csv]' --show-text -o out/safety
    """
    if show_text and not options.texts:
        raise UsageError("--show-text wants the texts; name their tables with --set texts=[FILE]")
    if wants_json():
        refuse(("show_text",), "prints for people; leave --json out")
    require("safety", "safety", "sklearn", "scipy", "skops", "optuna")
    from gec_fair.report.page import check
    from gec_fair.safety.remedy.train import run
    from gec_fair.safety.report import examples as report_examples
    from gec_fair.safety.report import page

    check()
    with bar("seeds") as progress:
        results = run(options, output, say=say, progress=progress)
    written, printed = page.write_training(options, results, output)
    print_report(printed, written, with_notes=True)
    if show_text:
        tell_texts(report_examples.of_training(results), [Path(name) for name in options.texts])


@click.command(short_help="Score new rows with a trained ensemble")
@takes(path_argument("model", "MODEL"), path_argument("table", "TABLE"))
@click.option(
    "--for-audit", is_flag=True, help="Write what safety audit reads: the table's labels, sets and subgroups too (CSV)."
)
@groups_option
@file_output(
    "FILE", "id and a probability for each harm: CSV or TSV.", is_table=True, endings=(".csv", ".tsv"), required=True
)
@json_option
def predict(model: Path, table: Path, for_audit: bool, groups_file: Path | None, output: Path) -> None:
    """An ensemble's probabilities for new rows of source scores.

    \b
    gec-fair safety predict out/safety/remediated scored.csv -o probabilities.csv
    gec-fair safety predict out/safety/remediated labelled.csv --for-audit -o scores.csv
    """
    from gec_fair.data.user_tables import output_form
    from gec_fair.runs.atomic import write_bytes
    from gec_fair.safety.data import examples
    from gec_fair.safety.ensemble import export
    from gec_fair.safety.ensemble import predict as predicting

    if not for_audit:
        refuse(("groups_file",), "is for --for-audit")
    elif output_form(output) != ".csv":
        raise UsageError(f"{output}: --for-audit writes CSV; give a name that ends with .csv")
    ensemble = export.load(model)
    if for_audit:
        rows = examples.read([table], read_groups(groups_file), ensemble.harms, ensemble.inputs.sources)
        write_bytes(output, [predicting.audit_rows(rows, ensemble)])
        number = sum(any(rows.labels[harm][n] >= 0 for harm in ensemble.harms) for n in range(len(rows)))
        blank = {}
        if number < len(rows):
            say(f"{len(rows) - number:,} texts have no label and are left out")
    else:
        summary = predicting.predict(ensemble, table, output)
        number, blank = summary.rows, {"blank": summary.blank}
    counts = {"output": str(output), "texts": number, "harms": list(ensemble.harms), **blank}
    print_result(counts, f"{output}  {number:,} texts: {', '.join(ensemble.harms)}")
    if blank.get("blank"):
        say(f"{blank['blank']:,} texts have no score of any source; theirs tell nothing")
