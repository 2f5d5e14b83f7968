"""`gec-fair razor explain`: whether words are a shortcut of a classifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.cli.razor.fields import field_options, fields_of
from gec_fair.report.table import Column, Part, Table

if TYPE_CHECKING:
    from gec_fair.razor.evaluation.explain import Examined

_ANSWERS = {True: "yes", False: "no"}
_CRITERIA = (
    Column("criterion", header=""),
    Column("holds", lambda row: _ANSWERS.get(row["holds"]), "", unknown="–"),
    Column("detail", header=""),
)


@click.command(short_help="Check whether words of a document are a classifier's shortcut")
@click.argument("data", type=click.Path(path_type=Path))
@click.argument("document")
@field_options
@click.option(
    "--model", required=True, metavar="NAME", help="The classifier: hf:NAME, sklearn:FILE.skops, command:PROGRAM."
)
@click.option("--part", default="", metavar="A,B", help="The words.  [default: the fewest that are enough]")
@click.option(
    "--attribution",
    type=click.Choice(("attention", "occlusion")),
    help="h of lemma 1.  [default: attention, of hf: models]",
)
@click.option("--rename", multiple=True, metavar="A=B", help="A label of the data as the model calls it.")
@result_options
def explain(
    data: Path,
    document: str,
    model: str,
    part: str,
    attribution: str | None,
    rename: tuple[str, ...],
    as_json: bool,
    **arguments: Any,
) -> None:
    """Check whether words of DOCUMENT (its id) are a shortcut of a classifier (definition 1) and carry its attribution
    (lemma 1).

    \b
    gec-fair razor explain fever_dev.jsonl 35708 --model hf:out/fever --part only
    gec-fair razor explain reviews.jsonl r17 --model sklearn:stars.skops
    """
    from gec_fair.cli.options.command import read_pairs
    from gec_fair.razor.documents import documents
    from gec_fair.razor.evaluation.examine import examine_document

    documents_, left = documents.read(data, fields_of(arguments))
    documents.report_left_out(left)
    words = tuple(filter(None, part.split(",")))
    examined = examine_document(documents_, document, model, words, attribution, read_pairs(rename, "--rename"))
    if as_json:
        print_json(_examined_json(examined))
    else:
        print_parts(*_examined_parts(examined))


def _examined_json(examined: Examined) -> dict[str, Any]:
    return {
        "words": examined.words,
        "part": [examined.words[i] for i in examined.places],
        "label": examined.label,
        "predicted": examined.prediction,
        "predicted_from_part": examined.alone,
        "same": examined.same,
        "wrong": examined.wrong,
        "at_most_half": examined.small,
        "shortcut": examined.is_shortcut,
        "mean_attribution": examined.mean,
        "mean_attribution_of_the_rest": examined.rest,
        "carries": examined.carries,
    }


def _examined_parts(examined: Examined) -> tuple[Part, ...]:
    marked = " ".join(f"*{word}*" if i in examined.places else word for i, word in enumerate(examined.words))
    sides = (
        "–" if examined.mean is None or examined.rest is None else f"{examined.mean:.4g} against {examined.rest:.4g}"
    )
    rows = [
        (
            "the same prediction from the part alone (equation 1)",
            examined.same,
            f"{examined.prediction}, {examined.alone}",
        ),
        (
            "the prediction is wrong (equation 2)",
            examined.wrong,
            f"{examined.prediction}, the label is {examined.label}",
        ),
        ("at most half of the words (equation 3)", examined.small, f"{len(examined.places)} of {len(examined.words)}"),
        ("a shortcut (definition 1)", examined.is_shortcut, ""),
        ("mean attribution at least the rest's (lemma 1)", examined.carries, sides),
    ]
    records = [{"criterion": criterion, "holds": holds, "detail": detail} for criterion, holds, detail in rows]
    return marked, "", Table("criteria", "Is it a shortcut?", records, columns=_CRITERIA)
