"""`gec-fair lmbias`: how much a language model prefers stereotypes, how well it knows English, what surprises it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.command import file_output, folder_output, option, path_argument, refuse, takes
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_report, result_options, say, show_result, wants_json
from gec_fair.extras import require
from gec_fair.lmbias.options import SuiteOptions, Suites, SurprisalOptions, SurveyOptions
from gec_fair.models.locate import find_model
from gec_fair.progress import Progress, bar

lmbias = Group(help="Bias suites for language models: CrowS-Pairs, StereoSet, WEAT/SEAT, HolisticBias, BLiMP.")


@lmbias.command(short_help="Score one model on the suites")
@takes(option("--model", "NAME|PATH", "A masked or causal language model.", required=True), SuiteOptions)
@file_output("FILE", "Keep the JSON; after a kill the same command resumes with the next suite.", endings=(".json",))
@result_options
def run(model: str, options: SuiteOptions, output: Path | None) -> None:
    """Score a model on the suites and print one table, the paper's figures beside it.

    \b
    gec-fair lmbias run --model roberta-base --suite crows,stereoset
    gec-fair lmbias run --model out/encoder/best --size full -o bias.json
    gec-fair lmbias run --model gpt2 --suite crows,stereoset --self-debias gender
    """
    require("lmbias", "lm", "torch", "transformers", "scipy")
    _refuse_idle(options.suites, options.sample, options.size)
    find_model(model)
    from gec_fair.lmbias.api import score

    with _bars() as bars:
        results = score(model, **{**vars(options), "output": output, "progress": bars})
    show_result(results)


@lmbias.command(short_help="Score many models: does bias rise with performance?")
@takes(SurveyOptions, folder_output("The same command resumes in it; models that are judged are not loaded again."))
@result_options
def survey(options: SurveyOptions, output: Path) -> None:
    """Score many models, and tell whether bias rises with performance (Table 1, figures 2, 8 and 9 of the BabyLM
    paper). A model that cannot be read is reported, and the others go on.

    \b
    gec-fair lmbias survey -o out/survey
    gec-fair lmbias survey --models mine.tsv --suite crows,stereoset,blimp,blimp_supplement,ewok -o out/survey
    """
    require("lmbias", "lm", "torch", "transformers", "scipy")
    from gec_fair.lmbias import survey as surveys
    from gec_fair.report.page import check

    check()
    papers = surveys.papers() if options.models is None else surveys.read(options.models)
    suites = Suites(suites=tuple(options.suites), size="full", sample=options.sample, seed=options.seed)
    rows = surveys.run(papers, suites, output, say=say)
    written, tables = surveys.write(rows, output)
    print_report(tables, written)


@lmbias.command(short_help="Print the surprisal of each word of a text")
@takes(click.argument("model"), path_argument("text", "TEXT"), SurprisalOptions)
@takes(file_output("FILE", "Write the table there instead of printing it.", endings=(".tsv", ".json")), json_option)
def surprisal(model: str, text: Path, options: SurprisalOptions, output: Path | None) -> None:
    """Print how surprising each word of a text is to a language model, in bits, as a table with tabs between cells. A
    causal model is given the words before it in its line, a masked one all others (pseudo-surprisal).

    \b
    gec-fair lmbias surprisal gpt2 texts.txt -o surprisal.tsv
    gec-fair lmbias surprisal roberta-base texts.txt --unit subword --json
    """
    require("lmbias surprisal", "lm", "torch", "transformers")
    from gec_fair.lmbias.surprisals import surprisal as measure
    from gec_fair.runs.atomic import write_text

    with bar("surprisal") as progress:
        result = measure(model, text, **{**vars(options), "progress": progress})
    is_json = wants_json() or (output is not None and output.suffix.lower() == ".json")
    report = result.json() + "\n" if is_json else result.tsv()
    if output is None:
        click.echo(report, nl=False)
    else:
        write_text(output, report)
    say(result.signature)


def _refuse_idle(suites: Sequence[str], sample: int, size: str) -> None:
    """UsageError for an option that decides nothing of these suites; none at all are another error."""
    from gec_fair.lmbias.suites.catalogue import kind_of, list_takers

    takers = list_takers()
    chosen = set(map(kind_of, suites))
    for name, kinds in takers.items():
        if chosen and chosen.isdisjoint(kinds):
            refuse((name,), f"is for {', '.join(kinds)}; --suite has {', '.join(suites)}")
    if sample and chosen and "holisticbias" not in chosen:
        refuse(("size",), "says nothing of minimal pairs with --sample, which draws from all of them; leave one out")
    if not sample and chosen and "seat" not in chosen and (size == "full" or chosen.isdisjoint(takers["size"])):
        refuse(("seed",), "decides nothing where all items are taken; draw some with --sample, or leave it out")


@contextmanager
def _bars() -> Iterator[Any]:
    """A bar for each suite as it begins; the one before has ended."""
    with ExitStack() as stack:

        def begin(title: str) -> Progress:
            stack.close()
            return stack.enter_context(bar(title))

        yield begin
