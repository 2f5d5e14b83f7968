"""`gec-fair razor score`: which documents, and words, give their label away."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gec_fair.cli.options.command import file_output, path_argument, refuse, takes
from gec_fair.cli.options.results import print_result, result_options
from gec_fair.config.options import part
from gec_fair.extras import require
from gec_fair.razor.options import RankingOptions, ShortcutOptions
from gec_fair.report.table import Part, Record

if TYPE_CHECKING:
    from gec_fair.razor.api import Shortcuts
    from gec_fair.razor.scoring.ranking import Ranking


@click.command(short_help="Rank documents, and words, by how much they tell the label")
@path_argument("data", "DATA")
@takes(RankingOptions, file_output("FILE", "The highest 200, their words coloured.", flag="--html"))
@file_output("FILE", "Every document's id, label and score, highest first: CSV, TSV or JSONL.", is_table=True)
@result_options
def score(data: Path, options: RankingOptions, html: Path | None, output: Path | None) -> None:
    """Rank documents, and words, by how much they give the label away. DATA is JSONL, CSV or TSV: a label and a text,
    or a claim and its evidence.

    \b
    gec-fair razor score train.jsonl -o scores.jsonl
    gec-fair razor score snli_train.jsonl --scoring paper --html snli.html
    gec-fair razor score reviews.csv --text review --label stars --words 3 -o scores.jsonl
    """
    require("razor", "razor", "scipy")
    from gec_fair.data.user_tables import write_rows
    from gec_fair.razor.api import score as rank
    from gec_fair.razor.scoring.html import page
    from gec_fair.runs.atomic import write_text

    if output is None or output.suffix.lower() in (".csv", ".tsv"):
        refuse(("words",), "is for output in JSONL; name such a file with -o")
    ranked = rank(data, **vars(part(options, ShortcutOptions)))
    if output is not None:
        write_rows(output, _rows(ranked.ranking, options.words))
    if html is not None:
        write_text(html, page(ranked.ranking, 200))
    print_result(*_report(ranked, options.top))


def _rows(ranking: Ranking, words: int) -> Iterator[dict[str, Any]]:
    for ranked in ranking.ranked:
        row = {"id": ranked.document.id, "label": ranked.document.label, "score": ranked.score}
        yield row | ({"words": sorted(ranked.words, key=lambda word: -word[1])[:words]} if words else {})


def _report(shortcuts: Shortcuts, top: int) -> tuple[Any, ...]:
    """The highest documents and words as plain data; then for people, with the words of the documents marked."""
    from gec_fair.razor.scoring.html import mark

    ranking = shortcuts.ranking
    style: Literal["ansi", "line"] = "ansi" if sys.stdout.isatty() else "line"
    documents: list[Record] = [
        {"id": ranked.document.id, "label": ranked.document.label, "score": ranked.score, "words": ranked.words}
        for ranked in ranking.ranked[:top]
    ]
    by_label = ([row for row in shortcuts.words if row["label"] == label][:top] for label in ranking.counts)
    words = [row for rows in by_label for row in rows]
    data = {
        "documents": documents,
        "words": words,
        "measures": ranking.measures,
        "labels": ranking.counts,
        "signature": ranking.signature,
    }
    marked = [{**row, "text": mark(ranked, style)} for row, ranked in zip(documents, ranking.ranked, strict=False)]
    document_table, word_table = replace(shortcuts, documents=marked, words=words).tables()
    counts = ", ".join(f"{number:,} {label}" for label, number in ranking.counts.items())
    measures = ", ".join(f"{name} {value:.6g}" for name, value in ranking.measures.items() if value is not None)
    parts: list[Part] = [f"{len(ranking.ranked):,} documents: {counts}", "", document_table]
    parts += ["", word_table] if ranking.words else []
    return data, *parts, "", *filter(None, [measures]), ranking.signature
