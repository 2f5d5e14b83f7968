"""`gec-fair babylm`: bias before and during pretraining."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import folder_output, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_report, print_result, result_options, say
from gec_fair.cli.options.settings import reads, workers_option
from gec_fair.extras import require

if TYPE_CHECKING:
    from gec_fair.babylm.debiasing.methods import DebiasExperiment
    from gec_fair.babylm.options import BabyExperiment

_OUT = folder_output("The experiment's folder; the same command resumes in it after a kill.")
_WORKERS = workers_option("Processes that make corpora, and trainings at once without a GPU.")
_READS = reads("gec_fair.babylm.options:BabyExperiment", part="", example="pretrain.training.steps=100")
babylm = Group(
    help="Corpora with and without an intervention, models pretrained on each, bias and performance over training."
)


@babylm.command(short_help="Make the experiment's corpora")
@takes(_READS, _OUT, _WORKERS, json_option)
def corpora(options: BabyExperiment, output: Path, workers: int) -> None:
    """Make the experiment's corpora, and print what was done to each.

    \b
    gec-fair babylm corpora training/babylm-cda.yaml -o out/cda --workers 8
    """
    from gec_fair.babylm.corpora import build

    folder = output / build.CORPORA
    corpora = build.make_all(options.original, options.interventions(), folder, workers=workers, say=say)
    lines = []
    for item in corpora.values():
        counts = ", ".join(f"{key} {value:,}" for key, value in item.counts.items() if isinstance(value, (int, float)))
        lines.append(f"{item.corpus}  {counts}")
    print_result({name: {"output": str(item.corpus), **item.counts} for name, item in corpora.items()}, *lines)


@babylm.command(short_help="Pretrain on each corpus with every seed; judge and report")
@takes(_READS, _OUT, _WORKERS, result_options)
def experiment(options: BabyExperiment, output: Path, workers: int) -> None:
    """Make the corpora, pretrain a model on each with every seed, look at its bias and performance while it learns, and
    write tables, figures and report.html. Finished trainings are skipped, half-finished ones go on; with several GPUs,
    start one such process for each.

    \b
    gec-fair babylm experiment training/babylm-cda.yaml -o out/cda
    gec-fair babylm experiment training/babylm-cda.yaml --set seeds=1 --set pretrain.training.steps=1000 -o out/try
    """
    require("babylm", "train", "torch", "transformers", "pyarrow")
    require("babylm", "lm", "scipy")
    from gec_fair.babylm.experiment import run
    from gec_fair.babylm.report.page import write
    from gec_fair.report.page import check

    check()  # now, not after days
    snapshots = run(options, output, workers=workers, say=say)
    paths, tables = write(options, snapshots, output)
    print_report(tables, paths)


@babylm.command(short_help="Debias a trained model by each method; print what changed")
@reads("gec_fair.babylm.debiasing.methods:DebiasExperiment", part="", example="methods=[sent-debias]")
@takes(_OUT, _WORKERS, result_options)
def debias(options: DebiasExperiment, output: Path, workers: int) -> None:
    """Debias a trained model by each method (training on, or projecting its states), judge what comes of it, and print
    what changed. Debiased models lie in DIR/METHOD/SEED/best, and are models like others.

    \b
    gec-fair babylm debias training/babylm-debias.yaml --set model=babylm/ltgbert-100m-2024 -o out/debias/baseline
    gec-fair babylm debias training/babylm-debias.yaml --set model=M --set methods=[inlp-gender] -o out/inlp
    """
    from gec_fair.babylm.api import run_debias

    debiased = run_debias(options, output, workers=workers, say=say)
    print_report(debiased.shifts[:1] or debiased.tables(), debiased.written)


@babylm.command(short_help="Test whether models answer to debiasing alike")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR…")
@takes(folder_output("Write report.html, tables and figures there.", required=False), result_options)
def agree(folders: tuple[Path, ...], output: Path | None) -> None:
    """Whether models answer to debiasing alike: canonical correlation of what `gec-fair babylm debias` left in each DIR
    (Table 6), with a permutation p.

    \b
    gec-fair babylm agree out/debias/bert out/debias/ltg-bert out/debias/baseline -o out/agreement
    """
    require("babylm", "lm", "scipy")
    from gec_fair.babylm.report import page

    written, tables = page.write_shifts(folders, output) if output else ([], page.shift_tables(folders))
    print_report(tables, written, with_notes=True)
