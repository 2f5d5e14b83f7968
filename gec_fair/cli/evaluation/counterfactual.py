"""`gec-fair counterfactual`: unequal treatment on any text, without a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.annotator import hyp_text_option
from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.progress import bar
from gec_fair.report.table import Column, Part, Table, right

if TYPE_CHECKING:
    from gec_fair.evaluate.bias.counterfactual import Measured


@click.command()
@click.argument("text", required=False, type=click.Path(path_type=Path))
@click.option("--evalset", "name", metavar="NAME|DIR", help="Instead of TEXT: the twins of an evaluation set.")
@click.option(
    "--system", metavar="[NAME=]SYSTEM", help="identity, symspell, harper, quire, command:PROGRAM, openai:MODEL."
)
@click.option(
    "--hyp",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="ORIG AUG",
    help="With --evalset, instead of --system: the outputs for the two sides.",
)
@click.option(
    "--transform",
    type=click.Choice(("st", "fm", "neo")),
    help="TEXT's rewriting: singular they; the other gender; a neopronoun.  [default: st]",
)
@click.option("--paradigm", metavar="NAME|FORMS", help="neo: xe, ze, fae, …  [default: xe]")
@click.option(
    "--gate",
    type=click.Choice(("coref", "none")),
    help="st, neo: only where the text shows one person, or every he/she.  [default: coref]",
)
@hyp_text_option
@click.option("--show", default=20, show_default=True, help="How many texts with differences to print; -o writes all.")
@file_output(endings=(".jsonl",), metavar="JSONL", help="Every difference, one a line.")
@click.option("--prompt", type=click.Path(path_type=Path), help="openai: a file with other instructions.")
@click.option("--resamples", default=10_000, show_default=True, help="Of the bootstrap.")
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@click.option("--no-cache", is_flag=True, help="Ask the system anew for every text, and keep nothing.")
@result_options
def counterfactual(
    text: Path | None,
    name: str | None,
    system: str | None,
    hyp: tuple[Path, Path] | None,
    transform: Any,
    paradigm: str | None,
    gate: Any,
    hyp_text: Any,
    show: int,
    output: Path | None,
    prompt: Path | None,
    resamples: int,
    seed: int,
    no_cache: bool,
    as_json: bool,
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
    from gec_fair.errors import UsageError
    from gec_fair.runs.atomic import write_text
    from gec_fair.runs.json_files import json_line

    if (text is None) == (name is None):
        raise UsageError("give either TEXT or --evalset, the text or the set to look at")
    if (system is None) == (hyp is None) or (hyp is not None and name is None):
        raise UsageError("give --system, or --evalset with --hyp ORIG AUG")
    if name is not None and (transform or paradigm or gate):
        raise UsageError("--transform, --paradigm and --gate are for TEXT; a set has its rewriting already")
    with bar("texts") as progress:
        result = measure(
            hyp if hyp is not None else load_system(system or "", prompt=prompt),
            text,
            evalset=name,
            transform=transform or "st",
            paradigm=paradigm or "xe",
            gate=gate or "coref",
            tokenise=hyp_text,
            resamples=resamples,
            seed=seed,
            no_cache=no_cache,
            progress=progress,
        )
    report, measured = result.to_dict(), result.measured
    if output is not None:
        rows = report["differences"]
        assert isinstance(rows, list)
        write_text(output, "".join(map(json_line, rows)))
    if as_json:
        print_json(report)
        return
    print_parts(*_parts(measured, show, result.notes))


def _rates(measured: Measured) -> Table:
    records = [
        {"difference": kind, "count": measured.count, "rate": measured.rate.value, **measured.rate.figures()}
        for kind, measured in measured.rates.items()
    ]
    columns = (
        Column("difference"),
        right("count"),
        right("rate", "{:.2f}", f"per 1,000 of {measured.words} swapped words", "–"),
        Column("low", "[{:.2f}, {high:.2f}]", "95 % interval", unknown="–"),
    )
    return Table("rates", "Differences in treatment", records, columns=columns)


def _counts(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {n}" for reason, n in reasons.items())


def _parts(measured: Measured, show: int, notes: Sequence[str]) -> list[Part]:
    from gec_fair.edits import diff
    from gec_fair.edits.explain import explain

    skipped, conflicts = sum(measured.skipped.values()), sum(measured.conflicts.values())
    reasons = Counter(measured.skipped) + Counter(measured.conflicts)
    why = _counts(reasons)
    lines: list[Part] = [
        f"{measured.texts} texts, {len(measured.pairs) + skipped} with something to swap, "
        f"{len(measured.compared)} compared",
        f"left out: {skipped} could not be rewritten, {conflicts} could not be carried{f' ({why})' if why else ''}",
        *([f"left by choice: {_counts(measured.left)}"] if measured.left else []),
        "",
        _rates(measured),
    ]
    different = [pair for pair in measured.compared if pair.differences]
    for pair in different[:show]:
        assert pair.expected is not None
        kinds = (d.bias.name.lower().replace("_", " ") if d.bias else d.kind for d in pair.differences)
        lines += [
            "",
            f"{pair.text.number}  {', '.join(kinds)}",
            f"  system   {' '.join(pair.corrected)}",
            f"  expected {explain(diff(pair.expected, pair.written), pair.expected)}",
        ]
    if len(different) > show:
        lines += ["", f"… and {len(different) - show} more texts; -o FILE writes every difference"]
    return [*lines, *(part for note in notes for part in ("", note)), "", measured.signature]
