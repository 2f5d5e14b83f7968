"""Unintended bias by subgroup: three AUCs (Borkan et al. 2019) and the counterfactual token fairness gap (Garg et al.
2019), with intervals over counterfactual sets. A figure without data is None, with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gec_fair.report.table import Table
from gec_fair.safety.auditing.bootstrap import TRUTHS, Drawn, Truth
from gec_fair.safety.auditing.cells import NO_DATA, NOTE, interval_cell
from gec_fair.safety.auditing.ratios import ratio
from gec_fair.safety.auditing.token_gaps import EVERYONE
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Floats, Integers, Scored
from gec_fair.stats.bootstrap import estimate
from gec_fair.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate, and why it has no value; `reason` is empty where it has one."""

    estimate: Estimate
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """`value`, `low`, `high`, `n`, and `reason`, which is None where there is a value."""
        return {**self.estimate.figures(), "reason": self.reason or None}


@dataclass(frozen=True, slots=True)
class SubgroupAuc:
    """Of a subgroup. `safe`, `unsafe`: texts that name it. The figures' `n` is how many texts make the pairs."""

    slice: Slice
    safe: int
    unsafe: int
    subgroup: Figure
    bpsn: Figure
    bnsp: Figure

    def figures(self) -> dict[str, Figure]:
        """By the name of the AUC."""
        return {"subgroup AUC": self.subgroup, "BPSN AUC": self.bpsn, "BNSP AUC": self.bnsp}

    def reasons(self) -> str:
        """Why figures are missing, by AUC."""
        return "; ".join(f"{name}: {figure.reason}" for name, figure in self.figures().items() if figure.reason)


@dataclass(frozen=True, slots=True)
class TokenGap:
    """Of the texts of a truth that name a subgroup, or of all texts (EVERYONE). The figure's `n` counts texts that
    have a counterfactual."""

    slice: Slice
    truth: Truth
    gap: Figure


@dataclass(frozen=True, slots=True)
class SubgroupBias:
    """Of one harm."""

    harm: str
    aucs: tuple[SubgroupAuc, ...]
    gaps: tuple[TokenGap, ...]


def measure_subgroups(drawn: Drawn) -> SubgroupBias:
    """`drawn` must be drawn `by_subgroup`."""
    scored = drawn.scored
    aucs = tuple(_auc(scored, slice_, areas) for slice_, areas in drawn.areas.items())
    gaps = tuple(_token_gap(slice_, truth, drawn) for slice_ in (EVERYONE, *drawn.areas) for truth in TRUTHS)
    return SubgroupBias(scored.harm, aucs, gaps)


def _auc(scored: Scored, slice_: Slice, areas: Floats) -> SubgroupAuc:
    safe, unsafe = _count(scored, scored.slices[slice_])
    all_unsafe = int(scored.labels.sum())
    safe_outside, unsafe_outside = len(scored.labels) - all_unsafe - safe, all_unsafe - unsafe
    outside_it = np.ones(len(scored.labels), dtype=np.bool_)
    outside_it[scored.slices[slice_]] = False
    safe_sets, unsafe_sets = scored.count_slice_sets(slice_)
    other_safe_sets = scored.count_sets(outside_it & ~scored.labels)
    other_unsafe_sets = scored.count_sets(outside_it & scored.labels)
    inside, outside = "text names it", "text is without it"
    return SubgroupAuc(
        slice_,
        safe,
        unsafe,
        _figure(areas[0], (safe, safe_sets, f"no safe {inside}"), (unsafe, unsafe_sets, f"no unsafe {inside}")),
        _figure(
            areas[1],
            (safe, safe_sets, f"no safe {inside}"),
            (unsafe_outside, other_unsafe_sets, f"no unsafe {outside}"),
        ),
        _figure(
            areas[2],
            (safe_outside, other_safe_sets, f"no safe {outside}"),
            (unsafe, unsafe_sets, f"no unsafe {inside}"),
        ),
    )


def _count(scored: Scored, members: Integers) -> tuple[int, int]:
    """Safe and unsafe texts among the members."""
    unsafe = int(scored.labels[members].sum())
    return len(members) - unsafe, unsafe


def _token_gap(slice_: Slice, truth: Truth, drawn: Drawn) -> TokenGap:
    texts = drawn.sums[("gaps", *slice_, truth)]
    values = ratio(drawn.sums[("gap", *slice_, truth)], texts)
    kind = "" if truth == "all" else f" {truth}"
    reason = (
        f"no{kind} text has a counterfactual in its set"
        if slice_ == EVERYONE
        else (f"no{kind} text that names it shares a set with one that does not")
    )
    return TokenGap(slice_, truth, _figure(values, (int(texts[0]), drawn.gap_sets[(*slice_, truth)], reason)))


def _figure(values: Floats, *sides: tuple[int, int, str]) -> Figure:
    """`sides`: how many texts are on each side of the pairs, of how many sets, and the reason to give where there are
    none."""
    reasons = [reason for texts, _, reason in sides if not texts]
    first = np.nan if reasons else values[0]
    least = min(sets for _, sets, _ in sides)
    return Figure(estimate(first, values[1:], sum(texts for texts, *_ in sides), least=least), " and ".join(reasons))


def as_json(bias: SubgroupBias) -> dict[str, Any]:
    """`subgroup_auc` and `counterfactual_token_gaps`."""
    return {
        "subgroup_auc": [
            {
                **auc.slice._asdict(),
                "safe": auc.safe,
                "unsafe": auc.unsafe,
                **{name.lower().replace(" ", "_"): figure.as_json() for name, figure in auc.figures().items()},
            }
            for auc in bias.aucs
        ],
        "counterfactual_token_gaps": [
            {
                "category": row.slice.category or None,
                "subgroup": row.slice.subgroup or None,
                "truth": row.truth,
                **row.gap.as_json(),
            }
            for row in bias.gaps
        ],
    }


def tables(biases: Sequence[SubgroupBias]) -> list[Table]:
    """`subgroup-auc` and `token-gaps`."""
    return [
        Table(
            "subgroup-auc",
            "AUC by subgroup",
            tuple(_auc_records(biases)),
            f"{NOTE} Subgroup AUC is over the texts that name the subgroup. BPSN AUC: unsafe texts without it and safe "
            "texts with it; it is low where its safe texts score too high. BNSP AUC: safe texts without it and unsafe "
            "texts with it; it is low where its unsafe texts score too low.",
            3,
            NO_DATA,
        ),
        Table(
            "token-gaps",
            "Counterfactual token fairness gaps",
            tuple(_gap_records(biases)),
            f"{NOTE} CTF gap is the mean distance between the score of a text that names the subgroup and the scores "
            "of the texts of its set that do not; of all, between each text of a set and the others.",
            4,
            NO_DATA,
        ),
    ]


def _auc_records(biases: Sequence[SubgroupBias]) -> Iterator[dict[str, Any]]:
    for bias in biases:
        for auc in bias.aucs:
            record = {"harm": bias.harm, **auc.slice._asdict(), "safe": auc.safe, "unsafe": auc.unsafe}
            for name, figure in auc.figures().items():
                record |= interval_cell(name, figure.estimate)
            yield {**record, "undefined": auc.reasons()}


def _gap_records(biases: Sequence[SubgroupBias]) -> Iterator[dict[str, Any]]:
    for bias in biases:
        for row in bias.gaps:
            yield {
                "harm": bias.harm,
                "category": row.slice.category or "all",
                "subgroup": row.slice.subgroup or "all",
                "truth": row.truth,
                "texts": row.gap.estimate.n,
                **interval_cell("CTF gap", row.gap.estimate),
                "undefined": row.gap.reason,
            }
