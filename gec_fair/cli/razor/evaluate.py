"""`gec-fair razor evaluate`: whether a classifier does without the shortcuts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.keys import keys_option
from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import print_parts, result_options
from gec_fair.cli.options.settings import other_values
from gec_fair.cli.options.unused import refuse
from gec_fair.cli.razor.fields import field_options, fields_of

if TYPE_CHECKING:
    from gec_fair.razor.baselines.methods import Backbone
    from gec_fair.razor.documents.documents import Document


@click.command(short_help="Train a classifier by each method, and judge it")
@click.option(
    "--train",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    metavar="FILE",
    help="Training data; again for more.",
)
@click.option("--test", multiple=True, required=True, metavar="NAME=FILE", help="A test set; again for more.")
@click.option("--rewritten", type=click.Path(path_type=Path), metavar="FILE", help="razor: run's rewritten.jsonl.")
@click.option(
    "--methods",
    metavar="NAMES",
    help="original, eda, crossaug, rew, poe, clever, razor.  [default: what the data allow]",
)
@click.option("--labels", metavar="A,B", help="Documents with other labels are left out.  [default: all]")
@click.option("--claim-only", is_flag=True, help="Train and judge on claims without their evidence.")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Trainings of each method.")
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Train on N documents that the rewriting changed, drawn anew each time (figure 3).",
)
@click.option(
    "--count",
    "terms",
    default="no,not",
    show_default=True,
    metavar="WORDS",
    help="Counted before and after.",
)
@click.option("--negater", metavar="MODEL", help="crossaug: a seq2seq model.  [default: other numbers for numbers]")
@click.option(
    "--backbone",
    default="linear",
    show_default=True,
    metavar="NAME",
    help="linear, or an encoder (folder or hub name).",
)
@click.option("--settings", type=click.Path(path_type=Path), metavar="SETTINGS", help="How an encoder is trained.")
@other_values("lora=0")
@keys_option("gec_fair.razor.baselines.encoder:EncoderTraining")
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="An encoder's trainings; a killed command resumes in it.",
)
@click.option(
    "--looks",
    "looks_per_run",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="How often an encoder is judged while it learns (figure 4).",
)
@field_options
@file_output(endings=(".json",), metavar="FILE", help="Keep the JSON.")
@result_options
def evaluate(
    train: tuple[Path, ...],
    test: tuple[str, ...],
    rewritten: Path | None,
    methods: str | None,
    labels: str | None,
    claim_only: bool,
    seeds: int,
    pairs: int,
    terms: str,
    negater: str | None,
    output: Path | None,
    as_json: bool,
    **arguments: Any,
) -> None:
    """Train a classifier by each method of debiasing, and judge it on every test set (table 1 in form).

    \b
    gec-fair razor evaluate --train train.jsonl --test fever=dev.jsonl --test symmetric=symmetric.jsonl --seeds 5
    gec-fair razor evaluate --train train.jsonl --rewritten new.jsonl --methods original,razor --test dev=dev.jsonl
    gec-fair razor evaluate --train t.jsonl --test d=d.jsonl --backbone M --settings training/razor.yaml --runs out/r
    """
    from gec_fair.extras import require

    require("razor evaluate", "razor", "scipy", "sklearn")
    from gec_fair.errors import UsageError
    from gec_fair.progress import bar
    from gec_fair.razor.baselines.methods import list_applicable
    from gec_fair.razor.documents.documents import read_files
    from gec_fair.razor.evaluation import report
    from gec_fair.razor.evaluation.evaluate import EvaluateOptions, surface
    from gec_fair.razor.evaluation.evaluate import evaluate as evaluating
    from gec_fair.razor.registry import load_negater
    from gec_fair.runs.atomic import write_text

    fields = fields_of(arguments)
    if wrong := [entry for entry in test if not all(entry.partition("="))]:
        raise UsageError(f"--test wants NAME=FILE, not {wrong[0]!r}")
    names = [entry.partition("=")[0] for entry in test]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"--test {twice[0]}: two test sets are called so; give each its own name")
    data = read_files(train, fields, _names(labels))
    tests = {
        name: read_files([Path(path)], fields, _names(labels))
        for name, _, path in (entry.partition("=") for entry in test)
    }
    again = read_files([rewritten], fields, _names(labels)) if rewritten else []
    chosen = _names(methods) if methods is not None else list_applicable(data, again, claim_only=claim_only)
    options = EvaluateOptions(chosen, seeds, claim_only, pairs, tuple(map(str.casefold, _names(terms))))
    if "crossaug" not in options.methods:
        refuse(("negater",), "is for crossaug; name it in --methods")
    backbone = _backbone(tests, claim_only, **arguments)
    surface_ = surface(data, tests, options, again)
    click.echo(report.before(options, surface_), err=True)
    with bar("methods") as progress:
        rows = evaluating(
            data,
            tests,
            options,
            backbone=backbone,
            rewritten=again,
            negater=load_negater(negater) if negater else None,
            progress=progress,
        )
    text = json.dumps(report.as_json(options, surface_, rows), ensure_ascii=False, indent=1)
    if output is not None:
        write_text(output, text + "\n")
    if as_json:
        click.echo(text)
    else:
        print_parts(*report.parts(options, surface_, rows))


def _names(names: str | None) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, (names or "").split(","))))


def _backbone(
    tests: Mapping[str, Sequence[Document]],
    claim_only: bool,
    *,
    backbone: str,
    settings: Path | None,
    changes: tuple[str, ...],
    runs: Path | None,
    looks_per_run: int,
) -> Backbone:
    """UsageError for settings without an encoder, or an encoder without its folder."""
    from gec_fair.cli.options.settings import read_options
    from gec_fair.errors import UsageError
    from gec_fair.extras import require
    from gec_fair.razor.baselines.encoder import Encoder, EncoderTraining
    from gec_fair.razor.baselines.linear import Linear
    from gec_fair.razor.baselines.methods import read
    from gec_fair.razor.evaluation.evaluate import figures_of

    if backbone == "linear":
        refuse(("settings", "changes", "runs", "looks_per_run"), "is for encoders, and the linear one has no settings")
        return Linear()
    if settings is None or runs is None:
        raise UsageError(f"--backbone {backbone} is an encoder; give --settings training/razor.yaml and --runs DIR")
    require("an encoder as backbone", "train", "torch", "transformers")
    options = read_options(settings, EncoderTraining, changes, start=backbone)
    if not looks_per_run:
        return Encoder(options, runs, None)
    from gec_fair.trainer.callbacks import Watch

    sets = {
        name: (read(documents, claim_only=claim_only), [document.label for document in documents])
        for name, documents in tests.items()
    }
    return Encoder(options, runs, Watch(sets, looks_per_run, figures_of))
