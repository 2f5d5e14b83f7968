"""`gec-fair experiment run|status|table`: data mixes × seeds of one model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import folder_output, option, refuse, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import (
    json_option,
    print_if_json,
    print_parts,
    print_tables,
    result_options,
    say,
    wants_json,
)
from gec_fair.cli.options.settings import keys_option, other_values, settings_argument, workers_option
from gec_fair.evaluate.options import Annotating
from gec_fair.extras import require

if TYPE_CHECKING:
    from gec_fair.gec.experiment.status import Request

_OUT = folder_output("The experiment's folder.")
_WORKERS = workers_option("Processes that tag, parse and annotate.")
_EXAMPLE = "settings.training.steps=100"
_SET = other_values(_EXAMPLE)
experiment = Group(
    help="Fine-tune on several data mixes over many seeds, and print the paper's tables; resumable, a folder a cell."
)


def _read(settings: Path, changes: tuple[str, ...]) -> Request:
    from gec_fair.config.settings import changes_of
    from gec_fair.gec.experiment.options import read_experiment
    from gec_fair.gec.experiment.status import read_request

    return read_request(*read_experiment(settings, changes=changes_of(changes, example=_EXAMPLE)))


@experiment.command()
@takes(settings_argument, _OUT, _SET, keys_option("gec_fair.gec.experiment.options:Experiment"))
@option("--cell names", "SYSTEM[/SEED]", "Only this cell or system; again for more.", multiple=True)
@click.option(
    "--launch",
    type=click.Choice(["here", "slurm"]),
    default="here",
    show_default=True,
    help="One after the other here, or print a Slurm array script.",
)
@takes(click.option("--gpus", type=int, help="With --launch slurm: GPUs a cell.  [default: 1]"), _WORKERS, json_option)
def run(
    settings: Path,
    output: Path,
    changes: tuple[str, ...],
    names: tuple[str, ...],
    launch: str,
    gpus: int | None,
    workers: int,
) -> None:
    """Train, predict and score every cell. Finished cells are skipped, half-finished ones go on, and those that another
    process is at are left to it: with several GPUs, start one such process for each.

    \b
    gec-fair experiment run training/gector-clang8.yaml --set mix=mix -o out/gector
    gec-fair experiment run training/gector-clang8.yaml -o out/gector --cell 2/0
    gec-fair experiment run training/gector-clang8.yaml -o out/gector --launch slurm | sbatch
    """
    if launch == "here":
        refuse(("gpus",), "is for --launch slurm; here, CUDA_VISIBLE_DEVICES says which GPU is used")
    request = _read(settings, changes)
    require("training", "train", "torch", "transformers", "datasets")
    from gec_fair.evaluate.scoring.errant import make_annotator
    from gec_fair.gec.experiment.cells import cells, select_cells
    from gec_fair.gec.experiment.launch import Jobs, slurm
    from gec_fair.gec.experiment.running import Work, check_cells, describe_scores, tell_what_is_there
    from gec_fair.gec.experiment.running import run as run_here

    every = select_cells(cells(request.experiment, output), names)
    if launch != "here":
        cells_now = check_cells(every, request, trains_here=False)
        if waiting := [cell for cell, status in cells_now.items() if not status.finished]:
            jobs = Jobs(settings, output, changes, 1 if gpus is None else gpus, workers)
            click.echo(slurm(jobs, waiting), nl=False)
        else:
            say("nothing to run: every cell is finished")
        return
    done = run_here(
        every, Work(request, make_annotator(Annotating(workers=workers)), workers, say, apart=len(every) > 1)
    )
    tell_what_is_there(request.experiment, output)
    results = {}
    for cell, scores in done:
        results[cell.name] = scores
        if not wants_json():
            click.echo(f"{cell.name}  {describe_scores(scores)}")
    print_if_json(results)


@experiment.command(short_help="Show how far every cell is")
@takes(settings_argument, _OUT, _SET, result_options)
def status(settings: Path, output: Path, changes: tuple[str, ...]) -> None:
    """How far every cell has come, measured by what the settings ask for now.

    \b
    gec-fair experiment status training/gector-clang8.yaml -o out/gector
    """
    from gec_fair.gec.experiment.cells import cells
    from gec_fair.gec.experiment.status import read_status, tabulate

    request = _read(settings, changes)
    statuses = {cell: read_status(cell, request) for cell in cells(request.experiment, output)}
    states = {cell.name: status.describe() for cell, status in statuses.items()}
    if print_if_json(states):
        return
    finished = f"{sum(status.finished for status in statuses.values())} of {len(statuses)} cells are finished"
    print_parts(tabulate(statuses), "", finished)
    for cell, status in statuses.items():
        if status.differences or status.stale:
            click.echo(f"{cell.name}: {', '.join((*status.differences, *status.stale))}")


@experiment.command(short_help="Print the paper's tables over the finished cells")
@takes(settings_argument, _OUT, _SET, _WORKERS)
@takes(click.option("--resamples", default=10_000, show_default=True, help="Of the bootstrap."), result_options)
def table(settings: Path, output: Path, changes: tuple[str, ...], workers: int, resamples: int) -> None:
    """Tables 3, 4, 5, 6 and 8 over the finished cells, beside those of Lund et al. 2023; and the report.

    \b
    gec-fair experiment table training/gector-clang8.yaml -o out/gector
    """
    from gec_fair.evaluate.scoring.errant import make_annotator
    from gec_fair.gec.experiment.table import FIRST, tabulate

    tabulated = tabulate(
        _read(settings, changes), output, make_annotator(Annotating(workers=workers)), resamples=resamples
    )
    for note in tabulated.notes:
        say(f"note: {note}")
    if print_if_json(tabulated.results):
        return
    print_tables([part for part in tabulated.tables if part.name.startswith(FIRST)], with_notes=True)
    print_parts(str(tabulated.report))
