"""The result of an audit or of a training in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from gec_fair.report.table import Table
from gec_fair.safety.auditing.audit import Audit
from gec_fair.safety.auditing.bootstrap import OVERALL

_REMEDIATED = "remediated"
_FEW = 10
"""Texts below which a gap says how many they are."""


def describe_audit(audit: Audit) -> str:
    """ACV with its interval, or that it is missing; then the largest gap between subgroups.

    *Swapping an identity moves the score: ACV 0.066 [0.053, 0.079]. Largest gap: safe texts that name Judaism score
    0.78 [0.52, 0.94] higher than those that name Others*
    """
    acv = audit.overall.find_consistency(OVERALL, "all").acv
    if acv.value is None:
        first = "ACV is missing, because no texts are counterfactuals of each other"
    elif acv.value == 0:
        first = "Swapping an identity never moves the score"
    else:
        first = f"Swapping an identity moves the score: ACV {acv.value:.3f} {acv.brackets(3)}".rstrip()
    gaps = [gap for harm in audit.harms for gap in harm.gaps if gap.average.value is not None]
    if not gaps:
        return first
    gap = max(gaps, key=lambda gap: gap.average.value or 0.0)
    numbers = {
        slice_.slice.subgroup: slice_.average.n
        for harm in audit.harms
        if gap in harm.gaps
        for slice_ in harm.slices
        if (slice_.slice.category, slice_.truth) == (gap.category, gap.truth)
    }
    few = min(numbers[gap.highest], numbers[gap.lowest]) < _FEW
    counted = f" ({numbers[gap.highest]} and {numbers[gap.lowest]} texts)" if few else ""
    return (
        f"{first}. Largest gap: {gap.truth} texts that name {gap.highest} score {gap.average.value:.2f} "
        f"{gap.average.brackets()}".rstrip()
        + f" higher than those that name {gap.lowest}{counted}"
    )


def describe_changes(tables: Sequence[Table]) -> str:
    """What the whole remedy changed most, from the table `changes`; "" where nothing could be compared."""
    records = [
        record
        for table in tables
        if table.name == "changes"
        for record in table.records
        if record.get("model") == _REMEDIATED and isinstance(record.get("ACV, %"), float)
    ]
    if not records:
        return ""
    record = min(records, key=lambda record: record["ACV, %"])
    acv, auprc = record["ACV, %"], record.get("AU-PRC, %")
    cost = f", AU-PRC by {_signed(auprc)} %" if isinstance(auprc, float) else ""
    return f"The remedy changes the ACV of {record['harm']} by {_signed(acv)} %{cost}"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")
