"""How much a swapped identity swings a score, and which subgroups are scored otherwise (§3).

    ACV             mean over counterfactual sets of the variance of the scores in a set (population variance)
    normalised ACV  ACV / variance of all scores of the harm: a timid classifier has a small ACV, not a small share
    SA(s | truth)   mean score of the texts that name subgroup s, of the safe ones and the unsafe ones apart
    flip rate       share of the sets whose scores do not all fall on one side of the threshold
    FPR, TPR        of a subgroup, at the threshold; AU-PRC needs none

Intervals are over counterfactual sets (`bootstrap`). Texts of fewer than FEW sets have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gec_fair.safety.auditing.bootstrap import OVERALL, TRUTHS, Drawn, Key, Truth
from gec_fair.safety.auditing.ratios import ratio
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats
from gec_fair.stats.bootstrap import estimate
from gec_fair.stats.estimate import FEW, Estimate

LEAST = 1e-3
"""ACV under which no percentage is given for a change. Chosen by hand: a standard deviation of 0.03."""


@dataclass(frozen=True, slots=True)
class Consistency:
    """The consistency of the counterfactual sets of a truth, within a category or OVERALL. `skipped`: sets of one
    text. `evidence`: how many sets there are if each counts once for all harms."""

    category: str
    truth: Truth
    acv: Estimate
    acv_normalised: Estimate
    flip_rate: Estimate
    skipped: int
    evidence: int


@dataclass(frozen=True, slots=True)
class Sliced:
    """The texts of a subgroup with one truth: their mean score, and the share at or above the threshold (FPR of safe
    ones, TPR of unsafe ones)."""

    slice: Slice
    truth: Truth
    average: Estimate
    flagged: Estimate


@dataclass(frozen=True, slots=True)
class Gap:
    """The largest difference between subgroups of a category: of sliced averages, and of FPR (safe) or TPR (unsafe).
    `highest`, `lowest`: which two by average, with `texts` of each. `without`: subgroups without such a text."""

    category: str
    truth: Truth
    average: Estimate
    flagged: Estimate
    highest: str
    lowest: str
    texts: tuple[int, int]
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """A harm, or several pooled."""

    harm: str
    texts: int
    unsafe: int
    sets: int
    """Named in the table."""
    alone: int
    """Texts without a set."""
    mixed: int
    """Sets whose texts have both labels."""
    auprc: Estimate
    false_positives: Estimate
    """The share of safe texts at or above the threshold."""
    consistency: tuple[Consistency, ...]
    slices: tuple[Sliced, ...]
    gaps: tuple[Gap, ...]
    firm_gaps: tuple[Gap, ...]
    """The same between subgroups whose texts are of FEW sets or more, where there are two."""

    def find_consistency(self, category: str, truth: Truth) -> Consistency:
        """The row of a category (OVERALL: whole sets) and a truth."""
        return next(row for row in self.consistency if (row.category, row.truth) == (category, truth))


@dataclass(frozen=True, slots=True)
class Change:
    """A remediated classifier's change against its baseline on the same texts, percent of the baseline's value; None
    where its ACV is under LEAST: too little variance to be a share of."""

    category: str
    truth: Truth
    acv: Estimate
    acv_normalised: Estimate


def measure(drawn: Drawn) -> Measured:
    """All measures."""
    scored, sums = drawn.scored, drawn.sums
    categories = scored.categories()
    sets = {
        (subgroup, truth): number
        for subgroup in scored.slices
        for truth, number in zip(TRUTHS[1:], scored.count_slice_sets(subgroup), strict=True)
    }
    consistency = [_consistency(category, truth, drawn) for category in (OVERALL, *categories) for truth in TRUTHS]
    slices = []
    for subgroup, truth in sets:
        n = sums[("n", *subgroup, truth)]
        average, flagged = (ratio(sums[(statistic, *subgroup, truth)], n) for statistic in ("sum", "flagged"))
        estimates = (_estimate(values, n, sets[subgroup, truth]) for values in (average, flagged))
        slices.append(Sliced(subgroup, truth, *estimates))
    compared = [(category, truth, slices) for category, slices in categories.items() for truth in TRUTHS[1:]]
    gaps = [_gap(*parts, sums, sets) for parts in compared]
    enough = [
        (category, truth, [subgroup for subgroup in slices if sets[subgroup, truth] >= FEW])
        for category, truth, slices in compared
    ]
    firm_gaps = [_gap(*parts, sums, sets) for parts in enough if len(parts[-1]) > 1]
    safe = sums["texts", "safe"]
    return Measured(
        scored.harm,
        len(scored.scores),
        int(scored.labels.sum()),
        len(scored.named),
        scored.set_count - len(scored.named),
        drawn.mixed,
        _estimate(drawn.auprc, sums["texts", "n"], scored.count_sets(np.arange(len(scored.sets)))),
        _estimate(ratio(sums["texts", "false positives"], safe), safe, scored.count_sets(~scored.labels)),
        tuple(consistency),
        tuple(slices),
        tuple(gaps),
        tuple(firm_gaps),
    )


def changes(before: Drawn, after: Drawn) -> list[Change]:
    """For whole sets and each category, by truth. The texts must be the same, in the same order (`scored.aligned`)."""
    rows = []
    for category in (OVERALL, *before.scored.categories()):
        for truth in TRUTHS:
            old, new = before.acv(category, truth), after.acv(category, truth)
            sets, least = int(before.sums["sets", category, truth][0]), before.evidence[category, truth]
            little = not old[0] >= LEAST  # also of no data
            values = (old, new), (ratio(old, before.variance), ratio(new, after.variance))
            acv, normalised = (change(np.where(little, np.nan, then), now, sets, least) for then, now in values)
            rows.append(Change(category, truth, acv, normalised))
    return rows


def change(before: Floats, after: Floats, n: int, least: int) -> Estimate:
    """Percent of what it was, of paired draws of at least so many sets."""
    return _estimate(100 * (ratio(after, before) - 1), np.array([n]), least)


def _consistency(category: str, truth: Truth, drawn: Drawn) -> Consistency:
    sets, acv = drawn.sums["sets", category, truth], drawn.acv(category, truth)
    evidence = drawn.evidence[category, truth]
    return Consistency(
        category,
        truth,
        _estimate(acv, sets, evidence),
        _estimate(ratio(acv, drawn.variance), sets, evidence),
        _estimate(ratio(drawn.sums["flips", category, truth], sets), sets, evidence),
        drawn.skipped[category, truth],
        evidence,
    )


def _gap(
    category: str,
    truth: Truth,
    slices: Sequence[Slice],
    sums: Mapping[Key, Floats],
    sets: Mapping[tuple[Slice, Truth], int],
) -> Gap:
    n = np.stack([sums[("n", *subgroup, truth)] for subgroup in slices])
    averages, flagged = (
        ratio(np.stack([sums[(statistic, *subgroup, truth)] for subgroup in slices]), n)
        for statistic in ("sum", "flagged")
    )
    present = np.flatnonzero(n[:, 0])
    order = present[np.argsort(averages[present, 0], kind="stable")]
    ends = (order[-1], order[0]) if len(present) > 1 else ()
    highest, lowest = (slices[end].name for end in ends) if ends else ("", "")
    counts = tuple(int(n[end, 0]) for end in ends) if ends else (0, 0)
    least = min((sets[slices[end], truth] for end in ends), default=0)
    without = tuple(subgroup.name for subgroup, number in zip(slices, n[:, 0], strict=True) if not number)
    texts = n.sum(axis=0)
    return Gap(
        category,
        truth,
        _estimate(_largest(averages), texts, least),
        _estimate(_largest(flagged), texts, least),
        highest,
        lowest,
        (counts[0], counts[1]),
        without,
    )


def _largest(values: Floats) -> Floats:
    """(subgroups, draws) → the largest difference in each draw. NaN where fewer than two subgroups have a text, and in
    draws that lack a subgroup which the data have: a largest gap of fewer is smaller."""
    is_number = ~np.isnan(values)
    is_complete = is_number.sum(axis=0) >= max(2, is_number[:, 0].sum())
    high = np.where(is_number, values, -np.inf).max(axis=0)
    low = np.where(is_number, values, np.inf).min(axis=0)
    return np.where(is_complete, high - low, np.nan)


def _estimate(drawn: Floats, n: Floats, least: int | None = None) -> Estimate:
    """The first is the value; draws that hold none of its data are left out of the interval. `least`: how many sets the
    texts are from, or those of the smaller side."""
    return estimate(drawn[0], drawn[1:], int(n[0]), least=least)
