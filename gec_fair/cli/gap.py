"""`gec-fair gap`: does a system serve *they* as well as *he*?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.annotating import annotator, annotator_options
from gec_fair.evaluate.judge import REFERENCES


@click.command()
@click.option(
    "--set",
    "name",
    required=True,
    metavar="NAME|DIR",
    help="bea-195, bea-556, …; or a folder with *_orig.* and *_st_aug.* or *_mf_aug.*.",
)
@click.option(
    "--hyp",
    nargs=2,
    required=True,
    type=click.Path(path_type=Path),
    metavar="ORIG AUG",
    help="The system's outputs for the two sides.",
)
@click.option(
    "--reference",
    type=click.Choice(REFERENCES),
    default="human",
    show_default=True,
    help="The set's own edits, or ERRANT's, extracted anew from the corrected text.",
)
@click.option("--resamples", default=10_000, show_default=True, help="Of the bootstrap.")
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@annotator_options
def gap(
    name: str, hyp: tuple[Path, Path], reference: str, resamples: int, seed: int, english: str, workers: int,
    no_cache: bool, as_json: bool,
) -> None:  # fmt: skip
    """Precision, recall and F0.5 on both sides of a set, their difference, its interval and p-value, and explicit bias.

    \b
    gec-fair gap --set bea-195 --hyp orig.txt aug.txt
    gec-fair gap --set my-set/ --hyp orig.txt aug.txt --json
    """
    from gec_fair.evaluate.evalsets import find
    from gec_fair.evaluate.gap import measure
    from gec_fair.evaluate.judge import ScoreOptions

    options = ScoreOptions(reference=reference)
    found = measure(
        find(name), *hyp, options, annotator(english, workers, no_cache), resamples=resamples, seed=seed
    ).as_json()
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    click.echo("\n".join(_table(found)))


def _table(found: dict[str, Any]) -> list[str]:
    lines = ["| side | TP | FP | FN | P | R | F0.5 |", "| --- |" + " ---: |" * 6]
    for side in ("orig", "aug"):
        row = found[side]
        counts = " | ".join(str(row[name]) for name in ("tp", "fp", "fn"))
        lines.append(f"| {side} | {counts} | " + " | ".join(f"{row[name]:.2f}" for name in ("p", "r", "f0.5")) + " |")
    low, high = found["ci95"]
    told = f"gap {found['delta']:+.2f}  95 % interval [{low:+.2f}, {high:+.2f}]  p = {found['p']:.4f}"
    bias = found["bias"]
    kinds = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in bias["cases"].items() if n) or "none"
    biased = f"explicit bias: {bias['sentences']} sentences ({bias['sentences_without_reflexive']} without reflexives)"
    return [*lines, "", told, f"{biased}; cases: {kinds}", "", found["signature"]]
