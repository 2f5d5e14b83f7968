"""What a suite finds: figures, each with its number of items and, for a sample, what sampling costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

import numpy as np

from gec_fair.lmbias.scoring.model import Floats

_BORROWED = 2  # items, by hand: as if each stratum had so many more, of the pooled variance


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a suite. `part`: a bias type, an axis, a group of tests; `value` None where nothing could be
    measured; `sampled`: whether it stands for more items than were scored; `se`: the standard error of that, None for
    the whole and where the sample is too small to tell; `more`: what it is made of, for JSON."""

    suite: str
    part: str
    measure: str
    value: float | None
    n: int
    fair: float | None = None
    sampled: bool = False
    se: float | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def percent(
        cls,
        suite: str,
        part: str,
        measure: str,
        share: tuple[float | None, float | None],
        n: int,
        *,
        is_sampled: bool,
        fair: float | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> Figure:
        """The figure of a share and its standard error."""
        value, se = (None if number is None else 100 * number for number in share)
        return cls(suite, part, measure, value, n, fair, is_sampled, se, more or {})

    def as_json(self) -> dict[str, Any]:
        """The figure as plain JSON, the entries of `more` beside its fields."""
        row = asdict(self)
        more = row.pop("more")
        return {**row, **more}


def accuracies(
    suite: str,
    paradigms: Sequence[str],
    hits: Floats,
    *,
    sizes: Mapping[str, int] | None,
    unit: str,
    more: Mapping[str, Any],
) -> list[Figure]:
    """The mean of `hits` over paradigms, as BLiMP's authors average, and over all items (a `unit` each), as BabyLM 2024
    did, in percent; each paradigm's stands in `more` of the first."""
    if not paradigms:
        return []
    names = sorted(set(paradigms))
    means = {name: round(100 * fmean(hits[np.array(paradigms) == name]), 4) for name in names}
    rows: tuple[tuple[str, Sequence[float] | None, Mapping[str, Any]], ...] = (
        (f"mean of {len(names)} paradigms", [1 / len(names)] * len(names), {"paradigms": means, **more}),
        (f"over {unit}", None, {}),
    )
    figures, measure, is_sampled = [], "accuracy, %", sizes is not None
    for part, weights, details in rows:
        share = mean_over(hits, paradigms, sizes, weights=weights)
        figures.append(Figure.percent(suite, part, measure, share, len(hits), is_sampled=is_sampled, more=details))
    return figures


def mean_over(
    values: Floats,
    strata: Sequence[str],
    sizes: Mapping[str, int] | None,
    *,
    weights: Sequence[float] | None = None,
) -> tuple[float, float | None]:
    """The mean of `mean_of_strata`, of values that are of these strata, in alphabetical order. `sizes`: how many items
    each stratum has, if these are a sample; its standard error is None if they are not."""
    names = sorted(set(strata))
    parts = [values[np.array(strata) == name] for name in names]
    totals = [sizes[name] if sizes else len(part) for name, part in zip(names, parts, strict=True)]
    mean, se = mean_of_strata(parts, totals, weights=weights)
    return mean, se if sizes else None


def mean_of_strata(
    values: Sequence[Floats],
    sizes: Sequence[int],
    *,
    weights: Sequence[float] | None = None,
    pooled: float | None = None,
) -> tuple[float, float | None]:
    """Σ weight × mean of each stratum, and its standard error as an estimate of the same over all `sizes` items of
    the strata: √Σ weight² (1 − n/N) s²/n (Cochran 1977, eq. 5.6), each s² drawn towards the `pooled` one (of all strata
    where none is given), so that a stratum of one item has that. None where a sample shows no spread at all: how far
    off it is, it cannot say. `weights` default to proportions of `sizes`."""
    pooled = within(values) if pooled is None else pooled
    weights = [number / sum(sizes) for number in sizes] if weights is None else weights
    parts = list(zip(values, sizes, weights, strict=True))
    mean = sum(weight * float(np.mean(values)) for values, _, weight in parts)
    sampled = [(values, number, weight) for values, number, weight in parts if len(values) < number]
    if sampled and not pooled:
        return mean, None
    variance = sum(
        weight**2 * (1 - len(values) / number) * _shrink(pooled or 0.0, values) / len(values)
        for values, number, weight in sampled
    )
    return mean, variance**0.5


def _shrink(pooled: float, values: Floats) -> float:
    """Two or three items that happen to be alike are no stratum without a spread."""
    return (float(np.var(values)) * len(values) + _BORROWED * pooled) / (len(values) - 1 + _BORROWED)


def within(values: Sequence[Floats]) -> float | None:
    """The variance within strata, pooled by degrees of freedom. Where these are fewer than the strata of one item, all
    are taken as one stratum, which tells too much rather than too little (collapsed strata; Cochran 1977, § 5A.12).
    None for one item."""
    freedom = sum(len(stratum) - 1 for stratum in values)
    if freedom < sum(len(stratum) == 1 for stratum in values):
        together = np.concatenate(values)
        return float(np.var(together, ddof=1)) if len(together) > 1 else None
    return sum(float(np.var(stratum)) * len(stratum) for stratum in values) / freedom if freedom else None
