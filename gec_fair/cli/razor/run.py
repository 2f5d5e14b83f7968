"""`gec-fair razor run`: what they read like without that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gec_fair.cli.options.chat import OPTIONS, chat_options, open_asker
from gec_fair.cli.options.command import folder_output, path_argument, refuse, takes
from gec_fair.cli.options.results import result_options, say, show_result
from gec_fair.config.options import part
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.razor.options import Fields, RewriteOptions, RunOptions


@click.command(short_help="Rewrite the documents that give their label away")
@takes(path_argument("data", "DATA"), RunOptions, chat_options, folder_output("A folder."), result_options)
def run(data: Path, options: RunOptions, output: Path, **chat: Any) -> None:
    """Rewrite the documents that give their label away, until the labels' surfaces are alike; resumable.

    \b
    gec-fair razor run train.jsonl --llm gpt-4o-mini --price 0.15,0.60 --budget 5 -o out/razor
    gec-fair razor run train.jsonl --rewriter rules --verifier hf:out/fever -o out/razor
    gec-fair razor run train.jsonl --llm llama3.1 --base-url http://127.0.0.1:11434/v1 -o out/razor
    """
    require("razor run", "razor", "scipy", "py3langid")
    from gec_fair.razor.documents import documents
    from gec_fair.razor.registry import is_chat_model, load_rewriter, load_verifier
    from gec_fair.razor.rewriting import run as folder
    from gec_fair.razor.rewriting.chat_model import PROMPTS
    from gec_fair.razor.rewriting.estimate import estimate_first_turn

    llm = f"llm:{options.llm}" if options.llm else None
    rewriter = options.rewriter or llm
    verifier = options.verifier or llm or (rewriter if rewriter and is_chat_model(rewriter) else None)
    if rewriter is None:
        raise UsageError("name the model that rewrites with --llm MODEL, or --rewriter rules")
    if verifier is None:
        raise UsageError(f"--rewriter {rewriter} wants a --verifier: a classifier, nli:MODEL, llm:MODEL, or none")
    if not is_chat_model(rewriter):
        refuse(("candidates", "seed", "temperature", "top_p", "dry_run"), f"is for a model, and {rewriter} is none")
        if not is_chat_model(verifier):
            refuse((*OPTIONS, "prompts", "at_once", "no_cache"), "is for a model, and there is none")
    if chat["budget"] is not None and options.no_cache:
        raise UsageError("--budget with --no-cache would pay for the same pass again and again; leave one of them out")
    rewriting, prompts = part(options, RewriteOptions), options.prompts or PROMPTS
    asker = open_asker(**chat, table="replies", at_once=options.at_once, cached=not options.no_cache)
    read, left_out = documents.read(data, options)
    documents.report_left_out(left_out)
    settings = {name: getattr(options, name) for name in ("candidates", "temperature", "top_p", "seed")}
    proposing = load_rewriter(rewriter, asker, prompts, **settings)
    if options.dry_run:
        refuse(("as_json",), "prints tables, and --dry-run has none; leave one of them out")
        click.echo(estimate_first_turn(read, rewriting, proposing, judged=is_chat_model(verifier)))
        return
    outcome = folder.run(
        read,
        output,
        rewriting,
        proposing,
        load_verifier(verifier, asker, read, prompts),
        fields=part(options, Fields),
        left_out=left_out,
        source=data,
        prices=asker.bill.prices,
        progress=_echo_pass,
    )
    show_result(outcome)


def _echo_pass(one_pass: Any) -> None:
    replaced = f"{len(one_pass.replacements)} of {len(one_pass.rows)} replaced"
    distance = f"distance {one_pass.before['mmd']:.6g} → {one_pass.after['mmd']:.6g}"
    say(f"pass {one_pass.number + 1}, {one_pass.label}: {replaced}, {distance}")
