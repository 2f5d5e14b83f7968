"""The figures of the BabyLM paper in form, as Altair charts: curves over training (5-7), changes (3, 4), models by
performance and bias (2), correlations (8, 9). Text and axes are `currentColor`, for pages in dark mode too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gec_fair.report.charts import set_theme, zero_line

WIDTH, HEIGHT = 320, 240
Rows = Sequence[Mapping[str, Any]]


def curves(rows: Rows) -> Any:
    """`rows`: group, step, measure, mean, low, high. A panel for each measure, a line with its band for each group."""
    import altair as alt

    measures = list(dict.fromkeys(row["measure"] for row in rows))
    groups = list(dict.fromkeys(row["group"] for row in rows))
    panels = []
    for measure in measures:
        values = alt.Data(values=[row for row in rows if row["measure"] == measure])
        base = alt.Chart(values).encode(x=alt.X("step:Q", title="updates"), color=_color(groups))
        y = alt.Y("mean:Q", title=measure, scale=alt.Scale(zero=False))
        low = alt.Y("low:Q", title=measure, scale=alt.Scale(zero=False))
        band = base.mark_area(opacity=0.15).encode(y=low, y2="high:Q")
        line = base.mark_line(point=True).encode(y=y, tooltip=["group:N", "step:Q", "mean:Q", "low:Q", "high:Q"])
        panels.append(alt.layer(band, line).properties(width=WIDTH, height=HEIGHT))
    return set_theme(alt.hconcat(*panels))


def changes(rows: Rows, *, field: str = "method") -> Any:
    """`rows`: group, performance, bias (changes), and `seed` for single trainings, None for their mean."""
    import altair as alt

    groups = list(dict.fromkeys(row["group"] for row in rows))
    x = alt.X("performance:Q", title="change of composite performance, points")
    y = alt.Y("bias:Q", title="change of composite bias, points")
    means = [row for row in rows if row["seed"] is None]
    rays = [
        {**row, "order": n, "performance": n * row["performance"], "bias": n * row["bias"]}
        for row in means
        for n in (0, 1)
    ]

    def draw(values: Rows) -> Any:
        return alt.Chart(alt.Data(values=values)).encode(x=x, y=y, color=_color(groups, field))

    ray = draw(rays).mark_line(opacity=0.4).encode(order="order:Q")
    panel = draw([row for row in rows if row["seed"] is not None]).mark_point(filled=True, opacity=0.4, size=25)
    shape, tooltip = alt.Shape("group:N", sort=groups, legend=None), ["group:N", "performance:Q", "bias:Q"]
    mean = draw(means).mark_point(filled=True, opacity=1, size=110).encode(shape=shape, tooltip=tooltip)
    layers = alt.layer(zero_line("x"), zero_line("y"), ray, panel, mean)
    return set_theme(layers.properties(width=2 * WIDTH - 180, height=HEIGHT + 80))


def models(rows: Rows) -> Any:
    """`rows`: model, group, performance, bias; with each group's line of least squares."""
    import altair as alt

    groups = list(dict.fromkeys(row["group"] for row in rows))
    x = alt.X("performance:Q", title="composite performance, %", scale=alt.Scale(zero=False, padding=16))
    y = alt.Y("bias:Q", title="composite bias, %", scale=alt.Scale(zero=False, padding=16))
    base = alt.Chart(alt.Data(values=list(rows))).encode(x=x, y=y, color=_color(groups, below=True))
    points = base.mark_point(filled=True, size=70, opacity=1).encode(tooltip=["model:N", "performance:Q", "bias:Q"])
    names = base.mark_text(align="left", dx=6, fontSize=9, color="currentColor").encode(text="model:N")
    lines = base.transform_regression("performance", "bias", groupby=["group"]).mark_line(opacity=0.5)
    return set_theme(alt.layer(lines, points, names).properties(width=2 * WIDTH - 120, height=HEIGHT + 160))


def correlations(rows: Rows, names: Sequence[str], title: str) -> Any:
    """`rows`: one, other, r (None is not told)."""
    import altair as alt

    order = list(names)
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        x=alt.X("one:N", sort=order, title=None, axis=alt.Axis(labelAngle=-40)),
        y=alt.Y("other:N", sort=order, title=None),
    )
    scale = alt.Scale(domain=[-1, 1], scheme="blueorange")
    boxes = base.mark_rect().encode(color=alt.Color("r:Q", scale=scale, title="r"))
    labels = base.mark_text(fontSize=11).encode(
        text=alt.Text("r:Q", format=".2f"),
        color=alt.condition("datum.r > 0.6 || datum.r < -0.6", alt.value("white"), alt.value("black")),
    )
    return set_theme(alt.layer(boxes, labels).properties(width=HEIGHT, height=HEIGHT, title=title))


def _color(groups: Sequence[str], title: str | None = None, *, below: bool = False) -> Any:
    """`below` the chart is its legend where names of points may reach beyond the right side."""
    import altair as alt

    legend = alt.Legend(orient="bottom") if below else alt.Undefined
    return alt.Color("group:N", sort=list(groups), title=title, legend=legend)
