"""`gec-fair gap`: whether a system serves *they* as well as *he*."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import takes
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.evaluate.options import GapOptions
from gec_fair.report.table import Column, Part, Table, right
from gec_fair.stats.estimate import Kind, describe_ends

_SPREAD = Kind.TWO_SD.note


@click.command()
@click.option(
    "--evalset",
    required=True,
    metavar="NAME|DIR",
    help="bea-195, bea-556, …; or a folder with *_orig.* and *_st_aug.* or *_mf_aug.*.",
)
@click.option(
    "--hyp",
    "outputs",
    nargs=2,
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="ORIG AUG",
    help="The system's outputs for the two sides: texts, M2, or tables with the columns hypothesis and source; again "
    "for each further seed.",
)
@click.option(
    "--system",
    metavar="[NAME=]SYSTEM",
    help="Instead of --hyp: run symspell, harper, gector:FOLDER, command:PROGRAM, …",
)
@takes(GapOptions)
@result_options
def gap(
    evalset: str, outputs: tuple[tuple[Path, Path], ...], system: str | None, options: GapOptions, as_json: bool
) -> None:
    """Precision, recall and F0.5 on both sides of a set, their difference, its interval and p-value, and explicit bias.

    \b
    gec-fair gap --evalset they-probe --system symspell
    gec-fair gap --evalset bea-195 --hyp orig.txt aug.txt
    gec-fair gap --evalset my-set/ --hyp orig.txt aug.txt --json
    gec-fair gap --evalset they-probe --system "command-prose:python my_model.py"
    """
    from gec_fair.api.gaps import gap as measure
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.evalsets.catalogue import read_known

    if bool(outputs) == (system is not None):
        raise UsageError("give --system NAME, or its outputs with --hyp ORIG AUG")
    measured = measure(system if system is not None else list(outputs), evalset, **vars(options))
    results = measured.to_dict()
    if read_known().get(evalset, {}).get("development"):
        click.echo(f"note: {evalset} is for development only, not for reporting", err=True)
    if as_json:
        print_json(results)
        return
    print_parts(*_parts(results, measured.notes))


def _parts(results: dict[str, Any], notes: Sequence[str]) -> list[Part]:
    lines: list[Part] = [_sides(results)]
    for note in notes:
        lines += ["", note]
    if results["delta"] is not None:
        lines += _gap(results)
    twins, bias = results["twins"], results["bias"]
    sides = f"{twins['orig']} on the original side alone, {twins['aug']} on the augmented side alone"
    lines += [""] if results["delta"] is None else []
    mcnemar = "too few for a test" if twins["p"] is None else f"McNemar p = {twins['p']:.4f}"
    lines.append(f"twins: {twins['both']} of {twins['twins']} found on both sides, {sides}, {mcnemar}")
    kinds = (f"{name.replace('_', ' ')} {n}" for name, n in bias["cases"].items() if name != "two_sd" and n)
    lines.append(
        f"explicit bias: {bias['sentences']} sentences ({bias['sentences_without_reflexive']} without reflexives); "
        f"cases: {', '.join(kinds) or 'none'}"
    )
    for case in results["biased"]:
        seed = f"seed {case['seed']}, " if results["seeds"] > 1 else ""
        kind = case["kind"].replace("_", " ")
        lines.append(f"  {seed}sentence {case['sentence']}: {kind}  {case['old']} → {case['new'] or '(nothing)'}")
    return [*lines, "", results["signature"]]


def _gap(results: dict[str, Any]) -> list[Part]:
    """The gap, and over parts of the pairs."""
    spread = f" ± {results['two_sd']:.2f} (2 s.d. over {results['seeds']} seeds)" if "two_sd" in results else ""
    lines: list[Part] = ["", _SPREAD] if spread else []
    name = "" if results["ci95"][0] is None else "95 % interval "
    p = "" if results["p"] is None else f"  p = {results['p']:.4f}"
    ends = describe_ends(results["ci95"], results["p"])
    lines += ["", f"gap {results['delta']:+.2f}{spread}  {name}{ends}{p}"]
    for split in results["splits"]:
        ends = describe_ends(split["ci95"], split["p"])
        delta = "     –" if split["delta"] is None else f"{split['delta']:+6.2f} {ends}"
        lines.append(f"  {split['name']:22} {split['pairs']:5} pairs  {delta}")
    return lines


def _sides(results: dict[str, Any]) -> Table:
    """Both sides of a set; ± is 2 s.d. over seeds."""
    scores = ("p", "r", "f0.5")
    records = []
    for side in ("orig", "aug"):
        row = results[side]
        spread = {f"{key} two_sd": row["two_sd"][key] for key in scores} if "two_sd" in row else {}
        records.append({"side": side, **{key: row[key] for key in ("tp", "fp", "fn", *scores)}, **spread})
    columns = (
        Column("side"),
        *(right(key, header=key.upper()) for key in ("tp", "fp", "fn")),
        *(right(key, (f"{{:.2f}} ± {{{key} two_sd:.2f}}", "{:.2f}"), key.upper(), unknown="–") for key in scores),
    )
    return Table("sides", "Both sides", records, columns=columns)
