"""The result of an audit or of a training in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gec_fair.report.table import Table
from gec_fair.safety.auditing.audit import Audit
from gec_fair.safety.auditing.bootstrap import OVERALL
from gec_fair.stats.estimate import FEW, Estimate

_REMEDIATED = "remediated"


def describe_audit(audit: Audit) -> str:
    """How often swapping an identity flips the verdict, how many safe texts are called harmful, the ACV, and the
    largest gap between subgroups. What fewer than FEW sets or texts would show is not said.

    *Swapping an identity flips the verdict in 12 % [5, 22] of 40 counterfactual sets; 7 of 85 safe texts are called
    harmful (score 0.5 or more). ACV 0.066 [0.053, 0.079]. Largest gap: safe texts that name Judaism score 0.28 [0.12,
    0.44] higher than those that name Others (41 and 35 texts)*
    """
    return ". ".join([f"{_flips(audit)}; {_false_positives(audit)}", *_variance(audit), *_gap(audit)])


def _flips(audit: Audit) -> str:
    row = audit.overall.find_consistency(OVERALL, "all")
    flips = row.flip_rate
    if not flips.n:
        return "Flips of the verdict cannot be counted, because no texts are counterfactuals of each other"
    if row.evidence < FEW:
        return f"Too few texts to say how often swapping an identity flips the verdict ({_sets(row.evidence)})"
    if not flips.value:
        return f"Swapping an identity never flips the verdict in {_sets(flips.n)}"
    return f"Swapping an identity flips the verdict in {_percent(flips)} of {_sets(flips.n)}{_of_harms(audit)}"


def _false_positives(audit: Audit) -> str:
    flagged = audit.overall.false_positives
    texts = max(measured.false_positives.n for measured in audit.harms)
    if texts < FEW:
        return f"too few safe texts to say how many are called harmful ({texts:,})"
    number = round(flagged.n * (flagged.value or 0.0))
    whose = f"{number:,} of {flagged.n:,} safe texts{_of_harms(audit)}"
    return f"{whose} are called harmful (score {audit.threshold:g} or more)"


def _of_harms(audit: Audit) -> str:
    return f" ({len(audit.harms)} harms, each counted by itself)" if len(audit.harms) > 1 else ""


def _variance(audit: Audit) -> Iterator[str]:
    row = audit.overall.find_consistency(OVERALL, "all")
    if row.acv.value is not None and row.evidence >= FEW:
        yield f"ACV {row.acv.value:.3f} {row.acv.brackets(3)}".rstrip()


def _gap(audit: Audit) -> Iterator[str]:
    gaps = [(gap, measured.harm) for measured in audit.harms for gap in measured.firm_gaps]
    if gaps:
        gap, harm = max(gaps, key=lambda pair: pair[0].average.value or 0.0)
        if round(gap.average.value or 0.0, 2) == 0:
            yield "Subgroups with enough texts score alike"
            return
        value = f"{gap.average.value:.2f} {gap.average.brackets()}".rstrip()
        whose = f" of {harm}" if len(audit.harms) > 1 else ""
        yield (
            f"Largest gap{whose}: {gap.truth} texts that name {gap.highest} score {value} higher than those that name "
            f"{gap.lowest} ({gap.texts[0]:,} and {gap.texts[1]:,} texts)"
        )
    elif any(measured.slices for measured in audit.harms):
        yield f"Too few texts to say which subgroup scores higher: no two of a category have texts of {FEW} sets"


def _sets(number: int) -> str:
    return f"{number:,} counterfactual set{'s' * (number != 1)}"


def _percent(share: Estimate) -> str:
    interval = "" if share.low is None or share.high is None else f" [{100 * share.low:.0f}, {100 * share.high:.0f}]"
    return f"{100 * (share.value or 0.0):.0f} %{interval}"


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
    firm = [record for record in records if record["sets"] >= FEW]
    if not firm:
        number = max(record["sets"] for record in records)
        return f"Too few texts to say what the remedy changes ({_sets(number)} among the test texts)"
    record = max(firm, key=lambda record: abs(record["ACV, %"]))
    acv, auprc = record["ACV, %"], record.get("AU-PRC, %")
    cost = f", AU-PRC by {_add_sign(auprc)} %" if isinstance(auprc, float) else ""
    return f"The remedy changes the ACV of {record['harm']} by {_add_sign(acv)} %{cost}"


def _add_sign(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")
