"""`gec-fair fairscore`: how often a classifier changes its mind when a text's people change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import takes
from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import print_parts, result_options
from gec_fair.cli.options.unused import refuse
from gec_fair.fairscore.api import table_of
from gec_fair.fairscore.options import FairscoreOptions
from gec_fair.report.table import Part

_MOST_SHOWN = 5  # flipped examples


@click.command()
@click.option(
    "--task", required=True, metavar="NAME|FILE", help="cola, sst2, stsb, qqp, mrpc, rte, qnli, race; hub:NAME; a file."
)
@click.option(
    "--model",
    required=True,
    metavar="NAME",
    help="tfidf, hf:NAME, sklearn:FILE.skops, command:PROGRAM, openai:MODEL, toxicity.",
)
@takes(FairscoreOptions)
@file_output(endings=(".json",), metavar="FILE", help="Keep the JSON, flips and all.")
@result_options
def fairscore(task: str, model: str, options: FairscoreOptions, output: Path | None, as_json: bool) -> None:
    """The share of examples whose prediction flips when gender, race or age in them is perturbed, of those that were.

    \b
    gec-fair fairscore --task sst2 --model tfidf
    gec-fair fairscore --task rte --model hf:textattack/roberta-base-RTE --check-labels -o rte.json
    gec-fair fairscore --task reviews.csv --fields text --label stars --model sklearn:stars.skops
    gec-fair fairscore --task comments.csv --label toxic --rename 1=toxic --rename 0=non-toxic --model toxicity
    """
    from gec_fair.extras import require

    require("fairscore", "fairscore", "sklearn", "scipy")
    from gec_fair.fairscore.api import measure
    from gec_fair.fairscore.examples import is_file
    from gec_fair.fairscore.tuning import figures_beside, paper
    from gec_fair.runs.atomic import write_text

    if not is_file(task):
        refuse(("fields", "label", "train"), f"is for a file of your own, and {task} is a task")
    if model != "tfidf":
        refuse(("train",), f"is for --model tfidf; {model} learns nothing here")
    result = measure(model, task, **vars(options))
    measured = result.measured
    model_name = result.version if model.startswith("command:") else model  # a program's words may hold a key
    record = {"task": task, "model": model_name, **measured.as_json(), "paper": paper(task)}
    text = json.dumps(record, ensure_ascii=False, indent=1)
    if output is not None:
        write_text(output, text + "\n")
    if as_json:
        click.echo(text)
    else:
        print_parts(*_parts(measured), *figures_beside(task))


def _parts(measured: Any) -> Sequence[Part]:
    if measured.metric == "pearson":
        return [
            f"{measured.metric} {measured.original:.2f} on {measured.counts['examples']:,} examples; "
            "a regression has no fairscore, for no prediction flips",
            measured.signature,
        ]
    lines: list[Part] = [table_of(measured)]
    counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in measured.counts.items())
    lines += ["", f"{measured.metric} {measured.original:.2f} on the original examples; {counts}", ""]
    for example in measured.flipped[:_MOST_SHOWN]:
        lines.append(
            f"{example.before} → {example.after}: {' || '.join(example.original)}\n    {' || '.join(example.perturbed)}"
        )
    if (more := len(measured.flipped) - _MOST_SHOWN) > 0:
        lines.append(f"… and {more:,} more flips; all are in the JSON (-o FILE, or --json)")
    return [*lines, measured.signature]
