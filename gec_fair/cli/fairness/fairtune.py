"""`gec-fair fairtune`: classifiers trained on perturbed examples, beside those that were not; Tables 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import click

from gec_fair.cli.options.command import folder_output, refuse, takes
from gec_fair.cli.options.results import print_result, result_options, say
from gec_fair.cli.options.settings import keys_option, other_values, read_options
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.fairscore.options import ClassifierTraining, FairtuneOptions
from gec_fair.progress import bar


@click.command()
@takes(click.argument("names", nargs=-1, required=True, metavar="TASK|FILE…"), FairtuneOptions)
@takes(other_values("training.learning_rate=1e-4"), keys_option("gec_fair.fairscore.options:ClassifierTraining"))
@takes(folder_output("A record a training; the same command resumes after a kill."), result_options)
def fairtune(names: tuple[str, ...], options: FairtuneOptions, changes: tuple[str, ...], output: Path) -> None:
    """Train classifiers on tasks as they are and with perturbed examples, and compare measure and fairscore.

    \b
    gec-fair fairtune sst2 rte --seeds 5 -o out/fairtune
    gec-fair fairtune sst2 --model tfidf --model roberta-base --settings training/fairtune.yaml -o out/fairtune
    gec-fair fairtune train.csv --dev dev.csv --fields text --label stars -o out/stars
    gec-fair fairtune rte --model roberta-base --settings training/fairtune.yaml --grid training.batch=16,32 -o out/rte
    """
    from gec_fair.fairscore.examples import is_file, read_lessons
    from gec_fair.fairscore.tables import parts, with_paper
    from gec_fair.fairscore.tuning import Cell, TuningOptions, run
    from gec_fair.perturber.rewriting.options import PerturbOptions

    require("fairtuning", "fairscore", "sklearn", "scipy")
    axes = PerturbOptions(axes=options.axes, perturber=options.perturber).axes
    tuning = TuningOptions(tuple(axes), options.perturber, options.limit, options.check_labels)
    if set(options.models) == {"tfidf"}:
        refuse(("settings", "grid", "changes"), "is for encoders, and tfidf has no settings; name one with --model")
    if options.settings is None:
        refuse(("grid", "changes"), "changes settings; give them with --settings training/fairtune.yaml")
    lessons = {}
    if (file := _own_file(names, options.dev)) is not None:
        train, judged = file
        lessons[train.name] = read_lessons(
            train, judged, tuple(options.fields), options.label, renamed=options.rename, limit=options.limit
        )
    points = {}
    if options.settings is not None:
        for name, more in _points(options.grid):
            points[name] = read_options(options.settings, ClassifierTraining, (*changes, *more))
    data_names = [Path(name).name if is_file(name) else name for name in names]
    every = product(range(options.seeds), data_names, options.models, options.tuning)
    cells = [Cell(name, model, way, seed) for seed, name, model, way in every]
    with bar("fairtune") as progress:
        results = run(cells, output, tuning, points=points, lessons=lessons, progress=progress, say=say)
    print_result(with_paper(results), *parts(results))


def _own_file(names: Sequence[str], dev: Path | None) -> tuple[Path, Path] | None:
    """The user's own files, to train and to judge on; None where all names are tasks'."""
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
    """Each point of the grid: its name, which is also its folder's, and its --set words."""
    axes = []
    for row in grid:
        key, equals, values = row.partition("=")
        if not key or not equals or not values:
            raise UsageError(f"--grid wants key=value,value, not {row!r}; for example --grid training.batch=16,32")
        axes.append([f"{key}={value}" for value in values.split(",")])
    return [(",".join(point), point) for point in product(*axes)]
