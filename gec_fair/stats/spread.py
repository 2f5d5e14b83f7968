"""A figure over seeds, as tables show it: the mean, and half of Student's 95 % interval behind ±."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev


def spread(name: str, values: Sequence[float | None], digits: int) -> dict[str, float | None]:
    """`name`, and of several seeds `name_pm`. None where a seed has no figure."""
    from scipy.stats import t

    some = [value for value in values if value is not None and value == value]
    if len(some) < len(values) or not some:
        return {name: None}
    found: dict[str, float | None] = {name: round(fmean(some), digits)}
    if len(some) > 1:
        half = float(t.ppf(0.975, len(some) - 1)) * stdev(some) / len(some) ** 0.5
        found[f"{name}_pm"] = round(half, digits)
    return found
