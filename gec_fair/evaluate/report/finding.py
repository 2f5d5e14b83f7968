"""The result of a comparison in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_fair.evaluate.report.tables import Results

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
        return "No system makes a correct edit: there is no gap to compare"
    if all(None in row["ci95"] and row["delta"] for row in rows):
        return "Too few sentences to say whether a gap differs from zero"
    clear = [row for row in rows if None not in row["ci95"] and row["ci95"][0] * row["ci95"][1] > 0]
    if not clear:
        return "No gap differs from zero: every 95 % interval includes it"
    row = max(clear, key=lambda row: abs(row["delta"]))
    kind = _SIDES.get(results["sets"][row["set"]]["kind"], "the rewritten sentences")
    more = "" if len(clear) == 1 else f"; {len(clear)} of {len(rows)} gaps differ from zero"
    return f"{row['system']} corrects {kind} {'worse' if row['delta'] < 0 else 'better'}: {_interval(row)}{more}"


def _interval(row: Mapping[str, Any]) -> str:
    low, high = row["ci95"]
    text = f"{row['delta']:+.2f} F0.5 [{low:+.2f}, {high:+.2f}] on {row['set']}"
    return text.replace("-", "−", text.count("-") - row["set"].count("-"))
