"""`gec-fair mix`: the training data of systems 1–4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.results import json_option, print_json


@click.command()
@click.argument("original", type=click.Path(path_type=Path), metavar="ORIG.tsv[.gz|.zst]")
@click.option("--st", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A run of augment st.")
@click.option("--mf", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A run of augment fm.")
@click.option("--per-kind", default=50_000, show_default=True, help="Augmented pairs drawn from each run.")
@click.option("--seed", default=0, show_default=True, help="Decides the draw and the order of the lines.")
@click.option(
    "--surest",
    is_flag=True,
    help="Take the surest pairs of each run, by kind of change, in place of a random sample.",
)
@click.option(
    "-o", "--output", "out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the mixes go."
)
@click.option("--strict", is_flag=True, help="Exit 2 at a malformed line instead of leaving it out.")
@click.option("--overwrite", is_flag=True, help="Throw away another mix that lies in DIR.")
@json_option
def mix(
    original: Path,
    st: Path,
    mf: Path,
    out: Path,
    as_json: bool,
    **options: Any,
) -> None:
    """Mix original and augmented pairs into the training data of systems 1-4 (Lund et al. 2023, §4.4).

    \b
    1 = original, 2 = original + ST, 3 = original + MF, 4 = original + MF + ST
    gec-fair mix clang8.tsv --st out/st --mf out/mf --per-kind 50000 --seed 0 -o mix
    """
    import gec_fair as gf

    mixed = gf.mix(original, out, st=st, mf=mf, **options)
    for warning in mixed.warnings:
        click.echo(f"warning: {warning}", err=True)
    if as_json:
        print_json({"systems": mixed.systems, "warnings": mixed.warnings})
        return
    for name, counts in mixed.systems.items():
        kinds = " + ".join(f"{number:,} {kind}" for kind, number in counts.items())
        click.echo(f"{mixed.directory / name / 'train.tsv'}  {kinds}")
