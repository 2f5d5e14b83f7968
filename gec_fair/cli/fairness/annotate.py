"""`gec-fair perturber annotate`: folders for the review page, of PANDA's three stages."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import option, path_argument, path_option, refuse, takes
from gec_fair.cli.options.results import json_option, print_result


@click.command(short_help="Make the next stage of PANDA's annotation")
@path_argument("source", "TEXTS|EXPORTED")
@option("--axes", "A,B", "Of stage 1: gender, race, age.  [default: all]", default="")
@click.option("--seed", default=0, show_default=True, help="Which words and attributes are drawn for stage 3.")
@path_option("-o --output out", "DIR", "The review's folder.", required=True)
@takes(click.option("--overwrite", is_flag=True, help="Into a folder in use; annotators' decisions stay."), json_option)
def annotate(source: Path, axes: str, seed: int, out: Path, overwrite: bool) -> None:
    """Make a folder for gec-fair review: stage 1 (select words) of a file with a text a line, stage 2 (attributes) of
    an exported stage 1, or stage 3 (rewrite) of an exported stage 2. The export of stage 3 is panda.csv, which
    `gec-fair perturber train` reads.

    \b
    gec-fair perturber annotate corpus.txt -o out/select
    gec-fair review out/select --export out/selected
    gec-fair perturber annotate out/selected -o out/attributes
    """
    from gec_fair.evaluate.evalsets.review.annotation import NAME, write_set
    from gec_fair.perturber.annotation import next_stage
    from gec_fair.runs.atomic import refuse_used

    if source.is_dir():
        refuse(("axes",), "is for stage 1")
    refuse_used(out, overwrite=overwrite, remedy="take another folder, or --overwrite (annotators' decisions stay)")
    annotation = next_stage(source, axes=tuple(filter(None, axes.split(","))), seed=seed)
    write_set(out / NAME, annotation)
    number = len(annotation.subjects)
    counts = {"output": str(out), "task": annotation.task, "texts": number}
    print_result(counts, f"{out}: {number:,} texts to annotate", f"next: gec-fair review {out}")
