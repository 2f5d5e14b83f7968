"""Unintended bias by subgroup: three AUCs (Borkan et al. 2019) and the counterfactual token fairness gap (Garg et al.
2019), with intervals over counterfactual sets. A figure without data is None, with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gec_fair.report.table import Table
from gec_fair.safety.auditing.bootstrap import TRUTHS, Drawn, Truth
from gec_fair.safety.auditing.cells import interval_cell, interval_table
from gec_fair.safety.auditing.ratios import ratio
from gec_fair.safety.auditing.token_gaps import EVERYONE
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats, Scored
from gec_fair.stats.bootstrap import estimate
from gec_fair.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate, and why it has no value; `reason` is empty where it has one."""

    estimate: Estimate
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SubgroupAuc:
    """The AUC of a subgroup. `safe`, `unsafe`: texts that name it. The figures' `n` is how many texts make the
    pairs."""

    slice: Slice
    safe: int
    unsafe: int
    figures: Mapping[str, Figure]
    """By the name of the AUC."""


@dataclass(frozen=True, slots=True)
class TokenGap:
    """The token gap of the texts of a truth that name a subgroup, or of all texts (EVERYONE). The figure's `n` counts
    texts that have a counterfactual."""

    slice: Slice
    truth: Truth
    gap: Figure


@dataclass(frozen=True, slots=True)
class SubgroupBias:
    """One harm."""

    harm: str
    aucs: tuple[SubgroupAuc, ...]
    gaps: tuple[TokenGap, ...]


def measure_subgroups(drawn: Drawn) -> SubgroupBias:
    """`drawn` must be drawn `by_subgroup`."""
    scored = drawn.scored
    aucs = tuple(_auc(scored, subgroup, areas) for subgroup, areas in drawn.areas.items())
    gaps = tuple(_token_gap(subgroup, truth, drawn) for subgroup in (EVERYONE, *drawn.areas) for truth in TRUTHS)
    return SubgroupBias(scored.harm, aucs, gaps)


_PAIRS = {"subgroup AUC": (True, True), "BPSN AUC": (True, False), "BNSP AUC": (False, True)}
"""Whether the safe and the unsafe texts of the pairs name the subgroup."""


def _auc(scored: Scored, subgroup: Slice, areas: Floats) -> SubgroupAuc:
    inside = np.zeros(len(scored.labels), dtype=np.bool_)
    inside[scored.slices[subgroup]] = True

    def side(truth: Truth, is_inside: bool) -> tuple[int, int, str]:
        rows = (scored.labels == (truth == "unsafe")) & (inside == is_inside)
        reason = f"no {truth} text {'names it' if is_inside else 'is without it'}"
        return int(rows.sum()), scored.count_sets(rows), reason

    figures = {
        name: _figure(values, side("safe", safe), side("unsafe", unsafe))
        for (name, (safe, unsafe)), values in zip(_PAIRS.items(), areas, strict=True)
    }
    return SubgroupAuc(subgroup, side("safe", True)[0], side("unsafe", True)[0], figures)


def _token_gap(subgroup: Slice, truth: Truth, drawn: Drawn) -> TokenGap:
    texts = drawn.sums[("gaps", *subgroup, truth)]
    values = ratio(drawn.sums[("gap", *subgroup, truth)], texts)
    kind = "" if truth == "all" else f" {truth}"
    reason = (
        f"no{kind} text has a counterfactual in its set"
        if subgroup == EVERYONE
        else (f"no{kind} text that names it shares a set with one that does not")
    )
    return TokenGap(subgroup, truth, _figure(values, (int(texts[0]), drawn.gap_sets[(*subgroup, truth)], reason)))


def _figure(values: Floats, *sides: tuple[int, int, str]) -> Figure:
    """`sides`: how many texts are on each side of the pairs, of how many sets, and the reason to give where there are
    none."""
    reasons = [reason for texts, _, reason in sides if not texts]
    first = np.nan if reasons else values[0]
    least = min(sets for _, sets, _ in sides)
    return Figure(estimate(first, values[1:], sum(texts for texts, *_ in sides), least=least), " and ".join(reasons))


def tables(biases: Sequence[SubgroupBias]) -> list[Table]:
    """`subgroup-auc` and `token-gaps`."""
    return [
        interval_table(
            "subgroup-auc",
            "AUC by subgroup",
            _auc_records(biases),
            "Subgroup AUC is over the texts that name the subgroup. BPSN AUC: unsafe texts without it and safe "
            "texts with it; it is low where its safe texts score too high. BNSP AUC: safe texts without it and unsafe "
            "texts with it; it is low where its unsafe texts score too low.",
            3,
        ),
        interval_table(
            "token-gaps",
            "Counterfactual token fairness gaps",
            _gap_records(biases),
            "CTF gap is the mean distance between the score of a text that names the subgroup and the scores of the "
            "texts of its set that do not; of all, between each text of a set and the others.",
            4,
        ),
    ]


def _auc_records(biases: Sequence[SubgroupBias]) -> Iterator[dict[str, Any]]:
    for bias in biases:
        for auc in bias.aucs:
            record = {"harm": bias.harm, **auc.slice.cells(), "safe": auc.safe, "unsafe": auc.unsafe}
            for name, figure in auc.figures.items():
                record |= interval_cell(name, figure.estimate)
            reasons = (f"{name}: {figure.reason}" for name, figure in auc.figures.items() if figure.reason)
            yield {**record, "undefined": "; ".join(reasons)}


def _gap_records(biases: Sequence[SubgroupBias]) -> Iterator[dict[str, Any]]:
    for bias in biases:
        for row in bias.gaps:
            yield {
                "harm": bias.harm,
                **{column: name or "all" for column, name in row.slice.cells().items()},
                "truth": row.truth,
                "texts": row.gap.estimate.n,
                **interval_cell("CTF gap", row.gap.estimate),
                "undefined": row.gap.reason,
            }
