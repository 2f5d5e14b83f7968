"""The plot of a comparison, as Vega-Lite (Altair): a forest of gaps.

Colours of text and axes are `currentColor`, so that a page in dark mode stays readable.
"""

from __future__ import annotations

from typing import Any

from gec_fair.evaluate.report.tables import Results
from gec_fair.report.charts import panels, set_theme, zero_line

WIDTH = 560


def charts(results: Results) -> dict[str, Any]:
    """The Vega-Lite specification by its name; none where no system has a gap."""
    compared = [row for row in results["rows"] if row["delta"] is not None]
    return {"forest": set_theme(_forest(compared)).to_dict()} if compared else {}


def _forest(compared: list[Any]) -> Any:
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
