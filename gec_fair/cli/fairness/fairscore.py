"""`gec-fair fairscore`: how often a classifier changes its mind when a text's people change."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import file_output, option, refuse, takes
from gec_fair.cli.options.results import print_result, result_options
from gec_fair.extras import require
from gec_fair.fairscore.options import FairscoreOptions


@click.command()
@option("--task", "NAME|FILE", "cola, sst2, stsb, qqp, mrpc, rte, qnli, race; hub:NAME; a file.", required=True)
@option(
    "--model", "NAME", "tfidf, hf:NAME, sklearn:FILE.skops, command:PROGRAM, openai:MODEL, toxicity.", required=True
)
@takes(FairscoreOptions, file_output("FILE", "Keep the JSON, flips and all.", endings=(".json",)), result_options)
def fairscore(task: str, model: str, options: FairscoreOptions, output: Path | None) -> None:
    """The share of examples whose prediction flips when gender, race or age in them is perturbed, of those that were.

    \b
    gec-fair fairscore --task sst2 --model tfidf
    gec-fair fairscore --task rte --model hf:textattack/roberta-base-RTE --check-labels -o rte.json
    gec-fair fairscore --task reviews.csv --fields text --label stars --model sklearn:stars.skops
    gec-fair fairscore --task comments.csv --label toxic --rename 1=toxic --rename 0=non-toxic --model toxicity
    """
    require("fairscore", "fairscore", "sklearn", "scipy")
    from gec_fair.fairscore.api import measure
    from gec_fair.fairscore.examples import is_file
    from gec_fair.fairscore.tables import figures_beside, paper
    from gec_fair.runs.atomic import write_json

    if not is_file(task):
        refuse(("fields", "label", "train"), f"is for a file of your own, and {task} is a task")
    result = measure(model, task, **vars(options))
    model_name = result.version if model.startswith("command:") else model  # a program's words may hold a key
    record = {"task": task, "model": model_name, **result.to_dict(), "paper": paper(task)}
    if output is not None:
        write_json(output, record)
    print_result(record, *result.parts(), *figures_beside(task))
