"""`gec-fair experiment run|status|table`: data mixes × seeds of one model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.cli.annotating import annotator
from gec_fair.cli.settings import set_option, settings_argument

if TYPE_CHECKING:
    from gec_fair.gec.experiment.options import Experiment

Command = TypeVar("Command", bound=Callable[..., Any])
_OUT = click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR",
                    help="The experiment's folder.")  # fmt: skip
_WORKERS = click.option("--workers", default=1, show_default=True, help="Processes that tag, parse and annotate.")


@click.group()
def experiment() -> None:
    """Fine-tune on several data mixes over many seeds, and print the paper's tables; resumable, a folder a cell."""


def _read(settings: Path, changes: tuple[str, ...]) -> tuple[Experiment, Any]:
    from gec_fair.corpus.settings import changes_of
    from gec_fair.gec.experiment.options import read_experiment

    return read_experiment(settings, changes=changes_of(changes))


@experiment.command()
@settings_argument
@_OUT
@set_option
@click.option(
    "--cell", "names", multiple=True, metavar="SYSTEM[/SEED]", help="Only this cell or system; again for more."
)
@click.option("--launch", type=click.Choice(["here", "slurm", "ray"]), default="here", show_default=True,
              help="One after the other here; print a Slurm array script; or as tasks of a Ray cluster.")  # fmt: skip
@click.option("--gpus", default=1.0, show_default=True, help="With --launch: GPUs a cell.")
@_WORKERS
def run(
    settings: Path, output: Path, changes: tuple[str, ...], names: tuple[str, ...], launch: str, gpus: float,
    workers: int,
) -> None:  # fmt: skip
    """Train, predict and score every cell. Finished cells are skipped, half-finished ones go on.

    \b
    gec-fair experiment run training/gector-clang8.yaml --set mix=mix -o out/gector
    gec-fair experiment run training/gector-clang8.yaml -o out/gector --cell 2/0
    gec-fair experiment run training/gector-clang8.yaml -o out/gector --launch slurm | sbatch
    """
    from gec_fair.extras import require

    found, of_model = _read(settings, changes)
    require("training", "train", "torch", "transformers", "datasets")
    from gec_fair.gec.experiment import launch as jobs
    from gec_fair.gec.experiment.cells import cells, chosen, require_sets, run_cell

    require_sets(found)
    some = chosen(cells(found, output), names)
    if launch == "slurm":
        click.echo(jobs.slurm(settings, output, some, changes, gpus=max(1, int(gpus))), nl=False)
        return
    if launch == "ray":
        jobs.refuse_failed(jobs.ray(settings, output, some, changes, gpus=gpus))
        some = []
    judge = annotator("embedded", workers, False)
    for number, cell in enumerate(some, 1):
        click.echo(f"cell {number} of {len(some)}: {cell.name}", err=True)
        scores = run_cell(cell, found, of_model, judge, workers=workers)
        click.echo(f"{cell.name}  {_told(scores)}")


def _told(scores: Mapping[str, Any]) -> str:
    parts = [f"F0.5 {scores['full']['f0.5']:.2f}"] if "full" in scores else []
    parts += [f"{name} {one['orig']['f0.5']:.2f} {one['delta']:+.2f}" for name, one in scores["sets"].items()]
    return "  ".join(parts)


@experiment.command()
@settings_argument
@_OUT
@set_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(settings: Path, output: Path, changes: tuple[str, ...], as_json: bool) -> None:
    """How far every cell has come.

    \b
    gec-fair experiment status training/gector-clang8.yaml -o out/gector
    """
    from gec_fair.gec.experiment.cells import cells

    found, of_model = _read(settings, changes)
    every = cells(found, output)
    states = {cell.name: cell.state(of_model.training.steps) for cell in every}
    if as_json:
        click.echo(json.dumps(states, ensure_ascii=False))
        return
    seeds = sorted({cell.seed for cell in every})
    click.echo("| system | " + " | ".join(f"seed {seed}" for seed in seeds) + " |\n| --- |" + " --- |" * len(seeds))
    for system in dict.fromkeys(cell.system for cell in every):
        click.echo(f"| {system} | " + " | ".join(states.get(f"{system}/{seed}", "–") for seed in seeds) + " |")
    click.echo(f"\n{sum(cell.finished for cell in every)} of {len(every)} cells are finished")


@experiment.command()
@settings_argument
@_OUT
@set_option
@_WORKERS
@click.option("--resamples", default=10_000, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def table(settings: Path, output: Path, changes: tuple[str, ...], workers: int, resamples: int, as_json: bool) -> None:
    """Tables 3, 4, 5, 6 and 8 of Lund et al. 2023 over the finished cells, beside the paper's figures; and the report.

    \b
    gec-fair experiment table training/gector-clang8.yaml -o out/gector
    """
    from gec_fair.gec.experiment.table import FIRST, tabulate

    found, _ = _read(settings, changes)
    made = tabulate(found, output, annotator("embedded", workers, False), resamples=resamples)
    if as_json:
        click.echo(json.dumps(made.results, ensure_ascii=False))
        return
    for each in made.tables:
        if each.name.startswith(FIRST):
            click.echo(f"{each.title}\n\n{each.markdown()}\n{each.note}\n")
    click.echo(f"{made.report}")
