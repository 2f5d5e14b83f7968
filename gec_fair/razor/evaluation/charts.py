"""Figures 3 and 4 of Yang et al. 2024 in form, as Vega-Lite (Altair): shortcut words and accuracy before and after the
rewriting, and what an encoder was worth while it learned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gec_fair.razor.evaluation.evaluate import MethodResult, Surface
from gec_fair.report.pictures import draw

WIDTH, HEIGHT = 260, 220


def write(path: Path, surface: Surface, rows: Sequence[MethodResult]) -> None:
    """A panel for each measure of each test set; with rewritten data the counted words before and after."""
    import altair as alt

    parts = [_measures(rows, name) for name in dict.fromkeys(row.test for row in rows)]
    if "razor" in surface.terms:
        parts.append(_terms(surface))
    draw(path, alt.vconcat(*parts).resolve_scale(color="independent").configure_axis(grid=False))


def _measures(rows: Sequence[MethodResult], test: str) -> Any:
    """Accuracy and F1, side by side: curves where there are some, else bars with the accuracy's interval."""
    import altair as alt

    test_rows = [row for row in rows if row.test == test]
    curved = [row for row in test_rows if row.curve]
    panels = [_curves(curved, measure) if curved else _bars(test_rows, measure) for measure in ("accuracy", "f1")]
    return alt.hconcat(*panels).properties(title=test)


def _curves(rows: Sequence[MethodResult], measure: str) -> Any:
    import altair as alt

    values = [
        {"method": row.method, "updates": snapshot.step, "value": getattr(snapshot, measure)}
        for row in rows
        for snapshot in row.curve
    ]
    return (
        alt.Chart(alt.Data(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("updates:Q"),
            y=alt.Y("value:Q", title=f"{_title(measure)}, %", scale=alt.Scale(zero=False)),
            color=alt.Color("method:N", sort=None),
        )
        .properties(width=WIDTH, height=HEIGHT)
    )


def _bars(rows: Sequence[MethodResult], measure: str) -> Any:
    import altair as alt

    values = [{"method": row.method, "value": getattr(row, measure), "low": row.low, "high": row.high} for row in rows]
    base = alt.Chart(alt.Data(values=values)).encode(x=alt.X("method:N", sort=None, title=None))
    bars = base.mark_bar().encode(y=alt.Y("value:Q", title=f"{_title(measure)}, %"))
    if measure == "f1":
        return bars.properties(width=WIDTH, height=HEIGHT)
    spread = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2).encode(y="low:Q", y2="high:Q")
    return alt.layer(bars, spread).properties(width=WIDTH, height=HEIGHT)


def _terms(surface: Surface) -> Any:
    import altair as alt

    values = [
        {"word": term, "data": name, "number": number}
        for name, terms in surface.terms.items()
        for term, number in terms.occurrences.items()
    ]
    return (
        alt.Chart(alt.Data(values=values))
        .mark_bar()
        .encode(
            x=alt.X("data:N", sort=None, title=None),
            y=alt.Y("number:Q", title="occurrences"),
            color=alt.Color("word:N", sort=None),
        )
        .properties(width=WIDTH, height=HEIGHT, title="in the training claims")
    )


def _title(measure: str) -> str:
    return "F1" if measure == "f1" else measure
