"""`gec-fair fairtune`: classifiers trained on perturbed examples, beside those that were not; Tables 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path

import click

from gec_fair.cli.fairness.fairscore import file_options, renamed_labels
from gec_fair.cli.options.keys import keys_option
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.cli.options.settings import other_values
from gec_fair.cli.options.unused import refuse
from gec_fair.progress import bar


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="TASK|FILE…")
@click.option("--dev", type=click.Path(path_type=Path), metavar="FILE", help="Of your own file: what is judged on.")
@file_options
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("tfidf",),
    show_default=True,
    metavar="NAME",
    help="tfidf, or an encoder (folder or hub name); again for more.",
)
@click.option(
    "--tuning",
    default="original,replaced",
    show_default=True,
    metavar="A,B",
    help="original, replaced (as many examples), appended (perturbed ones besides).",
)
@click.option("--seeds", type=click.IntRange(1), default=5, show_default=True, help="Of each; the table has medians.")
@click.option("--axes", default="gender,race,age", show_default=True, help="What is perturbed.")
@click.option("--perturber", default="rules", show_default=True, metavar="NAME", help="rules, or neural:MODEL.")
@click.option("--check-labels", is_flag=True, help="Judge without examples whose label may have changed (aunt/uncle).")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Training examples of each task.")
@click.option("--settings", type=click.Path(path_type=Path), metavar="SETTINGS", help="How encoders are trained.")
@click.option(
    "--grid",
    multiple=True,
    metavar="KEY=A,B",
    help="Try each value (of several keys, each with each) in "
    "three runs and take the best by the median, for example --grid training.batch=16,32.",
)
@other_values("training.learning_rate=1e-4")
@keys_option("gec_fair.fairscore.options:ClassifierTraining")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A record a training; the same command resumes after a kill.",
)
@result_options
def fairtune(
    names: tuple[str, ...],
    dev: Path | None,
    fields: str,
    label: str,
    rename: tuple[str, ...],
    models: tuple[str, ...],
    tuning: str,
    seeds: int,
    axes: str,
    perturber: str,
    check_labels: bool,
    limit: int | None,
    settings: Path | None,
    grid: tuple[str, ...],
    changes: tuple[str, ...],
    output: Path,
    as_json: bool,
) -> None:
    """Train classifiers on tasks as they are and with perturbed examples, and compare measure and fairscore.

    \b
    gec-fair fairtune sst2 rte --seeds 5 -o out/fairtune
    gec-fair fairtune sst2 --model tfidf --model roberta-base --settings training/fairtune.yaml -o out/fairtune
    gec-fair fairtune train.csv --dev dev.csv --fields text --label stars -o out/stars
    gec-fair fairtune rte --model roberta-base --settings training/fairtune.yaml --grid training.batch=16,32 -o out/rte
    """
    from gec_fair.cli.options.settings import read_options
    from gec_fair.extras import require
    from gec_fair.fairscore.examples import is_file, read_lessons
    from gec_fair.fairscore.options import ClassifierTraining
    from gec_fair.fairscore.tuning import Cell, TuningOptions, parts, run, with_paper
    from gec_fair.perturber.rewriting.options import PerturbOptions

    require("fairtuning", "fairscore", "sklearn", "scipy")
    ways = tuple(tuning.split(","))
    options = TuningOptions(
        PerturbOptions(axes=tuple(axes.split(",")), perturber=perturber).axes, perturber, limit, check_labels
    )
    if set(models) == {"tfidf"}:
        refuse(("settings", "grid", "changes"), "is for encoders, and tfidf has no settings; name one with --model")
    if settings is None:
        refuse(("grid", "changes"), "changes settings; give them with --settings training/fairtune.yaml")
    lessons = {}
    if (file := _own_file(names, dev)) is not None:
        train, judged = file
        lessons[train.name] = read_lessons(
            train, judged, tuple(fields.split(",")), label, renamed=renamed_labels(rename), limit=limit
        )
    points = {}
    if settings is not None:
        for name, more in _points(grid):
            points[name] = read_options(settings, ClassifierTraining, (*changes, *more))
    data_names = [Path(name).name if is_file(name) else name for name in names]
    cells = [
        Cell(name, model, way, seed) for seed in range(seeds) for name in data_names for model in models for way in ways
    ]
    with bar("fairtune") as progress:
        results = run(
            cells, output, options, points=points, lessons=lessons, progress=progress, say=partial(click.echo, err=True)
        )
    if as_json:
        print_json(with_paper(results))
    else:
        print_parts(*parts(results))


def _own_file(names: Sequence[str], dev: Path | None) -> tuple[Path, Path] | None:
    """The user's own files, to train and to judge on; None where all names are tasks'."""
    from gec_fair.errors import UsageError
    from gec_fair.fairscore.examples import is_file

    files = [Path(name) for name in names if is_file(name)]
    if not files:
        refuse(("dev", "fields", "label", "rename"), "is for a file of your own; give one as TASK")
        return None
    if len(files) > 1:
        raise UsageError(f"{files[0]}, {files[1]}: one file at a time; name what is judged on with --dev")
    if dev is None:
        raise UsageError(f"{files[0]}: what is judged on is missing; name a file of the same form with --dev")
    return files[0], dev


def _points(grid: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Of each point of the grid a name, which is a folder's too, and its --set words."""
    from gec_fair.errors import UsageError

    axes = []
    for row in grid:
        key, equals, values = row.partition("=")
        if not key or not equals or not values:
            raise UsageError(f"--grid wants key=value,value, not {row!r}; for example --grid training.batch=16,32")
        axes.append([f"{key}={value}" for value in values.split(",")])
    return [(",".join(point), point) for point in product(*axes)]
