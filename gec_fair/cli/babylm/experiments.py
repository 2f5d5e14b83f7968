"""`gec-fair babylm`: bias before and during pretraining."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.keys import keys_option
from gec_fair.cli.options.results import counts_option, print_counts, print_json, print_tables, result_options, rows_of
from gec_fair.cli.options.settings import other_values, settings_argument

if TYPE_CHECKING:
    from gec_fair.babylm.options import BabyExperiment

_OUT = click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The experiment's folder; the same command resumes in it after a kill.",
)
_WORKERS = click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Processes that make corpora, and trainings at once without a GPU.",
)
_EXAMPLE = "pretrain.training.steps=100"
_SET = other_values(_EXAMPLE)
_KEYS = keys_option("gec_fair.babylm.options:BabyExperiment")
_say = partial(click.echo, err=True)


@click.group(cls=Group)
def babylm() -> None:
    """Corpora with and without an intervention, models pretrained on each, bias and performance over training."""


def _read(settings: Path, changes: tuple[str, ...]) -> BabyExperiment:
    from gec_fair.babylm.options import BabyExperiment
    from gec_fair.config.settings import changes_of, read_settings

    return read_settings(settings, BabyExperiment, changes=changes_of(changes, example=_EXAMPLE))


@babylm.command(short_help="Make the experiment's corpora")
@settings_argument
@_OUT
@_SET
@_KEYS
@_WORKERS
@counts_option
def corpora(settings: Path, output: Path, changes: tuple[str, ...], workers: int) -> None:
    """Make the experiment's corpora, and print what was done to each.

    \b
    gec-fair babylm corpora training/babylm-cda.yaml -o out/cda --workers 8
    """
    from gec_fair.babylm.corpora import build

    options = _read(settings, changes)
    folder = output / build.CORPORA
    corpora = build.make_all(options.original, options.interventions(), folder, workers=workers, say=_say)
    lines = []
    for one in corpora.values():
        counts = ", ".join(f"{name} {value:,}" for name, value in one.counts.items() if isinstance(value, (int, float)))
        lines.append(f"{one.corpus}  {counts}")
    print_counts({name: {"output": str(one.corpus), **one.counts} for name, one in corpora.items()}, *lines)


@babylm.command(short_help="Pretrain on each corpus with every seed; judge and report")
@settings_argument
@_OUT
@_SET
@_KEYS
@_WORKERS
@result_options
def experiment(settings: Path, output: Path, changes: tuple[str, ...], workers: int, as_json: bool) -> None:
    """Make the corpora, pretrain a model on each with every seed, look at its bias and performance while it learns, and
    write tables, figures and report.html. Finished trainings are skipped, half-finished ones go on; with several GPUs,
    start one such process for each.

    \b
    gec-fair babylm experiment training/babylm-cda.yaml -o out/cda
    gec-fair babylm experiment training/babylm-cda.yaml --set seeds=1 --set pretrain.training.steps=1000 -o out/try
    """
    from gec_fair.extras import require

    experiment = _read(settings, changes)
    require("babylm", "train", "torch", "transformers", "pyarrow")
    require("babylm", "lm", "scipy")
    from gec_fair.babylm.experiment import run
    from gec_fair.babylm.report.page import write
    from gec_fair.report.page import check

    check()  # now, not after days
    snapshots = run(experiment, output, workers=workers, say=_say)
    paths, tables = write(experiment, snapshots, output)
    if as_json:
        print_json(rows_of(tables))
        return
    print_tables(tables)
    click.echo(f"{paths[0]}  {len(paths) - 1} tables and figures beside it")


@babylm.command(short_help="Debias a trained model by each method; print what changed")
@settings_argument
@_OUT
@other_values("methods=[sent-debias]")
@keys_option("gec_fair.babylm.debiasing.methods:DebiasExperiment")
@_WORKERS
@result_options
def debias(settings: Path, output: Path, changes: tuple[str, ...], workers: int, as_json: bool) -> None:
    """Debias a trained model by each method (training on, or projecting its states), judge what comes of it, and print
    what changed. Debiased models lie in DIR/METHOD/SEED/best, and are models like others.

    \b
    gec-fair babylm debias training/babylm-debias.yaml --set model=babylm/ltgbert-100m-2024 -o out/debias/baseline
    gec-fair babylm debias training/babylm-debias.yaml --set model=M --set methods=[inlp-gender] -o out/inlp
    """
    from gec_fair.babylm.api import run_debias
    from gec_fair.babylm.debiasing.methods import DebiasExperiment
    from gec_fair.config.settings import changes_of, read_settings

    experiment = read_settings(settings, DebiasExperiment, changes=changes_of(changes, example="methods=[sent-debias]"))
    debiased = run_debias(experiment, output, workers=workers, say=_say)
    tables = debiased.shifts or debiased.tables()
    if as_json:
        print_json(rows_of(tables))
        return
    print_tables(tables)
    if written := debiased.written:
        click.echo(f"{written[0]}  {len(written) - 1} tables and figures beside it")


@babylm.command(short_help="Test whether models answer to debiasing alike")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR…")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write report.html, tables and figures there.",
)
@result_options
def agree(folders: tuple[Path, ...], output: Path | None, as_json: bool) -> None:
    """Whether models answer to debiasing alike: canonical correlation of what `gec-fair babylm debias` left in each DIR
    (Table 6), with a permutation p.

    \b
    gec-fair babylm agree out/debias/bert out/debias/ltg-bert out/debias/baseline -o out/agreement
    """
    from gec_fair.extras import require

    require("babylm", "lm", "scipy")
    from gec_fair.babylm.report import page

    if output is not None:
        written, tables = page.write_shifts(folders, output)
    else:
        written, tables = [], page.shift_tables(folders)
    if as_json:
        print_json(rows_of(tables))
        return
    print_tables(tables, with_notes=True)
    if written:
        click.echo(f"{written[0]}  {len(written) - 1} tables and figures beside it")
