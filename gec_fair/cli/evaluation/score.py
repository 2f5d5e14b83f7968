"""`gec-fair score`: precision, recall and F0.5 of one system on one reference."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.command import takes
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.evaluate.options import ScoringOptions
from gec_fair.report.table import Column, Part, Record, Table, right

if TYPE_CHECKING:
    from gec_fair.api.scoring import Scores
    from gec_fair.evaluate.scoring.systems import Output
    from gec_fair.stats.estimate import Estimate

_NO_MEAN = (
    "these outputs are of different systems, so they have no mean; give the seeds of one system one name: "
    "--hyp NAME=FILE --hyp NAME=FILE"
)


@click.command()
@click.option(
    "--hyp",
    "hypotheses",
    required=True,
    multiple=True,
    metavar="[NAME=]FILE",
    help="Corrected texts, a table, or M2; again for more outputs. Files under one NAME are seeds of one system.",
)
@click.option(
    "--ref",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="M2 with the annotators' edits; corrected texts, one a line (with --src); or CSV, TSV or JSONL with both.",
)
@takes(ScoringOptions)
@result_options
def score(hypotheses: tuple[str, ...], ref: Path, options: ScoringOptions, as_json: bool) -> None:
    """Score corrected texts with ERRANT: precision, recall, F0.5, equal to errant_compare to the digit.

    Several outputs are annotated together: what they share costs nothing twice. The seeds of one system are averaged:
    files with the same NAME, or files whose paths differ only in a folder that is a number (runs/gector/0/out.txt,
    runs/gector/1/out.txt). Other files are different systems; they are not averaged, but compared with the first.
    Intervals and p-values are those of a paired bootstrap over sentences.

    \b
    gec-fair score --hyp system.txt --ref corrected.txt --src learner.txt
    gec-fair score --hyp system.txt --ref bea-dev.m2
    gec-fair score --hyp system.txt --ref bea-dev.m2 --cat 2 --also gleu --workers 2
    gec-fair score --hyp outputs.csv --ref outputs.csv --fields source,corrected
    gec-fair score --hyp gector=seed0.txt --hyp gector=seed1.txt --hyp bart=bart.txt --ref bea-dev.m2
    """
    from gec_fair.api.scoring import differences_table
    from gec_fair.api.scoring import score as measure_outputs
    from gec_fair.evaluate.scoring.systems import average, parse_output, seeds_of_systems

    outputs = [parse_output(text) for text in hypotheses]
    systems = seeds_of_systems(outputs)
    paths = {str(number): output.path for number, output in enumerate(outputs)}
    scores = measure_outputs(paths, ref, **vars(options))
    reports = [one.to_dict() for one in scores.values()]
    names = _names(outputs)
    columns = ("precision", "recall", f"f{options.beta:g}", *sorted(options.also, reverse=True))
    averages = {system: average([reports[seed] for seed in seeds], columns) for system, seeds in systems.items()}
    files = {system: [str(outputs[seed].path) for seed in seeds] for system, seeds in systems.items()}
    labels = [output.system if output.is_named else name for output, name in zip(outputs, names, strict=True)]
    alone = {labels[n]: [n] for n, output in enumerate(outputs) if output.system not in systems}
    differences = _differences(scores, {**systems, **alone})
    if len(outputs) > 1 and not systems:
        click.echo(f"note: {_NO_MEAN}", err=True)
    if as_json:
        rows = [
            {"hyp": output.path.name, **_system(output, files), **report, **_difference_json(differences, label)}
            for output, label, report in zip(outputs, labels, reports, strict=True)
        ]
        means = [
            {**_mean_json(system, files[system], figures), **_difference_json(differences, system)}
            for system, figures in averages.items()
        ]
        print_json([*rows, *means])
        return
    if len(reports) == 1:
        print_parts(_table("edits", {"all": reports[0], **reports[0].get("types", {})}, columns))
    else:
        means = [_mean(system, figures) for system, figures in averages.items()]
        parts: list[Part] = [_table("output", dict(zip(names, reports, strict=True)), columns, means)]
        if differences:
            parts += ["", differences_table(differences, options.beta)]
        for system in systems:
            parts += ["", f"seeds of {system}: {', '.join(files[system])}"]
        for name, report in zip(names, reports, strict=True) if options.cat else ():
            parts += ["", _table(name, report["types"], columns)]
        print_parts(*parts)
    if any(map(_ends, reports)):
        print_parts("", f"95 % interval of F{options.beta:g}: bootstrap over sentences")
    for name, one in zip(names, scores.values(), strict=True):
        for note in one.notes:
            print_parts("", note if len(outputs) == 1 else f"{name}: {note}")
    print_parts("", *dict.fromkeys(one.signature for one in scores.values()))


def _table(
    title: str, rows: Mapping[str, Mapping[str, Any]], columns: Sequence[str], mean: Sequence[Record] = ()
) -> Table:
    """Rows of figures, and their mean below."""
    headers = {"precision": "P", "recall": "R", "gleu": "GLEU", "chrf": "chrF"}
    counts = ("tp", "fp", "fn")

    def figure(key: str) -> Column:
        return right(key, (f"{{:.2f}} ± {{{key} two_sd:.2f}}", "{:.2f}"), headers.get(key, key.upper()))

    records = [
        {"name": name, **{key: row[key] for key in counts}, **{key: row.get(key) for key in columns}, **_ends(row)}
        for name, row in rows.items()
    ]
    measures, others = columns[:3], columns[3:]
    cells = (
        Column("name", header=title),
        *(right(key, header=key.upper()) for key in counts),
        *map(figure, measures),
        *([right("low", "[{:.2f}, {high:.2f}]", "95 % interval")] if any("low" in row for row in records) else ()),
        *map(figure, others),
    )
    return Table("scores", title, [*records, *mean], columns=cells)


def _ends(report: Mapping[str, Any]) -> Record:
    """The ends of the interval of F, where there is one."""
    *_, (low, high) = report["ci95"].values() if "ci95" in report else ((None, None),)
    return {} if low is None else {"low": low, "high": high}


def _differences(scores: Scores, systems: Mapping[str, Sequence[int]]) -> list[Record]:
    """F of every system minus F of that which was given first; `systems`: the places of their outputs."""
    (first, seeds), *others = sorted(systems.items(), key=lambda system: system[1][0])
    return [
        {"system": name, "minus": first, **scores.difference([*map(str, seeds)], [*map(str, places)])}
        for name, places in others
    ]


def _difference_json(differences: Sequence[Record], system: str) -> Record:
    """The difference of a system, for its row."""
    return next(({"difference": record} for record in differences if record["system"] == system), {})


def _mean(system: str, figures: Mapping[str, Estimate]) -> Record:
    """The row of a system."""
    seeds = next(iter(figures.values())).n
    record: Record = {"name": f"{system}: mean ± 2 s.d. over {seeds} seeds"}
    for column, figure in figures.items():
        record |= {column: figure.value, f"{column} two_sd": figure.half}
    return record


def _mean_json(system: str, files: Sequence[str], figures: Mapping[str, Estimate]) -> dict[str, object]:
    """The same for machines: which files were averaged, and every figure with its interval and kind."""
    means = {name: figure.as_json() for name, figure in figures.items()}
    return {"system": system, "averaged": list(files), **means}


def _system(output: Output, averaged: Collection[str]) -> dict[str, str]:
    """The system of an output that has a name or is averaged; others are systems of one file."""
    return {"system": output.system} if output.is_named or output.system in averaged else {}


def _names(outputs: Sequence[Output]) -> list[str]:
    """Each output by its file name, by its whole path where two have the same; behind the name of its system."""
    names = [output.path.name for output in outputs]
    if len(set(names)) < len(names):
        names = [str(output.path) for output in outputs]
    return [
        f"{output.system}: {name}" if output.is_named else name for output, name in zip(outputs, names, strict=True)
    ]
