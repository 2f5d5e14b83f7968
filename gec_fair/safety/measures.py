"""How much a swapped identity swings a score, and which subgroups are scored otherwise (§3).

    ACV             mean over counterfactual sets of the variance of the scores in a set (population variance)
    normalised ACV  ACV / variance of all scores of the harm: a timid classifier has a small ACV, not a small share
    SA(s | truth)   mean score of the texts that name subgroup s, of the safe ones and the unsafe ones apart
    flip rate       share of the sets whose scores do not all fall on one side of the threshold
    FPR, TPR        of a subgroup, at the threshold; AU-PRC needs none

All but AU-PRC are ratios of sums over sets, so intervals come from one product of matrices: sets are drawn, not rows,
for counterfactuals of one text are one piece of evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from gec_fair.errors import UsageError
from gec_fair.safety.groups import Slice
from gec_fair.safety.scored import Flags, Floats, Scored

Truth = Literal["all", "safe", "unsafe"]
TRUTHS: tuple[Truth, ...] = ("all", "safe", "unsafe")
OVERALL = ""
"""Instead of a category: whole sets, whichever subgroups are in them."""
RESAMPLES = 1000
LEVEL = 0.95
LEAST = 1e-3
"""ACV under which a change is told in no percentage."""
_CELLS = 4_000_000  # weights at a time, 32 MB
Key: TypeAlias = tuple[str, ...]


class Estimate(NamedTuple):
    """A value with the interval that covers LEVEL of its resamples, from `n` sets or texts. None: no data."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Consistency:
    """Of the counterfactual sets of a truth, within a category or OVERALL. `skipped`: sets of one text."""

    category: str
    truth: Truth
    acv: Estimate
    acv_normalised: Estimate
    flip_rate: Estimate
    skipped: int


@dataclass(frozen=True, slots=True)
class Sliced:
    """Of the texts of a subgroup with one truth: their mean score, and the share at or above the threshold (FPR of safe
    ones, TPR of unsafe ones)."""

    slice: Slice
    truth: Truth
    average: Estimate
    flagged: Estimate


@dataclass(frozen=True, slots=True)
class Gap:
    """The largest difference between subgroups of a category: of sliced averages, and of FPR (safe) or TPR (unsafe).
    `highest`, `lowest`: which two by average. `without`: subgroups without such a text."""

    category: str
    truth: Truth
    average: Estimate
    flagged: Estimate
    highest: str
    lowest: str
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
    variance: float
    """Of all scores."""
    auprc: Estimate
    consistency: tuple[Consistency, ...]
    slices: tuple[Sliced, ...]
    gaps: tuple[Gap, ...]

    def of(self, category: str, truth: Truth) -> Consistency:
        return next(each for each in self.consistency if (each.category, each.truth) == (category, truth))


@dataclass(frozen=True, slots=True)
class Change:
    """Of a remediated classifier against its baseline on the same texts, percent of the baseline's value; None where
    its ACV is under LEAST: too little variance to be a share of."""

    category: str
    truth: Truth
    acv: Estimate
    acv_normalised: Estimate


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The sums that all measures are ratios of, by name, and AU-PRC: (1 + resamples,) each, first the data as they
    are."""

    scored: Scored
    sums: Mapping[Key, Floats]
    auprc: Floats
    skipped: Mapping[Key, int]
    mixed: int

    @property
    def variance(self) -> Floats:
        """Of all scores of the harm."""
        n = self.sums["texts", "n"]
        return self.sums["texts", "square"] / n - (self.sums["texts", "sum"] / n) ** 2

    def acv(self, category: str, truth: Truth) -> Floats:
        return _ratio(self.sums["variance", category, truth], self.sums["sets", category, truth])


def draw(scored: Scored, *, threshold: float = 0.5, resamples: int = RESAMPLES, seed: int = 0) -> Drawn:
    """Equal sets and seeds make equal draws, so that two classifiers of the same texts are paired. UsageError for no
    resamples."""
    if resamples < 1 or seed < 0:
        raise UsageError(f"{resamples} resamples with seed {seed}: give a positive number, and a seed of 0 or more")
    sums = _Sums(scored, threshold)
    found, auprc = sums.drawn(_weights(scored.set_count, resamples, seed), scored)
    return Drawn(scored, found, auprc, sums.skipped, sums.mixed)


def measure(drawn: Drawn) -> Measured:
    """All measures."""
    scored, sums = drawn.scored, drawn.sums
    categories = scored.categories()
    consistency = [_consistency(category, truth, drawn) for category in (OVERALL, *categories) for truth in TRUTHS]
    slices = [Sliced(each, truth, *(_estimate(_ratio(sums[(what, *each, truth)], sums[("n", *each, truth)]),
                                              sums[("n", *each, truth)]) for what in ("sum", "flagged")))
              for each in scored.slices for truth in TRUTHS[1:]]  # fmt: skip
    gaps = [_gap(category, truth, some, sums) for category, some in categories.items() for truth in TRUTHS[1:]]
    return Measured(
        scored.harm, len(scored.scores), int(scored.labels.sum()), len(scored.named),
        scored.set_count - len(scored.named), drawn.mixed, float(drawn.variance[0]),
        _estimate(drawn.auprc, sums["texts", "n"]), tuple(consistency), tuple(slices), tuple(gaps),
    )  # fmt: skip


def changes(before: Drawn, after: Drawn) -> list[Change]:
    """For whole sets and each category, by truth. The texts must be the same, in the same order (`scored.aligned`)."""
    found = []
    for category in (OVERALL, *before.scored.categories()):
        for truth in TRUTHS:
            old, new, sets = (
                before.acv(category, truth),
                after.acv(category, truth),
                before.sums["sets", category, truth],
            )
            little = not old[0] >= LEAST  # also of no data
            values = (old, new), (_ratio(old, before.variance), _ratio(new, after.variance))
            acv, normalised = (_estimate(np.where(little, np.nan, 100 * (_ratio(now, then) - 1)), sets)
                               for then, now in values)  # fmt: skip
            found.append(Change(category, truth, acv, normalised))
    return found


class _Sums:
    """What each set adds to the sums that the measures are ratios of: (sets, sums)."""

    def __init__(self, scored: Scored, threshold: float) -> None:
        self.sets, self.number = scored.sets, scored.set_count
        self.named = len(scored.named)
        self.columns: dict[Key, Floats] = {}
        self.skipped: dict[Key, int] = {}
        centre = float(scored.scores.mean())
        self.centred = scored.scores - centre  # variances are differences of sums; far from 0 they lose digits
        self.scores, self.flagged = scored.scores, (scored.scores >= threshold).astype(np.float64)
        everyone = np.ones(len(self.sets), dtype=np.bool_)
        truths: dict[Truth, Flags] = {"all": everyone, "safe": ~scored.labels, "unsafe": scored.labels}
        self._add(("texts", "n"), everyone, np.ones(len(self.sets)))
        self._add(("texts", "sum"), everyone, self.centred)
        self._add(("texts", "square"), everyone, self.centred**2)
        within = {OVERALL: everyone}
        for category, some in scored.categories().items():
            within[category] = np.zeros(len(self.sets), dtype=np.bool_)
            for each in some:
                within[category][scored.slices[each]] = True
        for category, inside in within.items():
            for truth, rows in truths.items():
                self._sets(category, truth, inside & rows)
        for each, members in scored.slices.items():
            inside = np.zeros(len(self.sets), dtype=np.bool_)
            inside[members] = True
            for truth in TRUTHS[1:]:
                rows = inside & truths[truth]
                self._add(("n", *each, truth), rows, np.ones(len(self.sets)))
                self._add(("sum", *each, truth), rows, self.scores)
                self._add(("flagged", *each, truth), rows, self.flagged)
        unsafe = self._count(scored.labels)
        self.mixed = int(((unsafe > 0) & (unsafe < self._count(everyone))).sum())

    def _count(self, rows: Flags) -> Floats:
        return np.bincount(self.sets[rows], minlength=self.number).astype(np.float64)

    def _add(self, key: Key, rows: Flags, values: Floats) -> None:
        self.columns[key] = self._summed(rows, values)

    def _summed(self, rows: Flags, values: Floats) -> Floats:
        return np.bincount(self.sets[rows], values[rows], self.number).astype(np.float64)

    def _sets(self, category: str, truth: Truth, rows: Flags) -> None:
        n = self._count(rows)
        counted = n > 1
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._summed(rows, self.centred) / n
            variance = self._summed(rows, (self.centred - mean[self.sets]) ** 2) / n
        above = self._summed(rows, self.flagged)
        self.columns["sets", category, truth] = counted.astype(np.float64)
        self.columns["variance", category, truth] = np.where(counted, variance, 0.0)
        self.columns["flips", category, truth] = (counted & (above > 0) & (above < n)).astype(np.float64)
        self.skipped[category, truth] = int((n[: self.named] == 1).sum())

    def drawn(self, weights: Iterator[Floats], scored: Scored) -> tuple[dict[Key, Floats], Floats]:
        """(resamples,) sums by name, and AU-PRC."""
        matrix = np.stack(list(self.columns.values()), axis=1)
        ranked = _Ranked(scored)
        found, curves = [], []
        for some in weights:
            found.append(some @ matrix)
            curves.append(ranked.average_precision(some))
        sums = np.concatenate(found)
        return {key: sums[:, n] for n, key in enumerate(self.columns)}, np.concatenate(curves)


class _Ranked:
    """Average precision of weighted texts: sorted once; equal scores are one step, as in scikit-learn."""

    def __init__(self, scored: Scored) -> None:
        order = np.argsort(-scored.scores, kind="stable")
        scores = scored.scores[order]
        self.sets, self.labels = scored.sets[order], scored.labels[order].astype(np.float64)
        self.ends = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
        self.at_once = max(1, _CELLS // max(1, len(scores)))

    def average_precision(self, weights: Floats) -> Floats:
        """(draws, sets) → (draws,); NaN where nothing unsafe was drawn."""
        return np.concatenate([self._of(weights[first : first + self.at_once])
                               for first in range(0, len(weights), self.at_once)])  # fmt: skip

    def _of(self, weights: Floats) -> Floats:
        rows = weights[:, self.sets]
        found = np.cumsum(rows * self.labels, axis=1)[:, self.ends]
        seen = np.cumsum(rows, axis=1)[:, self.ends]
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(seen > 0, found / seen, 0.0)
            area: Floats = (np.diff(found, axis=1, prepend=0.0) * precision).sum(axis=1) / found[:, -1]
        return area


def _weights(sets: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each set is drawn, (draws, sets) at a time; first of all the sets as they are."""
    chance = np.random.Generator(np.random.PCG64(seed))
    yield np.ones((1, sets))
    at_once = max(1, _CELLS // max(1, sets))
    for first in range(0, resamples, at_once):
        size = min(at_once, resamples - first)
        yield chance.multinomial(sets, np.full(sets, 1 / sets), size=size).astype(np.float64)


def _consistency(category: str, truth: Truth, drawn: Drawn) -> Consistency:
    sets, acv = drawn.sums["sets", category, truth], drawn.acv(category, truth)
    return Consistency(
        category, truth, _estimate(acv, sets), _estimate(_ratio(acv, drawn.variance), sets),
        _estimate(_ratio(drawn.sums["flips", category, truth], sets), sets), drawn.skipped[category, truth],
    )  # fmt: skip


def _gap(category: str, truth: Truth, some: Sequence[Slice], sums: Mapping[Key, Floats]) -> Gap:
    n = np.stack([sums[("n", *each, truth)] for each in some])
    averages, flagged = (_ratio(np.stack([sums[(what, *each, truth)] for each in some]), n)
                         for what in ("sum", "flagged"))  # fmt: skip
    there = np.flatnonzero(n[:, 0])
    order = there[np.argsort(averages[there, 0], kind="stable")]
    highest, lowest = (some[order[-1]].subgroup, some[order[0]].subgroup) if len(there) > 1 else ("", "")
    without = tuple(each.subgroup for each, number in zip(some, n[:, 0], strict=True) if not number)
    texts = n.sum(axis=0)
    return Gap(category, truth, _estimate(_largest(averages), texts), _estimate(_largest(flagged), texts), highest,
               lowest, without)  # fmt: skip


def _largest(values: Floats) -> Floats:
    """(subgroups, draws) → the largest difference in each draw; NaN where fewer than two subgroups have a text."""
    there = ~np.isnan(values)
    high = np.where(there, values, -np.inf).max(axis=0)
    low = np.where(there, values, np.inf).min(axis=0)
    return np.where(there.sum(axis=0) > 1, high - low, np.nan)


def _ratio(above: Floats, below: Floats) -> Floats:
    """NaN where there is nothing below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(below > 0, above / below, np.nan)
    return found


def _estimate(drawn: Floats, n: Floats) -> Estimate:
    """The first is the value; draws that hold none of its data are left out of the interval."""
    value, some = drawn[0], drawn[1:][~np.isnan(drawn[1:])]
    if np.isnan(value):
        return Estimate(None, None, None, int(n[0]))
    low, high = np.quantile(some, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(some) else (value, value)
    return Estimate(float(value), float(low), float(high), int(n[0]))
