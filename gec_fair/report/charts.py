"""What charts have in common: colours that follow the page, panels one below another, the line at zero."""

from __future__ import annotations

from typing import Any

FONT = "system-ui, sans-serif"
"""A font that Vega can measure: with `inherit` it measures another one than the page draws, and clips labels."""
_INK = {"labelColor": "currentColor", "titleColor": "currentColor"}


def set_theme(chart: Any) -> Any:
    """Colours of text and axes are `currentColor`, so that a page in dark mode stays readable."""
    return (
        chart.configure(background="transparent", font=FONT)
        .configure_axis(**_INK, gridOpacity=0.25, domainColor="currentColor", tickColor="currentColor", labelLimit=220)
        .configure_header(**_INK)
        .configure_legend(**_INK, symbolOpacity=1, orient="top", titleOrient="left", columns=4, labelLimit=220)
        .configure_title(color="currentColor")
        .configure_view(stroke=None)
    )


def zero_line(axis: str = "x") -> Any:
    """A dashed line where the axis is zero."""
    import altair as alt

    return alt.Chart().mark_rule(strokeDash=[3, 3], color="currentColor").encode(**{axis: alt.datum(0)})


def panels(chart: Any, field: str) -> Any:
    """A panel for each value of a field, one below another."""
    import altair as alt

    header = alt.Header(labelAngle=0, labelAlign="left", labelAnchor="start", labelOrient="top")
    return chart.facet(row=alt.Row(f"{field}:N", title=None, header=header))
