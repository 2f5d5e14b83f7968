"""The result of a comparison in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_fair.evaluate.report.tables import Results
from gec_fair.stats.estimate import TOO_FEW, describe_ends

_SIDES: Mapping[str, str] = {
    "st": "sentences with singular they",
    "mf": "sentences with the other gender",
    "neo": "sentences with a neopronoun",
}


def describe_gaps(results: Results) -> str:
    """The largest gap whose interval does not include zero, or that there is none.

    *symspell corrects sentences with singular they worse: −7.04 F0.5 [−10.37, −3.70] on they-probe*
    """
    if not results["rows"]:
        return "No system was compared"
    rows = [row for row in results["rows"] if row["delta"] is not None]
    if not rows:
        return "No system makes a correct edit, so no gap can be compared"
    rows = [row for row in rows if row["p"] is not None]
    if not rows:
        return f"{TOO_FEW.capitalize()} whether a gap differs from zero"
    clear = [row for row in rows if _is_clear(row)]
    if not clear:
        return "No gap differs from zero: every 95 % interval includes it"
    row = max(clear, key=lambda row: abs(row["delta"]))
    kind = _SIDES.get(results["sets"][row["set"]]["kind"], "the rewritten sentences")
    more = "" if len(clear) == 1 else f"; {len(clear)} of {len(rows)} gaps differ from zero"
    return f"{row['system']} corrects {kind} {'worse' if row['delta'] < 0 else 'better'}: {_interval(row)}{more}"


def _is_clear(row: Mapping[str, Any]) -> bool:
    """Whether zero is outside the interval, or all resamples have the same gap and it is not zero."""
    low, high = row["ci95"]
    return bool(row["delta"] != 0 if low is None else low * high > 0)


def _interval(row: Mapping[str, Any]) -> str:
    text = f"{row['delta']:+.2f} F0.5 {describe_ends(row['ci95'], row['p'])} on {row['set']}"
    return text.replace("-", "−", text.count("-") - row["set"].count("-"))
