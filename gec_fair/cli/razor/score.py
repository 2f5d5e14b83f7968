"""`gec-fair razor score`: which documents, and words, give their label away."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.output import file_output
from gec_fair.cli.options.results import print_json, print_parts, result_options
from gec_fair.cli.options.unused import refuse
from gec_fair.cli.razor.fields import field_options, fields_of
from gec_fair.razor.api import DOCUMENTS, WORDS
from gec_fair.report.table import Part, Table

if TYPE_CHECKING:
    from gec_fair.razor.scoring.ranking import Ranking

_MOST_SHOWN = 10  # documents, and words of each label


@click.command(short_help="Rank documents, and words, by how much they tell the label")
@click.argument("data", type=click.Path(path_type=Path))
@field_options
@click.option(
    "--scoring",
    "mode",
    default="contrast",
    show_default=True,
    metavar="NAME",
    help="contrast, paper or published.",
)
@click.option("--space", default="", metavar="NAME", help="positions, tfidf or encoder:NAME.  [default: by mode]")
@click.option("--dimensions", default=64, show_default=True, metavar="N", help="λ, of positions.")
@click.option(
    "--encoding",
    type=click.Choice(("paper", "standard")),
    default="paper",
    show_default=True,
    help="Of positions: the exponent 2k/λ, or 2⌊k/2⌋/λ.",
)
@click.option(
    "--words",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="In the output, each document's N words that add most.",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    default=_MOST_SHOWN,
    show_default=True,
    metavar="N",
    help="Documents, and words a label, shown.",
)
@file_output("--html", metavar="FILE", help="The highest 200, their words coloured.")
@file_output(
    is_table=True, metavar="FILE", help="Every document's id, label and score, highest first: CSV, TSV or JSONL."
)
@result_options
def score(
    data: Path,
    mode: Any,
    space: str,
    dimensions: int,
    encoding: Any,
    words: int,
    top: int,
    html: Path | None,
    output: Path | None,
    as_json: bool,
    **arguments: Any,
) -> None:
    """Rank documents, and words, by how much they give the label away. DATA is JSONL, CSV or TSV: a label and a text,
    or a claim and its evidence.

    \b
    gec-fair razor score train.jsonl -o scores.jsonl
    gec-fair razor score snli_train.jsonl --scoring paper --html snli.html
    gec-fair razor score reviews.csv --text review --label stars --words 3 -o scores.jsonl
    """
    from gec_fair.extras import require

    require("razor", "razor", "scipy")
    from gec_fair.data.user_tables import write_rows
    from gec_fair.razor.api import score as scored
    from gec_fair.razor.scoring.html import page
    from gec_fair.razor.scoring.ranking import ScoreOptions
    from gec_fair.runs.atomic import write_text

    options = ScoreOptions(mode, space, dimensions, encoding)
    if options.where != "positions":
        refuse(("dimensions", "encoding"), "is for the space of positions; name it, or --scoring paper")
    if output is None or output.suffix.lower() in (".csv", ".tsv"):
        refuse(("words",), "is for output in JSONL; name such a file with -o")
    ranked = scored(
        data, **asdict(fields_of(arguments)), scoring=mode, space=space, dimensions=dimensions, encoding=encoding
    ).ranking
    if output is not None:
        write_rows(output, _rows(ranked, words))
    if html is not None:
        write_text(html, page(ranked, 200))
    if as_json:
        print_json(_as_json(ranked, top))
    else:
        print_parts(*_parts(ranked, top))


def _rows(ranking_: Ranking, words: int) -> Iterator[dict[str, Any]]:
    for document in ranking_.ranked:
        row: dict[str, Any] = {"id": document.document.id, "label": document.document.label, "score": document.score}
        if words:
            row["words"] = sorted(document.words, key=lambda word: -word[1])[:words]
        yield row


def _as_json(ranking_: Ranking, top: int) -> dict[str, Any]:
    return {
        "documents": [
            {
                "id": document.document.id,
                "label": document.document.label,
                "score": document.score,
                "words": document.words,
            }
            for document in ranking_.ranked[:top]
        ],
        "words": [
            {
                "label": term.label,
                "word": term.word,
                "documents": term.documents,
                "total": term.total,
                "mean": term.mean,
            }
            for label in ranking_.counts
            for term in _terms_of(ranking_, label, top)
        ],
        "measures": ranking_.measures,
        "labels": ranking_.counts,
        "signature": ranking_.signature,
    }


def _terms_of(ranking_: Ranking, label: str, top: int) -> list[Any]:
    return [term for term in ranking_.words if term.label == label][:top]


def _parts(ranking_: Ranking, top: int) -> list[Part]:
    from gec_fair.razor.scoring.html import mark

    style: Any = "ansi" if sys.stdout.isatty() else "line"
    counts = ", ".join(f"{number:,} {label}" for label, number in ranking_.counts.items())
    lines: list[Part] = [f"{len(ranking_.ranked):,} documents: {counts}", ""]
    rows = _as_json(ranking_, top)
    for record, ranked in zip(rows["documents"], ranking_.ranked, strict=False):
        record["text"] = mark(ranked, style)
    lines.append(Table("documents", "Documents", rows["documents"], columns=DOCUMENTS))
    if ranking_.words:
        lines += ["", Table("words", "Words", rows["words"], columns=WORDS)]
    measures = [f"{name} {value:.6g}" for name, value in ranking_.measures.items() if value is not None]
    return [*lines, "", *([", ".join(measures)] if measures else []), ranking_.signature]
