"""Figures 3 and 5 in form, as Vega-Lite. The table `contributions` is figure 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gec_fair.report.charts import set_theme
from gec_fair.stats.estimate import FEW

_STAR = "M0,.5L.6,.8L.5,.1L1,-.3L.3,-.4L0,-1L-.3,-.4L-1,-.3L-.5,.1L-.6,.8L0,.5Z"


def averages(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Sliced averages as coloured cells (figure 3): a panel for each `category`, a row for each `subgroup`, a column
    for each `scorer` and `truth`; `SA` is the figure, with the number of `texts` where they are few. Equal colours in a
    column are equal treatment."""
    import altair as alt

    order = {name: list(dict.fromkeys(row[name] for row in rows)) for name in ("category", "subgroup", "scorer")}
    truths = list(dict.fromkeys(row["truth"] for row in rows))
    column = "{scorer}, {truth}" if len(order["scorer"]) > 1 else "{truth}"
    columns = [column.format(scorer=scorer, truth=truth) for truth in truths for scorer in order["scorer"]]
    wide = 6.5 * max(map(len, order["subgroup"]))  # browsers measure other letters than they draw
    panels = []
    for category in order["category"]:
        cells = [
            {
                **row,
                "column": column.format(**row),
                "label": f"{row['SA']:.2f}" + (f" (n {row['texts']})" if row["texts"] < FEW else ""),
            }
            for row in rows
            if row["category"] == category
        ]
        last = category == order["category"][-1]
        base = alt.Chart(alt.InlineData(values=cells)).encode(
            x=alt.X(
                "column:N",
                title=None,
                sort=columns,
                scale=alt.Scale(domain=columns),
                axis=alt.Axis(labelAngle=-40 if len(order["scorer"]) > 1 else 0, labels=last, ticks=last),
            ),
            y=alt.Y("subgroup:N", title=None, sort=order["subgroup"], axis=alt.Axis(minExtent=wide)),
        )
        colour = alt.Color("SA:Q", title="SA", scale=alt.Scale(scheme="blues", domain=[0, 1]))
        tooltip = ["scorer:N", "subgroup:N", "truth:N", "SA:Q", "texts:Q"]
        squares = base.mark_rect().encode(color=colour, tooltip=tooltip)
        dark = alt.condition("datum.SA > 0.5", alt.value("white"), alt.value("black"))
        text = base.mark_text(fontSize=10).encode(text="label:N", color=dark)
        title = alt.TitleParams(category, anchor="start", fontSize=11)
        panels.append(alt.layer(squares, text).properties(width=480, height=alt.Step(26), title=title))
    return set_theme(alt.vconcat(*panels, spacing=10))


def reliance(rows: Sequence[Mapping[str, Any]], model_rows: Sequence[Mapping[str, Any]]) -> Any:
    """Each source's `gap` against what it contributes to each model; the models' own gaps as lines with a star
    (figure 5)."""
    import altair as alt

    def draw(values: Sequence[Mapping[str, Any]]) -> Any:
        return alt.Chart(alt.InlineData(values=[dict(row) for row in values]))

    points = (
        draw(rows)
        .mark_point(filled=True, size=70, opacity=0.85)
        .encode(
            x=alt.X("contribution:Q", title="contribution, %"),
            y=alt.Y("gap:Q", title="largest SA gap, safe texts"),
            color=_colour("model"),
            tooltip=["source:N", "model:N", "contribution:Q", "gap:Q"],
        )
    )
    lines = draw([{**row, "contribution": 0} for row in model_rows])
    rules = lines.mark_rule(strokeDash=[4, 3]).encode(y="gap:Q", color=_colour("model"))
    marks = lines.mark_point(shape=_STAR, filled=True, size=160, opacity=1).encode(
        x="contribution:Q", y="gap:Q", color=_colour("model"), tooltip=["model:N", "gap:Q"]
    )
    top = draw([row for row in rows if row["contribution"] >= 8])  # %, chosen by hand: a dozen names fit
    names = top.mark_text(align="left", dx=6, fontSize=10, color="currentColor").encode(
        x="contribution:Q", y="gap:Q", text="source:N"
    )
    return set_theme(alt.layer(rules, points, marks, names).properties(width=440, height=300))


_COLOURS = {"baseline": "#e45756", "remediated": "#4c78a8"}


def _colour(name: str) -> Any:
    import altair as alt

    return alt.Color(f"{name}:N", title=None, scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())))
