"""`gec-fair razor explain`: whether words are a shortcut of a classifier."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import path_argument, takes
from gec_fair.cli.options.results import result_options, show_result
from gec_fair.razor.options import ExplainOptions


@click.command(short_help="Check whether words of a document are a classifier's shortcut")
@takes(path_argument("data", "DATA"), click.argument("document"), ExplainOptions, result_options)
def explain(data: Path, document: str, options: ExplainOptions) -> None:
    """Check whether words of DOCUMENT (its id) are a shortcut of a classifier (definition 1) and carry its attribution
    (lemma 1).

    \b
    gec-fair razor explain fever_dev.jsonl 35708 --model hf:out/fever --part only
    gec-fair razor explain reviews.jsonl r17 --model sklearn:stars.skops
    """
    from gec_fair.razor.documents import documents
    from gec_fair.razor.evaluation.examine import examine_document

    read, left = documents.read(data, options)
    documents.report_left_out(left)
    show_result(examine_document(read, document, options.model, options.part, options.attribution, options.rename))
