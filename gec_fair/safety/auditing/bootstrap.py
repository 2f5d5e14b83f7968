"""The sums that all measures of a harm are ratios of, as they are and in a bootstrap over counterfactual sets: sets are
drawn, not rows, for counterfactuals of one text are one piece of evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np

from gec_fair.safety.auditing.ratios import ratio
from gec_fair.safety.auditing.subgroup_areas import SubgroupAreas
from gec_fair.safety.auditing.token_gaps import text_gaps
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Flags, Floats, Scored
from gec_fair.stats.bootstrap import weights

Truth = Literal["all", "safe", "unsafe"]
TRUTHS: tuple[Truth, ...] = ("all", "safe", "unsafe")
OVERALL = ""
"""Instead of a category: whole sets, whichever subgroups are in them."""
RESAMPLES = 1000
_CELLS = 4_000_000  # weights of texts at a time, 32 MB
Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The sums that all measures are ratios of, by name, and AU-PRC: (1 + resamples,) each, first the data as they
    are."""

    scored: Scored
    sums: Mapping[Key, Floats]
    auprc: Floats
    skipped: Mapping[Key, int]
    mixed: int
    evidence: Mapping[Key, int]
    """How many sets of two texts and more a category has of a truth, those that are drawn together as one."""
    areas: Mapping[Slice, Floats] = field(default_factory=dict)
    """(3, 1 + resamples) of each subgroup: subgroup, BPSN and BNSP AUC. Empty unless it was drawn by subgroup."""
    gap_sets: Mapping[Key, int] = field(default_factory=dict)
    """How many sets have a token gap, by subgroup and truth. Empty unless it was drawn by subgroup."""

    @property
    def variance(self) -> Floats:
        """The variance of all scores of the harm."""
        n = self.sums["texts", "n"]
        return self.sums["texts", "square"] / n - (self.sums["texts", "sum"] / n) ** 2

    def acv(self, category: str, truth: Truth) -> Floats:
        """(1 + resamples,): the mean variance within the sets of a category, NaN without a drawn set."""
        return ratio(self.sums["variance", category, truth], self.sums["sets", category, truth])


def draw(
    scored: Scored, *, threshold: float = 0.5, resamples: int = RESAMPLES, seed: int = 0, by_subgroup: bool = False
) -> Drawn:
    """Equal sets and seeds make equal draws, so that two classifiers of the same texts are paired. `by_subgroup`: the
    areas of each subgroup and the sums of token gaps too. UsageError for no resamples."""
    sums = _Sums(scored, threshold)
    drawn = weights(int(sums.units.max()) + 1, resamples=resamples, seed=seed, clusters=sums.units)
    if by_subgroup:
        sums.add_token_gaps(scored)
    areas = SubgroupAreas(scored) if by_subgroup else None
    rates, auprc, curves = sums.draw(chain([np.ones((1, len(sums.units)))], drawn), scored, areas)
    return Drawn(scored, rates, auprc, sums.skipped, sums.mixed, sums.evidence, curves, sums.gap_sets)


class _Sums:
    """What each set adds to the sums that the measures are ratios of: (sets, sums)."""

    def __init__(self, scored: Scored, threshold: float) -> None:
        self.sets, self.number = scored.sets, scored.set_count
        self.units = np.arange(self.number) if scored.units is None else scored.units
        self.named = len(scored.named)
        self.columns: dict[Key, Any] = {}
        self.skipped: dict[Key, int] = {}
        self.evidence: dict[Key, int] = {}
        self.gap_sets: dict[Key, int] = {}
        centre = float(scored.scores.mean())
        self.centred = scored.scores - centre  # variances are differences of sums; far from 0 they lose digits
        self.scores, self.flagged = scored.scores, (scored.scores >= threshold).astype(np.float64)
        self.ones, everyone = np.ones(len(self.sets)), np.ones(len(self.sets), dtype=np.bool_)
        self.truths: dict[Truth, Flags] = {"all": everyone, "safe": ~scored.labels, "unsafe": scored.labels}
        self._add(("texts", "n"), everyone, self.ones)
        self._add(("texts", "sum"), everyone, self.centred)
        self._add(("texts", "square"), everyone, self.centred**2)
        self._add(("texts", "safe"), self.truths["safe"], self.ones)
        self._add(("texts", "false positives"), self.truths["safe"], self.flagged)
        within = {OVERALL: everyone}
        for category, slices in scored.categories().items():
            within[category] = np.zeros(len(self.sets), dtype=np.bool_)
            for part in slices:
                within[category][scored.slices[part]] = True
        for category, inside in within.items():
            for truth, rows in self.truths.items():
                self._sets(category, truth, inside & rows)
        for part, members in scored.slices.items():
            inside = np.zeros(len(self.sets), dtype=np.bool_)
            inside[members] = True
            for truth in TRUTHS[1:]:
                rows = inside & self.truths[truth]
                self._add(("n", *part, truth), rows, self.ones)
                self._add(("sum", *part, truth), rows, self.scores)
                self._add(("flagged", *part, truth), rows, self.flagged)
        unsafe = self._sum(scored.labels, self.ones)
        self.mixed = int(((unsafe > 0) & (unsafe < self._sum(everyone, self.ones))).sum())

    def _add(self, key: Key, rows: Flags, values: Floats) -> None:
        self.columns[key] = _sparse(self._sum(rows, values))

    def _sum(self, rows: Flags, values: Floats) -> Floats:
        return np.bincount(self.sets[rows], values[rows], self.number).astype(np.float64)

    def _sets(self, category: str, truth: Truth, rows: Flags) -> None:
        n = self._sum(rows, self.ones)
        counted = n > 1
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._sum(rows, self.centred) / n
            variance = self._sum(rows, (self.centred - mean[self.sets]) ** 2) / n
        above = self._sum(rows, self.flagged)
        self.columns["sets", category, truth] = _sparse(counted.astype(np.float64))
        self.columns["variance", category, truth] = _sparse(np.where(counted, variance, 0.0))
        self.columns["flips", category, truth] = _sparse((counted & (above > 0) & (above < n)).astype(np.float64))
        self.evidence[category, truth] = len(np.unique(self.units[counted]))
        self.skipped[category, truth] = int((n[: self.named] == 1).sum())

    def add_token_gaps(self, scored: Scored) -> None:
        """Add for each set, by subgroup and truth, the sum of its texts' gaps, and how many texts have one."""
        for truth, rows in self.truths.items():
            for subgroup, gaps in text_gaps(scored, rows):
                compared = ~np.isnan(gaps)
                self.gap_sets[(*subgroup, truth)] = scored.count_sets(compared)
                self._add(("gaps", *subgroup, truth), compared, self.ones)
                self._add(("gap", *subgroup, truth), compared, gaps)

    def draw(
        self, blocks: Iterable[Floats], scored: Scored, areas: SubgroupAreas | None
    ) -> tuple[dict[Key, Floats], Floats, dict[Slice, Floats]]:
        """(resamples,) sums by name, AU-PRC, and the areas by subgroup."""
        from scipy.sparse import hstack

        matrix = hstack(list(self.columns.values()), format="csr").T.tocsr()  # a set is in few slices
        ranked = _Ranked(scored)
        draws, curves, by_subgroup = [], [], []
        for block in blocks:
            draws.append((matrix @ block.T).T)
            curves.append(ranked.average_precision(block))
            by_subgroup += [areas.draw(block)] if areas else []
        sums = np.concatenate(draws)
        drawn_areas = dict(zip(scored.slices, np.concatenate(by_subgroup, axis=2), strict=True)) if areas else {}
        return {key: sums[:, n] for n, key in enumerate(self.columns)}, np.concatenate(curves), drawn_areas


def _sparse(column: Floats) -> Any:
    from scipy.sparse import csc_matrix

    return csc_matrix(column[:, np.newaxis])


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
        starts = range(0, len(weights), self.at_once)
        return np.concatenate([self._block_precision(weights[first : first + self.at_once]) for first in starts])

    def _block_precision(self, weights: Floats) -> Floats:
        rows = weights[:, self.sets]
        cumulative = np.cumsum(rows * self.labels, axis=1)[:, self.ends]
        seen = np.cumsum(rows, axis=1)[:, self.ends]
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(seen > 0, cumulative / seen, 0.0)
            area: Floats = (np.diff(cumulative, axis=1, prepend=0.0) * precision).sum(axis=1) / cumulative[:, -1]
        return area
