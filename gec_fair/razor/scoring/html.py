"""A document with the words that carry its score marked: in a line of text, on a terminal, or in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

from gec_fair.razor.scoring.ranking import Ranked, Ranking

Style = Literal["line", "ansi"]
_MARKS = {"line": ("*", "*"), "ansi": ("\x1b[1;31m", "\x1b[0m")}
_CARRIES = 0.2
"""A word is marked that adds at least this share of all that is added. Chosen by hand: at most five words."""


def mark(ranked: Ranked, style: Style = "line") -> str:
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
        f"<td>{escape(document.document.id)}</td><td>{_colour(document)}</td></tr>"
        for document in scores.ranked[:top]
    )
    words = "\n".join(
        f"<tr><td>{escape(word.label)}</td><td>{escape(word.word)}</td><td>{word.documents:,}</td>"
        f"<td>{word.total:.3f}</td><td>{word.mean:.4f}</td></tr>"
        for word in scores.words[:top]
    )
    counts = ", ".join(f"{number:,} {escape(label)}" for label, number in scores.counts.items())
    return _PAGE.format(
        finding=escape(_finding(scores)),
        counts=f"{len(scores.ranked):,} documents: {counts}",
        legend=_legend(),
        signature=escape(scores.signature),
        rows=rows,
        words=words,
    )


def _finding(scores: Ranking) -> str:
    """The word that adds most, and to which label's documents."""
    if not scores.words:
        return "Documents by their shortcut score"
    word = max(scores.words, key=lambda word: word.total)
    return f"“{word.word}” gives {word.label} away most: it is in {word.documents:,} of its documents"


def _legend() -> str:
    """What the colours mean."""
    swatches = ((1.0, "adds most"), (0.4, "adds some"), (0.0, "adds nothing"), (-0.4, "takes some away"))
    return " ".join(f'<span style="{_depth(share)}">{text}</span>' for share, text in swatches)


def _depth(share: float) -> str:
    """The background of a word that adds this share of the largest one's, from −1 to 1."""
    colour = "214, 39, 40" if share > 0 else "31, 119, 180"
    return f"background: rgba({colour}, {abs(share) * 0.7:.2f})"


def _colour(ranked: Ranked) -> str:
    if not ranked.words:
        return escape(ranked.document.text)
    largest = max(abs(share) for _, share in ranked.words) or 1.0
    spans = []
    for word, share in ranked.words:
        spans.append(f'<span style="{_depth(share / largest)}" title="{share:+.4f}">{escape(word)}</span>')
    return " ".join(spans)


def _parts(words: Sequence[tuple[str, float]]) -> list[float]:
    """The share that each word adds to the whole."""
    total = sum(share for _, share in words if share > 0)
    return [share / total if total > 0 else 0.0 for _, share in words]


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shortcut scores</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 72rem; padding: 0 1rem; }}
h1 {{ font-size: 1.6rem; line-height: 1.2; }} h2 {{ font-size: 1.2rem; }}
table {{ border-collapse: collapse; width: 100%; font-size: .9rem; }}
td, th {{ border-bottom: 1px solid #8886; padding: .3rem .5rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }}
td:first-child, td:nth-child(2) {{ overflow-wrap: normal; }}
.legend span {{ padding: 0 .4rem; }}
footer {{ margin-top: 2rem; font-size: .8rem; opacity: .7; overflow-wrap: anywhere; }}
</style>
<h1>{finding}</h1>
<p>{counts}. The documents with the highest scores come first.</p>
<p class="legend">Each word {legend} of its document's score.</p>
<h2>Documents</h2>
<table><tr><th>score</th><th>label</th><th>id</th><th>what its words add</th></tr>
{rows}</table>
<h2>Words</h2>
<table><tr><th>label</th><th>word</th><th>documents</th><th>added to all</th><th>to each</th></tr>
{words}</table>
<footer>{signature}</footer>
</html>
"""
