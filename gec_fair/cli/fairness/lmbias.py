"""`gec-fair lmbias`: how much a language model prefers stereotypes, how well it knows English, what surprises it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import folder_output, path_argument, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import json_option, print_json, print_parts, print_tables, result_options, rows_of
from gec_fair.cli.options.unused import refuse
from gec_fair.lmbias.options import SuiteOptions, SurprisalOptions
from gec_fair.models.locate import find_model
from gec_fair.progress import Progress, bar

_PAIRS = "minimal pairs"  # BLiMP and its kin, and folders
_KINDS = ("crows", "stereoset", "seat", "holisticbias", "winobias", "bbq", "entity_tracking")
"""Suites that are not minimal pairs."""
_SUITES_OF = (
    (("axes", "holisticbias"), ("holisticbias",)),
    (("pool",), ("seat",)),
    (("scoring",), ("holisticbias", "winobias", "bbq", "entity_tracking", _PAIRS)),
    (("self_debias",), ("crows", "stereoset", "holisticbias", "winobias", "bbq", "entity_tracking", _PAIRS)),
    (("suite_size",), ("holisticbias", "bbq", "entity_tracking", _PAIRS)),
    (("sample",), ("crows", "stereoset", "holisticbias", "winobias", "bbq", "entity_tracking", _PAIRS)),
)
"""Options, and the suites of which they decide anything."""


@click.group(cls=Group)
def lmbias() -> None:
    """Bias suites for language models: CrowS-Pairs, StereoSet, WEAT/SEAT, HolisticBias, BLiMP."""


@lmbias.command(short_help="Score one model on the suites")
@click.option("--model", required=True, metavar="NAME|PATH", help="A masked or causal language model.")
@takes(SuiteOptions)
@file_output(
    endings=(".json",), metavar="FILE", help="Keep the JSON; after a kill the same command resumes with the next suite."
)
@result_options
def run(model: str, options: SuiteOptions, output: Path | None, as_json: bool) -> None:
    """Score a model on the suites and print one table, the paper's figures beside it.

    \b
    gec-fair lmbias run --model roberta-base --suite crows,stereoset
    gec-fair lmbias run --model out/encoder/best --suite-size full -o bias.json
    gec-fair lmbias run --model gpt2 --suite crows,stereoset --self-debias gender
    """
    from gec_fair.extras import require

    _refuse_idle(options.suites, options.sample, options.suite_size)
    require("lmbias", "lm", "torch", "transformers", "scipy")
    find_model(model)
    from gec_fair.lmbias import table
    from gec_fair.lmbias.api import score

    with _bars() as bars:
        results = score(model, **{**vars(options), "output": output, "progress": bars})
    if as_json:
        click.echo(results.json())
        return
    print_parts(*table.parts(results.figures, kind=results.kind), "", results.signature)


@lmbias.command(short_help="Score many models: does bias rise with performance?")
@click.option(
    "--models",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="name, model and group, apart by tabs.  [default: the 25 models of the BabyLM paper]",
)
@click.option(
    "--suite",
    default="crows,stereoset,blimp_fast_babylm,blimp_supplement_fast",
    show_default=True,
    metavar="NAMES",
    help="Apart by commas; the folder of EWoK is one too, where you have it.",
)
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Items of each suite, drawn by seed; 0 is all.",
)
@click.option("--seed", default=0, show_default=True, help="Of the sample.")
@folder_output("The same command resumes in it; models that are judged are not loaded again.")
@result_options
def survey(models: Path | None, suite: str, sample: int, seed: int, output: Path, as_json: bool) -> None:
    """Score many models, and tell whether bias rises with performance (Table 1, figures 2, 8 and 9 of the BabyLM
    paper). A model that cannot be read is reported, and the others go on.

    \b
    gec-fair lmbias survey -o out/survey
    gec-fair lmbias survey --models mine.tsv --suite crows,stereoset,blimp,blimp_supplement,ewok -o out/survey
    """
    from gec_fair.extras import require

    require("lmbias", "lm", "torch", "transformers", "scipy")
    from gec_fair.lmbias import survey as surveys
    from gec_fair.lmbias.suites.catalogue import Options
    from gec_fair.report.page import check

    check()
    papers = surveys.papers() if models is None else surveys.read(models)
    options = Options(suites=tuple(filter(None, suite.split(","))), size="full", sample=sample, seed=seed)
    rows = surveys.run(papers, options, output, say=partial(click.echo, err=True))
    written, tables = surveys.write(rows, output)
    if as_json:
        print_json(rows_of(tables))
        return
    print_tables(tables)
    print_parts(f"{written[0]}  {len(written) - 1} tables and figures beside it")


@lmbias.command(short_help="Print the surprisal of each word of a text")
@click.argument("model")
@path_argument("text", "TEXT")
@takes(SurprisalOptions)
@file_output(
    endings=(".tsv", ".json"),
    metavar="FILE",
    help="Write the table there instead of printing it.",
)
@json_option
def surprisal(model: str, text: Path, options: SurprisalOptions, output: Path | None, as_json: bool) -> None:
    """Print how surprising each word of a text is to a language model, in bits, as a table with tabs between cells. A
    causal model is given the words before it in its line, a masked one all others (pseudo-surprisal).

    \b
    gec-fair lmbias surprisal gpt2 texts.txt -o surprisal.tsv
    gec-fair lmbias surprisal roberta-base texts.txt --unit subword --json
    """
    from gec_fair.extras import require

    require("lmbias surprisal", "lm", "torch", "transformers")
    from gec_fair.lmbias.surprisals import surprisal as measure
    from gec_fair.runs.atomic import write_text

    with bar("surprisal") as progress:
        result = measure(model, text, **{**vars(options), "progress": progress})
    report = result.json() + "\n" if as_json else result.tsv()
    if output is None:
        click.echo(report, nl=False)
    else:
        write_text(output, report)
    click.echo(result.signature, err=True)


def _refuse_idle(suites: Sequence[str], sample: int, size: str) -> None:
    """UsageError for an option that decides nothing of these suites; none at all are another error."""
    suite_kinds = {name if name in _KINDS else _PAIRS for name in suites} or {*_KINDS, _PAIRS}
    for options, suites_of in _SUITES_OF:
        if suite_kinds.isdisjoint(suites_of):
            refuse(options, f"is for {', '.join(suites_of)}; --suite has {', '.join(suites)}")
    if sample and "holisticbias" not in suite_kinds:
        refuse(
            ("suite_size",), "says nothing of minimal pairs with --sample, which draws from all of them; leave one out"
        )
    if (
        not sample
        and "seat" not in suite_kinds
        and (size == "full" or suite_kinds.isdisjoint(("holisticbias", "bbq", "entity_tracking", _PAIRS)))
    ):
        refuse(("seed",), "decides nothing where all items are taken; draw some with --sample, or leave it out")


@contextmanager
def _bars() -> Iterator[Any]:
    """A bar for each suite as it begins; the one before has ended."""
    with ExitStack() as stack:

        def begin(title: str) -> Progress:
            stack.close()
            return stack.enter_context(bar(title))

        yield begin
