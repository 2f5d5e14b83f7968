"""The changes of a run as one HTML page, or for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gec_fair.changes.change import AUGMENTED, Change, Rewritten
from gec_fair.changes.summary import Summary
from gec_fair.edits.explain import mark
from gec_fair.report.page import render
from gec_fair.runs.atomic import write_text

PAGE = "show.html"


def write_page(path: Path, run: Rewritten, summary: Summary) -> None:
    """One file, which needs no network: counts, replaced words, and the sample with filters."""
    cases = [
        (change, [(side.name, mark(side.pieces, style="html")) for side in change.sides]) for change in summary.sample
    ]
    names = {
        "part": _names(change.part for change in summary.sample),
        "outcome": _names(change.outcome for change in summary.sample),
        "reason": _names(change.reason for change in summary.sample),
        "axis": _names(change.axis for change in summary.sample),
    }
    text = render(
        "page.html.j2",
        [summary.outcome_table(), summary.replacement_table()],
        {},
        folder=Path(__file__).parent,
        title=run.title,
        finding=_finding(summary),
        charts_of_tables={},
        captions={},
        sentences={},
        about=run.about,
        cases=cases,
        chosen=summary.chosen,
        choices={name: values for name, values in names.items() if values},
        facts_of=_facts,
        words_of=_words,
    )
    write_text(path, text)


def _finding(summary: Summary) -> str:
    """How many texts were changed."""
    total = summary.texts.total()
    changed = sum(number for kind, number in summary.texts.items() if AUGMENTED in kind)
    return f"{changed:,} of {total:,} texts were changed"


def plain_lines(summary: Summary, *, style: str) -> Iterator[str]:
    """The sample for a terminal; `style` is that of `edits.explain`."""
    for change in summary.sample:
        yield "  ".join((f"{change.file}:{change.line}", *_facts(change)))
        for side in change.sides:
            yield f"  {side.name:6}  ".rstrip() + ("  " if side.name else "") + mark(side.pieces, style=style)
        yield ""


def _facts(change: Change) -> Iterator[str]:
    sure = "" if change.sure is None else f"sure {change.sure:.3f}"
    facts = (change.part, change.outcome, change.reason.replace("_", " "), change.axis, change.detail, sure)
    return filter(None, facts)


def _names(values: Iterator[str]) -> list[str]:
    return sorted({value for value in values if value})


def _words(change: Change) -> str:
    """The replaced and replacing words, with spaces around each, for the filter."""
    words = {word.lower() for pair in change.replacements for text in pair for word in text.split()}
    return f" {' '.join(sorted(words))} "
