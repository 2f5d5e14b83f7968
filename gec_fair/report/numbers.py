"""How a number is written where a table says no more than its name.

    p          three digits, or < 0.001
    gap, …gap  a difference, with its sign; so is `difference`
    …%         one digit
    others     two digits, whole numbers as they are

A value `x` has its ± in `x_pm`, its interval in `x_low` and `x_high` (of a difference: `low` and `high`); they are
written into its cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_fair.stats.estimate import describe_ends

_P = ("p", "p (Holm)")
_DIFFERENCES = ("gap", "difference")
_ENDS = ("low", "high")


def is_part(key: str) -> bool:
    """Whether a value is written in the cell of another."""
    return key in _ENDS or key.endswith(("_pm", "_low", "_high"))


def format_cell(record: Mapping[str, Any], key: str, digits: int | None = None) -> str | None:
    """The value with its ± and its interval; None where it is unknown."""
    value = record[key]
    if value is None or isinstance(value, str):
        return value
    is_plain = digits is None or isinstance(value, int) or key in _P
    text = format_number(key, value) if is_plain else f"{value:.{digits}f}"
    form = f".{2 if digits is None else digits}f"
    if f"{key}_pm" in record:
        text += f" ± {record[f'{key}_pm']:{form}}"
    if record.get(f"{key}_low") is not None:
        text += f" [{record[f'{key}_low']:{form}}, {record[f'{key}_high']:{form}}]"
    if key in _DIFFERENCES and "low" in record:
        text += f" {describe_ends((record['low'], record['high']), record.get('p', 1.0))}"
    return text


def format_number(key: str, value: float) -> str:
    """The value alone."""
    if isinstance(value, int):
        return str(value)
    if key in _P:
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if key in _DIFFERENCES or key.endswith(" gap"):
        return f"{value:+.2f}"
    return f"{value:.1f}" if key.endswith("%") else f"{value:.2f}"
