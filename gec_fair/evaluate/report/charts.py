"""Plots of a comparison, as Vega-Lite (Altair): a forest of gaps, precision against recall, error types.

Colours of text and axes are `currentColor`, so that a page in dark mode stays readable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gec_fair.evaluate.gap.loaded_set import SIDES
from gec_fair.evaluate.report.tables import Results, type_scores
from gec_fair.evaluate.scoring.counts import BETA
from gec_fair.report.charts import panels, themed, zero_line

Rows: TypeAlias = Sequence[Mapping[str, Any]]
"""Of the results, those of systems that have a gap."""
WIDTH = 560
TYPES = 14
"""Error categories in the plot, the most frequent ones."""
_CURVES = (5, 10, 20, 30, 40, 50, 60, 70)  # F0.5 in percent


def charts(results: Results) -> dict[str, Any]:
    """Vega-Lite specifications by name; those without data are left out."""
    if not results["rows"]:
        return {}
    compared = [row for row in results["rows"] if row["delta"] is not None]
    if not compared:
        return {}
    charts = {"forest": _forest(compared), "precision-recall": _scatter(compared), "types": _types(compared)}
    return {name: themed(chart).to_dict() for name, chart in charts.items() if chart is not None}


def _forest(compared: Rows) -> Any:
    import altair as alt

    rows = [
        {"set": row["set"], "system": row["system"], "gap": row["delta"], "low": row["ci95"][0], "high": row["ci95"][1]}
        for row in compared
    ]
    base = alt.Chart().encode(y=alt.Y("system:N", title=None))
    columns = ["system:N", "gap:Q", "low:Q", "high:Q"]
    title = "gap in F0.5 points, 95 % interval"
    rule = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2, color="#4c78a8")
    spread = rule.encode(x=alt.X("low:Q", title=title), x2="high:Q")
    point = base.mark_point(filled=True, size=70, color="#4c78a8", opacity=1).encode(x="gap:Q", tooltip=columns)
    layers = alt.layer(zero_line(), spread, point, data=alt.Data(values=rows)).properties(width=WIDTH)
    return panels(layers, "set").resolve_scale(y="independent")


def _scatter(compared: Rows) -> Any:
    import altair as alt

    rows = [
        {
            "set": row["set"],
            "system": row["system"],
            "side": side,
            "P": row[side]["p"],
            "R": row[side]["r"],
            "F": row[side]["f0.5"],
        }
        for row in compared
        for side in SIDES
    ]
    top = max(row["R"] for row in rows) * 1.15 + 1
    x = alt.X("R:Q", title="recall", scale=alt.Scale(domain=[0, top], nice=False))
    y = alt.Y("P:Q", title="precision", scale=alt.Scale(domain=[0, 100]))
    curves = list(_curves(top))
    iso = (
        alt.Chart(alt.Data(values=curves))
        .mark_line(color="currentColor", opacity=0.25, strokeWidth=1)
        .encode(x=x, y=y, detail="curve:N", order="R:Q")
    )
    labels = (
        alt.Chart(alt.Data(values=list(_ends(curves))))
        .mark_text(align="right", dy=-5, opacity=0.6, color="currentColor", fontSize=10)
        .encode(x=x, y=y, text="label:N")
    )
    pairs = alt.Chart().mark_line(color="currentColor", opacity=0.4).encode(x=x, y=y, detail="system:N")
    points = (
        alt.Chart()
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("system:N"),
            shape=alt.Shape(
                "side:N",
                scale=alt.Scale(domain=list(SIDES), range=["circle", "triangle-up"]),
                legend=alt.Legend(symbolFillColor="currentColor", symbolStrokeColor="currentColor"),
            ),
            tooltip=["set:N", "system:N", "side:N", "P:Q", "R:Q", alt.Tooltip("F:Q", title="F0.5")],
        )
    )
    layers = alt.layer(iso, labels, pairs, points, data=alt.Data(values=rows)).properties(width=WIDTH, height=300)
    return panels(layers, "set")


def _curves(top: float) -> Iterator[dict[str, float]]:
    """Points of equal F: P = F R / ((1 + β²) R - β² F)."""
    for f in _CURVES:
        for step in range(1, 101):
            recall = top * step / 100
            below = (1 + BETA**2) * recall - BETA**2 * f
            if below > 0 and f * recall / below <= 100:
                yield {"curve": f, "R": recall, "P": f * recall / below}


def _ends(curves: list[dict[str, float]]) -> Iterator[Mapping[str, object]]:
    last = {point["curve"]: point for point in curves}
    return ({**point, "label": f"F0.5 = {f:g}"} for f, point in last.items())


def _types(compared: Rows) -> Any:
    import altair as alt

    rows = [
        {
            "set": row["set"],
            "system": row["system"],
            "type": name,
            "orig": 100 * sides[0].recall,
            "aug": 100 * sides[1].recall,
            "gap": 100 * (sides[1].recall - sides[0].recall),
        }
        for row in compared
        for name, sides in _frequent(row, _differing(compared, row["set"]))
    ]
    if not rows:
        return None
    base = alt.Chart().encode(y=alt.Y("type:N", title=None), yOffset=alt.YOffset("system:N"))
    points = base.mark_point(filled=True, size=60, opacity=0.9).encode(
        x=alt.X("gap:Q", title="recall on the augmented side minus recall on the original, points"),
        color=alt.Color("system:N"),
        tooltip=["set:N", "system:N", "type:N", "orig:Q", "aug:Q", "gap:Q"],
    )
    layers = alt.layer(zero_line(), points, data=alt.Data(values=rows)).properties(width=WIDTH)
    return panels(layers, "set").resolve_scale(y="independent")


def _differing(compared: Rows, name: str) -> set[str]:
    """The error types of a set whose recall is not the same on both sides for some system."""
    return {
        kind
        for row in compared
        if row["set"] == name
        for orig, aug in [[type_scores(row, side) for side in SIDES]]
        for kind in orig.keys() & aug.keys()
        if orig[kind].recall != aug[kind].recall
    }


def _frequent(row: Mapping[str, Any], kinds: Collection[str]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Of these error types those with most gold edits, with the counts of both sides."""
    orig, aug = (type_scores(row, side) for side in SIDES)
    size = {name: orig[name].tp + orig[name].fn for name in kinds if name in orig and name in aug}
    for name in sorted(size, key=lambda n: (-size[n], n))[:TYPES]:
        yield name, (orig[name], aug[name])
