"""The bars of a corpus report (figures 10 to 14 of the paper in form)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from gec_fair.corpus_report.classified import SENTIMENTS, Rate
from gec_fair.corpus_report.measure import Analysis
from gec_fair.report.charts import set_theme
from gec_fair.stats import estimate

_FEW, _FEWEST, _WIDEST = 10, 4, 0.75  # chosen by hand: docs/how-to/corpus.md
_WHISKERS = (
    f"Bars of fewer than {_FEW} sentences have their number and an interval; there is none for fewer than {_FEWEST} "
    "sentences, nor where it would cover three quarters of the scale."
)
CAPTIONS = {
    "topics": "Topics: percent of all tokens.",
    "pos": "Parts of speech: percent of the tagged tokens (figures 10 and 11 in form).",
    "emotions": "Emotions: percent of all tokens (figure 12 in form).",
    "sentiment": f"Sentiment: percent of the judged sentences (figure 13 in form). {_WHISKERS}",
    "stances": "Sentiment towards topics: share positive minus share negative, points (figure 14 in form). "
    + _WHISKERS,
}
_ZERO = {
    "topics": "No text has a word of any topic.",
    "pos": "No token was tagged.",
    "emotions": "No text has a word of any emotion.",
    "sentiment": "No sentence was judged.",
    "stances": "Positive and negative sentences balance for every topic.",
}
"""The sentence instead of a chart in which every bar is zero."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart, with an interval where it is of few items."""

    corpus: str
    name: str
    value: float
    low: float | None = None
    high: float | None = None


def draw_charts(analyses: Sequence[Analysis]) -> tuple[dict[str, Any], dict[str, str]]:
    """Vega-Lite by name; and a sentence instead of each chart in which every bar would be zero."""
    bars = _bar_rows(analyses)
    charts = {name: _bars(rows, _unit(name)).to_dict() for name, rows in bars.items() if not _is_zero(rows)}
    return charts, {name: _ZERO[name] for name, rows in bars.items() if _is_zero(rows)}


def _unit(name: str) -> str:
    return "points" if name == "stances" else "%"


def _is_zero(rows: Sequence[Bar]) -> bool:
    return all(bar.value == 0 for bar in rows)


def _make_bar(corpus: str, name: str, rate: Rate, *, signed: bool) -> Bar:
    """A bar of judged sentences. Of fewer than ten it has an interval: Clopper and Pearson's of a share; of a
    difference of two shares d the normal one with the largest variance that it can have, (1 − d²) / n. It has none
    where that would say nothing."""
    if rate.n >= _FEW:
        return Bar(corpus, name, rate.value)
    marked = Bar(corpus, f"{name} (n = {rate.n})", rate.value)
    if rate.n < _FEWEST:
        return marked
    part = rate.value / 100
    if signed:
        half = estimate.normal_half(math.sqrt((1 - part**2) / rate.n))
        low, high = max(-1.0, part - half), min(1.0, part + half)
    else:
        from statsmodels.stats.proportion import proportion_confint

        low, high = proportion_confint(round(part * rate.n), rate.n, method="beta")
    if not 0 < high - low < _WIDEST * (2 if signed else 1):
        return marked
    return replace(marked, low=100 * low, high=100 * high)


def _bar_rows(analyses: Sequence[Analysis]) -> dict[str, list[Bar]]:
    rows = {
        "topics": [
            Bar(analysis.name, "/".join(topic), value)
            for analysis in analyses
            for topic, value in analysis.topics.items()
        ],
        "pos": [Bar(analysis.name, name, value) for analysis in analyses for name, value in analysis.pos.items()],
        "emotions": [
            Bar(analysis.name, name, value) for analysis in analyses for name, value in analysis.emotions.items()
        ],
        "sentiment": [
            _make_bar(analysis.name, label, analysis.sentiment[label], signed=False)
            for analysis in analyses
            for label in SENTIMENTS
            if label in analysis.sentiment
        ],
        "stances": [
            _make_bar(analysis.name, "/".join(topic), rate, signed=True)
            for analysis in analyses
            for topic, rate in analysis.stances.items()
        ],
    }
    return {name: bars for name, bars in rows.items() if bars}


def _bars(rows: Sequence[Bar], unit: str) -> Any:
    import altair as alt

    corpora = list(dict.fromkeys(bar.corpus for bar in rows))
    base = alt.Chart().encode(y=alt.Y("name:N", sort=None, title=None), yOffset=alt.YOffset("corpus:N", sort=corpora))
    bars = base.mark_bar().encode(
        x=alt.X("value:Q", title=unit),
        color=alt.Color("corpus:N", sort=corpora),
        tooltip=["corpus:N", "name:N", "value:Q", "low:Q", "high:Q"],
    )
    spread = base.mark_rule(strokeWidth=2, color="currentColor").encode(x=alt.X("low:Q", title=unit), x2="high:Q")
    data = alt.Data(values=[asdict(bar) for bar in rows])
    return set_theme(alt.layer(bars, spread.transform_filter("isValid(datum.low)"), data=data).properties(width=420))
