"""`gec-fair mix`: the training data of systems 1–4."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("original", type=click.Path(path_type=Path), metavar="ORIG.tsv[.gz|.zst]")
@click.option("--st", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A run of augment st.")
@click.option("--mf", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A run of augment fm.")
@click.option("--per-kind", default=50_000, show_default=True, help="Augmented pairs drawn from each run.")
@click.option("--seed", default=0, show_default=True, help="Decides the draw and the order of the lines.")
@click.option(
    "-o", "--output", "out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the mixes go."
)
@click.option("--strict", is_flag=True, help="Exit 2 at a malformed line instead of leaving it out.")
@click.option("--overwrite", is_flag=True, help="Throw away another mix that lies in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print counts as JSON.")
def mix(
    original: Path,
    st: Path,
    mf: Path,
    per_kind: int,
    seed: int,
    out: Path,
    strict: bool,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Mix original and augmented pairs into the training data of systems 1-4 (Lund et al. 2023, §4.4).

    \b
    1 = original, 2 = original + ST, 3 = original + MF, 4 = original + MF + ST
    gec-fair mix clang8.tsv --st out/st --mf out/mf --per-kind 50000 --seed 0 -o mix
    """
    from gec_fair.augmentation.mix import MixOptions
    from gec_fair.augmentation.mix import mix as make

    manifest = make(original, st, mf, out, MixOptions(per_kind, seed), overwrite=overwrite, strict=strict)
    for warning in manifest.warnings:
        click.echo(f"warning: {warning}", err=True)
    if as_json:
        click.echo(json.dumps({"systems": manifest.systems, "warnings": manifest.warnings}))
        return
    for name, counts in manifest.systems.items():
        kinds = " + ".join(f"{number:,} {kind}" for kind, number in counts.items())
        click.echo(f"{manifest.directory / name / 'train.tsv'}  {kinds}")
