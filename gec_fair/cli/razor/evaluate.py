"""`gec-fair razor evaluate`: whether a classifier does without the shortcuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import file_output, refuse, takes
from gec_fair.cli.options.results import print_result, result_options, say
from gec_fair.cli.options.settings import keys_option, other_values, read_options
from gec_fair.config.options import part
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.progress import bar
from gec_fair.razor.options import EvaluateOptions, EvaluateRunOptions

if TYPE_CHECKING:
    from gec_fair.razor.baselines.methods import Backbone
    from gec_fair.razor.documents.documents import Document


@click.command(short_help="Train a classifier by each method, and judge it")
@takes(EvaluateRunOptions, other_values("lora=0"), keys_option("gec_fair.razor.baselines.encoder:EncoderTraining"))
@takes(file_output("FILE", "Keep the JSON.", endings=(".json",)), result_options)
def evaluate(options: EvaluateRunOptions, changes: tuple[str, ...], output: Path | None) -> None:
    """Train a classifier by each method of debiasing, and judge it on every test set (table 1 in form).

    \b
    gec-fair razor evaluate --train train.jsonl --test fever=dev.jsonl --test symmetric=symmetric.jsonl --seeds 5
    gec-fair razor evaluate --train train.jsonl --rewritten new.jsonl --methods original,razor --test dev=dev.jsonl
    gec-fair razor evaluate --train t.jsonl --test d=d.jsonl --backbone M --settings training/razor.yaml --runs out/r
    """
    require("razor evaluate", "razor", "scipy", "sklearn")
    from gec_fair.razor.baselines.methods import list_applicable
    from gec_fair.razor.documents.documents import read_files
    from gec_fair.razor.evaluation import evaluate as evaluation
    from gec_fair.razor.evaluation import report
    from gec_fair.razor.registry import load_negater
    from gec_fair.runs.atomic import write_json

    files = _files_by_name(options.test)
    data = read_files(options.train, options, options.labels)
    tests = {name: read_files([file], options, options.labels) for name, file in files.items()}
    again = read_files([options.rewritten], options, options.labels) if options.rewritten else []
    chosen = replace(
        part(options, EvaluateOptions),
        methods=options.methods or list_applicable(data, again, claim_only=options.claim_only),
        terms=tuple(map(str.casefold, options.terms)),
    )
    if "crossaug" not in chosen.methods:
        refuse(("negater",), "is for crossaug; name it in --methods")
    backbone = _backbone(options, changes, tests)
    surface = evaluation.surface(data, tests, chosen, again)
    say(report.before(chosen, surface))
    negater = load_negater(options.negater) if options.negater else None
    with bar("methods") as progress:
        rows = evaluation.evaluate(
            data, tests, chosen, backbone=backbone, rewritten=again, negater=negater, progress=progress
        )
    record = report.as_json(chosen, surface, rows)
    if output is not None:
        write_json(output, record)
    print_result(record, *report.parts(chosen, surface, rows))


def _files_by_name(words: Sequence[str]) -> dict[str, Path]:
    """UsageError for a word without a name, and for a name that comes twice."""
    files: dict[str, Path] = {}
    for word in words:
        name, _, file = word.partition("=")
        if not name or not file:
            raise UsageError(f"--test wants NAME=FILE, not {word!r}")
        if name in files:
            raise UsageError(f"--test {name}: two test sets are called so; give each its own name")
        files[name] = Path(file)
    return files


def _backbone(
    options: EvaluateRunOptions, changes: tuple[str, ...], tests: Mapping[str, Sequence[Document]]
) -> Backbone:
    """UsageError for settings without an encoder, or an encoder without its folder."""
    from gec_fair.razor.baselines.encoder import Encoder, EncoderTraining
    from gec_fair.razor.baselines.linear import Linear
    from gec_fair.razor.baselines.methods import read
    from gec_fair.razor.evaluation.evaluate import figures_of

    if options.backbone == "linear":
        refuse(("settings", "changes", "runs", "looks_per_run"), "is for encoders, and the linear one has no settings")
        return Linear()
    if options.settings is None or options.runs is None:
        raise UsageError(
            f"--backbone {options.backbone} is an encoder; give --settings training/razor.yaml and --runs DIR"
        )
    require("an encoder as backbone", "train", "torch", "transformers")
    training = read_options(options.settings, EncoderTraining, changes, start=options.backbone)
    if not options.looks_per_run:
        return Encoder(training, options.runs, None)
    from gec_fair.trainer.callbacks import Watch

    sets = {
        name: (read(documents, claim_only=options.claim_only), [document.label for document in documents])
        for name, documents in tests.items()
    }
    return Encoder(training, options.runs, Watch(sets, options.looks_per_run, figures_of))
