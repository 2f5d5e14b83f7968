"""`gec-fair razor evaluate`: does a classifier do without?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.idle import refuse
from gec_fair.cli.keys import keys_option
from gec_fair.cli.output import file_output
from gec_fair.cli.razor.fields import field_options, fields_of
from gec_fair.cli.settings import other_values

if TYPE_CHECKING:
    from gec_fair.razor.methods import Backbone


@click.command()
@click.option("--train", type=click.Path(path_type=Path), multiple=True, required=True, metavar="FILE",
              help="Training data; again for more.")  # fmt: skip
@click.option("--test", multiple=True, required=True, metavar="NAME=FILE", help="A test set; again for more.")
@click.option("--rewritten", type=click.Path(path_type=Path), metavar="FILE", help="razor: run's rewritten.jsonl.")
@click.option("--methods", default="original,eda,crossaug,rew,poe,clever", show_default=True, metavar="NAMES",
              help="Apart by commas; razor too, with --rewritten.")  # fmt: skip
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
@click.option("--backbone", default="linear", show_default=True, metavar="NAME",
              help="linear, or an encoder (folder or hub name).")  # fmt: skip
@click.option("--settings", type=click.Path(path_type=Path), metavar="FILE.yaml", help="How an encoder is trained.")
@other_values("lora=0")
@keys_option("gec_fair.razor.fine_tuned:EncoderTraining")
@click.option("--runs", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="An encoder's trainings; a killed command goes on in it.")  # fmt: skip
@field_options
@file_output(metavar="FILE", help="Keep the JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(
    train: tuple[Path, ...], test: tuple[str, ...], rewritten: Path | None, methods: str, labels: str | None,
    claim_only: bool, seeds: int, pairs: int, backbone: str, settings: Path | None, changes: tuple[str, ...],
    runs: Path | None, output: Path | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Train a classifier by each method of debiasing, and judge it on every test set (table 1 in form).

    \b
    gec-fair razor evaluate --train train.jsonl --test fever=dev.jsonl --test symmetric=symmetric.jsonl --seeds 5
    gec-fair razor evaluate --train train.jsonl --rewritten new.jsonl --methods original,razor --test dev=dev.jsonl
    gec-fair razor evaluate --train t.jsonl --test d=d.jsonl --backbone M --settings training/razor.yaml --runs out/r
    """
    from gec_fair.corpus.atomic import write_text
    from gec_fair.errors import UsageError
    from gec_fair.extras import require
    from gec_fair.progress import bar
    from gec_fair.razor import evaluate as evaluating
    from gec_fair.razor.joined import data_of

    require("razor evaluate", "razor", "scipy", "sklearn")
    trained = _backbone(backbone, settings, changes, runs)
    fields = fields_of(given)
    kept = tuple(filter(None, (labels or "").split(",")))
    if wrong := [each for each in test if not all(each.partition("="))]:
        raise UsageError(f"--test wants NAME=FILE, not {wrong[0]!r}")
    data = data_of(train, fields, kept)
    tests = {name: data_of([Path(path)], fields, kept) for name, _, path in (each.partition("=") for each in test)}
    again = data_of([rewritten], fields, kept) if rewritten else []
    with bar("methods") as progress:
        rows = evaluating.evaluate(data, tests, tuple(filter(None, methods.split(","))), rewritten=again, seeds=seeds,
                                   claim_only=claim_only, pairs=pairs, backbone=trained,
                                   progress=progress)  # fmt: skip
    versions = {"original": data, **({"razor": again} if again else {})}
    told = {
        "rows": evaluating.as_json(rows), "train": len(data), "seeds": seeds, "claim_only": claim_only, "pairs": pairs,
        "negations": {name: evaluating.negations(some) for name, some in versions.items()},
        "repeated": {of: {name: evaluating.repeated(some, each) for name, some in versions.items()}
                     for of, each in tests.items()},
    }  # fmt: skip
    if output is not None:
        write_text(output, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    click.echo(json.dumps(told, ensure_ascii=False, indent=1) if as_json else _evaluated(told))


def _backbone(name: str, settings: Path | None, changes: tuple[str, ...], runs: Path | None) -> Backbone:
    """UsageError for settings without an encoder, or an encoder without its folder."""
    from gec_fair.cli.settings import read_options
    from gec_fair.errors import UsageError
    from gec_fair.extras import require
    from gec_fair.razor.fine_tuned import Encoder, EncoderTraining
    from gec_fair.razor.linear import Linear

    if name == "linear":
        refuse(("settings", "changes", "runs"), "is for encoders, and the linear one has no settings")
        return Linear()
    if settings is None or runs is None:
        raise UsageError(f"--backbone {name} is an encoder; give --settings training/razor.yaml and --runs DIR")
    require("an encoder as backbone", "train", "torch", "transformers")
    return Encoder(read_options(settings, EncoderTraining, changes, start=name), runs)


def _evaluated(told: dict[str, Any]) -> str:
    lines = ["| method | test set | examples | accuracy | 95 % interval | F1 |",
             "| --- | --- | ---: | ---: | --- | ---: |"]  # fmt: skip
    for row in told["rows"]:
        accuracy, f1 = (f"{row[name]:.2f}" + ("" if row[f"{name}_sd"] is None else f" ± {row[f'{name}_sd']:.2f}")
                        for name in ("accuracy", "f1"))  # fmt: skip
        lines.append(f"| {row['method']} | {row['test']} | {row['examples']:,} | {accuracy} | "
                     f"[{row['low']:.2f}, {row['high']:.2f}] | {f1} |")  # fmt: skip
    of = f"{told['pairs']:,} that were rewritten of " if told["pairs"] else ""
    lines += ["", f"{of}{told['train']:,} training documents, {told['seeds']} trainings of each; ± is the standard "
              "deviation over trainings, the interval is over test examples", ""]  # fmt: skip
    for name, shares in told["negations"].items():
        shown = ", ".join(f"{label} {share:.1f} %" for label, share in shares.items())
        lines.append(f"no, not in claims, {name}: {shown}")
    for name, shares in told["repeated"].items():
        shown = ", ".join(f"{of} {share:.1f} %" for of, share in shares.items())
        lines.append(f"claims of {name} that have five words in a row in common with a training claim: {shown}")
    return "\n".join(lines)
