"""`gec-fair augment fm|st|neo INPUT… -o DIR`: a parallel corpus in, a counterfactual one out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.augmentation import method_options, options
from gec_fair.cli.options.finished import tell_complaints, tell_complete
from gec_fair.cli.options.groups import Group
from gec_fair.cli.options.results import json_option, print_json, print_parts, table_option
from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from gec_fair.api.rewriting import Method

_HELP: Mapping[Method, str] = {
    "fm": """Swap feminine and masculine pronouns, nouns and first names (FM-CDA, Lund et al. 2023, §3.1).

    \b
    gec-fair augment fm pairs.tsv -o out/mf
    gec-fair augment fm dev.m2 -o out/mf --names draw --seed 7
    """,
    "st": """Rewrite he and she to singular they where one person is meant (St-CDA, Lund et al. 2023, §3.2).

    \b
    gec-fair augment st pairs.tsv -o out/st --workers 8
    gec-fair augment st train.src train.tgt -o out/st --gate none
    """,
    "neo": """Rewrite he and she to a neopronoun, through the same gate as singular they.

    \b
    gec-fair augment neo pairs.tsv -o out/xe --paradigm xe
    gec-fair augment neo pairs.tsv -o out/own --paradigm thon/thon/thons/thons/thonself
    """,
}
_SUMMARIES = {
    "fm": "Swap feminine and masculine words (FM-CDA)",
    "st": "Rewrite to singular they (St-CDA)",
    "neo": "Rewrite to a neopronoun",
}
_RUN = [
    click.argument("inputs", nargs=-1, required=True, metavar="INPUT…"),
    click.option(
        "-o",
        "--output",
        "out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Where pairs.tsv, ledger.jsonl and manifest.json go.",
    ),
    click.option("--fields", metavar="A,B", help="Names of the source and target columns or fields."),
    click.option(
        "--format",
        "form",
        type=click.Choice(["tsv", "csv", "parallel", "m2", "jsonl", "parquet"]),
        help="Say what the input is, where its name does not.",
    ),
    click.option("--workers", default=1, show_default=True, help="Processes. The bytes are the same for any number."),
    click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help="local: processes here; ray: Ray Data, where gec-fair[ray] is installed.",
    ),
    click.option(
        "--max-words",
        default=10_000,
        show_default=True,
        metavar="N",
        help="A text of more words is not a sentence pair: malformed.",
    ),
    click.option("--chunk", default=512, show_default=True, metavar="N", help="Lines a block; decides only time."),
    click.option("--limit", type=int, metavar="N", help="Stop after N lines."),
    click.option("--strict", "strict_input", is_flag=True, help="Exit 2 at the first malformed line."),
    click.option("--overwrite", is_flag=True, help="Throw away what lies in DIR."),
    click.option("--reannotate", is_flag=True, help="M2: extract the edits anew with ERRANT, as the paper did."),
    click.option(
        "--explain",
        "explained",
        is_flag=True,
        help="Show the first rewritten, left or discarded pairs in full; write nothing.",
    ),
    table_option,
    json_option,
]


_EXPLAINED = 5  # pairs that --explain shows


@click.group(cls=Group)
def augment() -> None:
    """Augment parallel GEC data: source/target-consistent rewritings, with an account of every line."""


def _command(method: Method) -> click.Command:
    def invoke(**arguments: Any) -> None:
        _run(method, arguments)

    decorated = method_options(method, pairs=True)(invoke)
    for option in reversed(_RUN):
        decorated = option(decorated)
    return click.command(method, help=_HELP[method], short_help=_SUMMARIES[method])(decorated)


def _run(method: Method, arguments: dict[str, Any]) -> None:
    inputs, out, explained, as_json = (arguments.pop(name) for name in ("inputs", "out", "explained", "as_json"))
    fields = arguments.pop("fields")
    arguments["fields"] = tuple(fields.split(",")) if fields else None
    arguments["format"], arguments["strict"] = arguments.pop("form"), arguments.pop("strict_input")
    if explained:
        _explain(method, inputs, arguments)
        return
    if out is None:
        raise UsageError("--output DIR is missing: where the pairs, the ledger and the manifest go")
    from gec_fair.api.augmenting import augment_corpus

    finished = augment_corpus(inputs, out, method, **arguments)
    if as_json:
        print_json(finished.manifest.as_json())
        return
    tell_complete(finished)
    from gec_fair.augmentation.summary import parts

    print_parts(*parts(finished.manifest, finished.directory))
    tell_complaints(finished)


def _explain(method: Method, inputs: Sequence[str], arguments: dict[str, Any]) -> None:
    from gec_fair.augmentation.run import examples
    from gec_fair.corpus.formats.readers import Reading

    reading = Reading(**{name: arguments[name] for name in ("fields", "format", "limit", "max_words")})
    for text in examples(inputs, options(method, arguments), reading, number=_EXPLAINED):
        click.echo(text)


for _method in _HELP:
    augment.add_command(_command(_method))
