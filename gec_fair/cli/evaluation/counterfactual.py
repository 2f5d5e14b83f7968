"""`gec-fair counterfactual`: unequal treatment on any text, without a reference."""

from __future__ import annotations

from pathlib import Path

import click

from gec_fair.cli.options.command import file_output, option, path_argument, path_option, takes
from gec_fair.cli.options.results import print_result, result_options
from gec_fair.errors import UsageError
from gec_fair.evaluate.options import CounterfactualOptions


@click.command()
@path_argument("text", "[TEXT]", required=False)
@option("--system", "[NAME=]SYSTEM", "identity, symspell, harper, quire, command:PROGRAM, openai:MODEL.")
@path_option("--hyp", "ORIG AUG", "With --evalset, instead of --system: the outputs for the two sides.", nargs=2)
@takes(CounterfactualOptions)
@click.option(
    "--show",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="How many texts with differences to print; -o writes all.",
)
@file_output("JSONL", "Every difference, one a line.", endings=(".jsonl",))
@takes(path_option("--prompt", "PATH", "openai: a file with other instructions."), result_options)
def counterfactual(
    text: Path | None,
    system: str | None,
    hyp: tuple[Path, Path] | None,
    options: CounterfactualOptions,
    show: int,
    output: Path | None,
    prompt: Path | None,
) -> None:
    """How a system treats TEXT and its rewriting, one tokenised text a line: differences per 1,000 swapped words.

    What the system made of the original is carried over to the rewriting: that is what it should have written there.
    A difference at a swapped word (or a noun of that person) is explicit, any other implicit.

    \b
    gec-fair counterfactual learner.txt --system symspell
    gec-fair counterfactual learner.txt --system harper --transform fm -o differences.jsonl
    gec-fair counterfactual --evalset they-probe --system identity
    gec-fair counterfactual --evalset bea-195 --hyp orig.txt aug.txt
    """
    from gec_fair.api.counterfactuals import counterfactual as measure
    from gec_fair.api.loading import load_system
    from gec_fair.runs.atomic import write_text
    from gec_fair.runs.json_files import json_line

    if (text is None) == (options.evalset is None):
        raise UsageError("give either TEXT or --evalset, the text or the set to look at")
    if (system is None) == (hyp is None) or (hyp is not None and options.evalset is None):
        raise UsageError("give --system, or --evalset with --hyp ORIG AUG")
    chosen = hyp if hyp is not None else load_system(system or "", prompt=prompt)
    result = measure(chosen, **{**vars(options), "texts": text})
    if output is not None:
        write_text(output, "".join(map(json_line, result.differences)))
    print_result(result.to_dict(), *result.parts(show))
