"""`gec-fair razor run`: what they read like without that."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.chat import OPTIONS, chat_options, open_asker
from gec_fair.cli.options.results import print_json, print_parts, result_options, rows_of
from gec_fair.cli.options.unused import refuse
from gec_fair.cli.razor.fields import field_options, fields_of
from gec_fair.report.table import Column, Part, Table, right

_PASSES = (
    right("pass"),
    Column("label"),
    right("tried"),
    right("replaced"),
    Column("cosine_before", "{:.6g} → {cosine_after:.6g}", "mean cosine"),
    Column("distance_before", "{:.6g} → {distance_after:.6g}", "squared distance"),
)
_WORDS = (
    Column("label"),
    Column("word", header="word that adds most"),
    right("before", "{:,}", "documents before"),
    right("after", "{:,}"),
)


@click.command(short_help="Rewrite the documents that give their label away")
@click.argument("data", type=click.Path(path_type=Path))
@field_options
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True, help="A folder.")
@click.option("--llm", metavar="MODEL", help="Rewrites and verifies, behind a server that speaks OpenAI's protocol.")
@click.option("--rewriter", metavar="NAME", help="llm:MODEL, or rules, which are embedded.  [default: by --llm]")
@click.option(
    "--verifier", metavar="NAME", help="llm:MODEL, nli:MODEL, a classifier (hf:MODEL, sklearn:FILE.skops, …), or none."
)
@click.option(
    "--fluency",
    metavar="encoder:NAME",
    help="A masked language model drops rewritings whose words are much less likely; extra [lm].",
)
@chat_options
@click.option("--scoring", "mode", default="contrast", show_default=True, metavar="NAME", help="contrast or paper.")
@click.option("--space", default="", metavar="NAME", help="positions, tfidf or encoder:NAME.  [default: by mode]")
@click.option("--dimensions", default=64, show_default=True, metavar="N", help="λ, of positions.")
@click.option(
    "--encoding",
    type=click.Choice(("paper", "standard")),
    default="paper",
    show_default=True,
    help="Of positions: the exponent 2k/λ, or 2⌊k/2⌋/λ.",
)
@click.option("--top", default=50, show_default=True, metavar="N", help="Documents of a label in a pass.")
@click.option(
    "--candidates", type=click.IntRange(1), default=3, show_default=True, metavar="N", help="Rewritings of a document."
)
@click.option("--tries", default=2, show_default=True, metavar="N", help="How often a document is rewritten at most.")
@click.option("--turns", default=100, show_default=True, metavar="N", help="Passes of each label at most.")
@click.option("--patience", default=1, show_default=True, metavar="N", help="Stop after so many turns without gain.")
@click.option(
    "--stop",
    type=click.Choice(("distance", "objective")),
    default="distance",
    show_default=True,
    help="What a turn must gain: less distance of the labels' means, or equation 14.",
)
@click.option("--temperature", type=click.FloatRange(0, 2), default=0.7, show_default=True, help="Of the rewriter.")
@click.option(
    "--top-p", type=click.FloatRange(0, 1, min_open=True), default=0.9, show_default=True, help="Of the rewriter."
)
@click.option("--prompts", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Other prompts.")
@click.option("--dry-run", is_flag=True, help="Ask nothing; say what the first turn would cost.")
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    metavar="N",
    help="Requests on their way at a time.",
)
@click.option("--no-cache", is_flag=True, help="Ask anew, and keep no answers.")
@click.option("--seed", default=0, show_default=True, help="Of the rewriter's draws.")
@result_options
def run(
    data: Path,
    output: Path,
    llm: str | None,
    rewriter: str | None,
    verifier: str | None,
    fluency: str | None,
    base_url: str | None,
    prompts: Path | None,
    price: str | None,
    budget: float | None,
    dry_run: bool,
    at_once: int,
    no_cache: bool,
    as_json: bool,
    **arguments: Any,
) -> None:
    """Rewrite the documents that give their label away, until the labels' surfaces are alike; resumable.

    \b
    gec-fair razor run train.jsonl --llm gpt-4o-mini --price 0.15,0.60 --budget 5 -o out/razor
    gec-fair razor run train.jsonl --rewriter rules --verifier hf:out/fever -o out/razor
    gec-fair razor run train.jsonl --rewriter rules --fluency encoder:bert-base-cased --verifier none -o out/razor
    gec-fair razor run train.jsonl --llm llama3.1 --base-url http://127.0.0.1:11434/v1 -o out/razor
    """
    from gec_fair.extras import require

    require("razor run", "razor", "scipy", "py3langid")
    from gec_fair.errors import UsageError
    from gec_fair.razor.documents import documents
    from gec_fair.razor.registry import is_chat_model, load_rewriter, load_verifier, with_fluency
    from gec_fair.razor.rewriting import run as folder
    from gec_fair.razor.rewriting.chat_model import PROMPTS
    from gec_fair.razor.rewriting.estimate import estimate_first_turn
    from gec_fair.razor.rewriting.loop import RewriteOptions
    from gec_fair.razor.scoring.ranking import ScoreOptions

    first = rewriter or (f"llm:{llm}" if llm else None)
    second = verifier or (f"llm:{llm}" if llm else first if first and is_chat_model(first) else None)
    if first is None:
        raise UsageError("name the model that rewrites with --llm MODEL, or --rewriter rules")
    if second is None:
        raise UsageError(f"--rewriter {first} wants a --verifier: a classifier, nli:MODEL, llm:MODEL, or none")
    if not is_chat_model(first):
        refuse(("candidates", "seed", "temperature", "top_p", "dry_run"), f"is for a model, and {first} is none")
        if not is_chat_model(second):
            refuse((*OPTIONS, "prompts", "at_once", "no_cache"), "is for a model, and there is none")
    if budget is not None and no_cache:
        raise UsageError("--budget with --no-cache would pay for the same pass again and again; leave one of them out")
    fields = fields_of(arguments)
    settings = {name: arguments.pop(name) for name in ("candidates", "temperature", "top_p", "seed")}
    score = ScoreOptions(*(arguments.pop(name) for name in ("mode", "space", "dimensions", "encoding")))
    if score.where != "positions":
        refuse(("dimensions", "encoding"), "is for the space of positions; name it, or --scoring paper")
    options = RewriteOptions(score, **arguments)
    folder_of_prompts = prompts or PROMPTS
    asker = open_asker(base_url, price, budget, table="replies", at_once=at_once, cached=not no_cache)
    documents_, left_out = documents.read(data, fields)
    documents.report_left_out(left_out)
    proposing = load_rewriter(first, asker, folder_of_prompts, **settings)
    if dry_run:
        refuse(("as_json",), "prints tables, and --dry-run has none; leave one of them out")
        click.echo(estimate_first_turn(documents_, options, proposing, judged=is_chat_model(second)))
        return
    proposing = with_fluency(proposing, fluency)
    judging = load_verifier(second, asker, documents_, folder_of_prompts)
    outcome = folder.run(
        documents_,
        output,
        options,
        proposing,
        judging,
        fields=fields,
        left_out=left_out,
        source=data,
        prices=asker.bill.prices,
        progress=_echo_pass,
    )
    if as_json:
        print_json(rows_of(_tables(outcome)))
    else:
        print_parts(*_parts(outcome))


def _echo_pass(one_pass: Any) -> None:
    print(
        f"pass {one_pass.number + 1}, {one_pass.label}: {len(one_pass.replaced)} of {len(one_pass.rows)} replaced, "
        f"distance {one_pass.before['mmd']:.6g} → {one_pass.after['mmd']:.6g}",
        file=sys.stderr,
    )


def _tables(outcome: Any) -> tuple[Table, ...]:
    """What each pass did; the words that added most, before and after."""
    passes = [
        {
            "pass": turn.number + 1,
            "label": turn.label,
            "tried": len(turn.rows),
            "replaced": len(turn.replaced),
            "cosine_before": turn.before["likeness"],
            "cosine_after": turn.after["likeness"],
            "distance_before": turn.before["mmd"],
            "distance_after": turn.after["mmd"],
        }
        for turn in outcome.passes
    ]
    words = [{"label": row.label, "word": row.word, "before": row.before, "after": row.after} for row in outcome.words]
    return (
        Table("passes", "Passes", passes, columns=_PASSES),
        Table("words", "Words that add most", words, columns=_WORDS),
    )


def _parts(outcome: Any) -> tuple[Part, ...]:
    from gec_fair.razor.rewriting.run import counts

    passes, words = _tables(outcome)
    totals = ", ".join(f"{name} {number:,}" for name, number in counts(outcome.passes).items())
    changed = f"{outcome.changed:,} of {outcome.documents:,} documents read otherwise; {outcome.why}"
    return passes, "", words, "", changed, totals, outcome.signature
