"""`gec-fair gap`: whether a system serves *they* as well as *he*."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import option, path_option, takes
from gec_fair.cli.options.results import result_options, say, show_result
from gec_fair.errors import UsageError
from gec_fair.evaluate.options import GapOptions


@click.command()
@option(
    "--evalset",
    "NAME|DIR",
    "bea-195, bea-556, …; or a folder with *_orig.* and *_st_aug.*, *_mf_aug.* or *_neo_aug.*.",
    required=True,
)
@path_option(
    "--hyp outputs",
    "ORIG AUG",
    "The system's outputs for the two sides: texts, M2, or tables with the columns hypothesis and source; again "
    "for each further seed.",
    nargs=2,
    multiple=True,
)
@option("--system", "[NAME=]SYSTEM", "Instead of --hyp: run symspell, harper, gector:FOLDER, command:PROGRAM, …")
@takes(GapOptions, result_options)
def gap(evalset: str, outputs: tuple[tuple[Path, Path], ...], system: str | None, options: GapOptions) -> None:
    """Precision, recall and F0.5 on both sides of a set, their difference, its interval and p-value, and explicit bias.

    \b
    gec-fair gap --evalset they-probe --system symspell
    gec-fair gap --evalset bea-195 --hyp orig.txt aug.txt
    gec-fair gap --evalset my-set/ --hyp orig.txt aug.txt --json
    gec-fair gap --evalset they-probe --system "command-prose:python my_model.py"
    """
    from gec_fair.api.gaps import gap as measure
    from gec_fair.evaluate.evalsets.catalogue import read_known

    if bool(outputs) == (system is not None):
        raise UsageError("give --system NAME, or its outputs with --hyp ORIG AUG")
    measured = measure(system if system is not None else list(outputs), evalset, **vars(options))
    if read_known().get(evalset, {}).get("development"):
        say(f"note: {evalset} is for development only, not for reporting")
    show_result(measured)
