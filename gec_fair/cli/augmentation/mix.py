"""`gec-fair mix`: the training data of systems 1–4."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.augmentation.options import MixRunOptions
from gec_fair.cli.options.command import folder_output, path_argument, takes
from gec_fair.cli.options.results import json_option, print_if_json, say


@click.command()
@path_argument("original", "ORIG.tsv[.gz|.zst]")
@takes(MixRunOptions, folder_output("Where the mixes go."), json_option)
def mix(original: Path, output: Path, options: MixRunOptions) -> None:
    """Mix original and augmented pairs into the training data of systems 1-4 (Lund et al. 2023, §4.4).

    \b
    1 = original, 2 = original + ST, 3 = original + MF, 4 = original + MF + ST
    gec-fair mix clang8.tsv --st out/st --mf out/mf --per-kind 50000 --seed 0 -o mix
    """
    from gec_fair.augmentation.mix import mix as make

    mixed = make(original, output, options)
    for warning in mixed.warnings:
        say(f"warning: {warning}")
    if print_if_json({"systems": mixed.systems, "warnings": mixed.warnings}):
        return
    for name, counts in mixed.systems.items():
        kinds = " + ".join(f"{number:,} {kind}" for kind, number in counts.items())
        click.echo(f"{mixed.directory / name / 'train.tsv'}  {kinds}")
