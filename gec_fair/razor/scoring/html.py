"""A document with the words that carry its score marked: in a line of text, on a terminal, or in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

from gec_fair.razor.scoring.ranking import Ranked, Ranking

Style = Literal["line", "ansi"]
_MARKS = {"line": ("*", "*"), "ansi": ("\x1b[1;31m", "\x1b[0m")}
_CARRIES = 0.2
"""A word is marked that adds at least this share of all that is added."""


def marked(ranked: Ranked, style: Style = "line") -> str:
    """Its words, those marked that carry the score."""
    before, after = _MARKS[style]
    parts = _parts(ranked.words)
    return (
        " ".join(
            f"{before}{word}{after}" if part >= _CARRIES else word
            for (word, _), part in zip(ranked.words, parts, strict=True)
        )
        or ranked.document.text
    )


def page(scores: Ranking, top: int) -> str:
    """The highest documents as a page that needs nothing else: the redder a word, the more it adds; the bluer, the more
    it takes away."""
    rows = "\n".join(
        f"<tr><td>{document.score:.4f}</td><td>{escape(document.document.label)}</td>"
        f"<td>{escape(document.document.id)}</td><td>{_coloured(document)}</td></tr>"
        for document in scores.ranked[:top]
    )
    words = "\n".join(
        f"<tr><td>{escape(word.label)}</td><td>{escape(word.word)}</td><td>{word.documents:,}</td>"
        f"<td>{word.total:.3f}</td><td>{word.mean:.4f}</td></tr>"
        for word in scores.words[:top]
    )
    return _PAGE.format(signature=escape(scores.signature), rows=rows, words=words)


def _coloured(ranked: Ranked) -> str:
    if not ranked.words:
        return escape(ranked.document.text)
    largest = max(abs(share) for _, share in ranked.words) or 1.0
    spans = []
    for word, share in ranked.words:
        colour = "214, 39, 40" if share > 0 else "31, 119, 180"
        depth = f"background: rgba({colour}, {abs(share) / largest * 0.7:.2f})"
        spans.append(f'<span style="{depth}" title="{share:+.4f}">{escape(word)}</span>')
    return " ".join(spans)


def _parts(words: Sequence[tuple[str, float]]) -> list[float]:
    """Of all that is added, what each word adds."""
    total = sum(share for _, share in words if share > 0)
    return [share / total if total > 0 else 0.0 for _, share in words]


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Shortcut scores</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
td, th {{ border-bottom: 1px solid #ddd; padding: .3rem .5rem; text-align: left; vertical-align: top; }}
</style>
<h1>Shortcut scores</h1><p>{signature}</p>
<h2>Documents</h2>
<table><tr><th>score</th><th>label</th><th>id</th><th>what its words add</th></tr>
{rows}</table>
<h2>Words</h2>
<table><tr><th>label</th><th>word</th><th>documents</th><th>added to all</th><th>to each</th></tr>
{words}</table>
</html>
"""
