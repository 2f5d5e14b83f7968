"""`gec_fair.safety.audit`: whether swapping an identity in a text swings a safety score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.columns import Rows, read_rows
from gec_fair.report.results import Result
from gec_fair.report.table import Table

if TYPE_CHECKING:
    from gec_fair.safety.auditing.audit import Audit
    from gec_fair.safety.data.groups import Groups


@dataclass(frozen=True, slots=True)
class SafetyAudit(Result):
    """ACV (how much scores vary within a set of counterfactuals) and sliced averages, with intervals.

    `acv_normalised` is ACV divided by the variance of all scores. Both are None where no two texts share a set.
    """

    acv: float | None
    acv_normalised: float | None
    signature: str
    result: Audit = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair safety audit --json` prints."""
        from gec_fair.safety.auditing.audit import as_json

        return as_json(self.result)

    def tables(self) -> Sequence[Table]:
        """By harm, by category, sliced averages, gaps, changes and the largest swings."""
        from gec_fair.safety.auditing.audit import tables

        return tables(self.result)


def audit(
    scores: Rows | str | Path,
    *,
    against: Rows | str | Path | None = None,
    groups: str | Path | None = None,
    threshold: float = 0.5,
    resamples: int = 10_000,
    seed: int = 0,
) -> SafetyAudit:
    """Audit the scores of a safety classifier.

    Args:
        scores: Rows with set_id, category, subgroup, harm, label (0 safe, 1 unsafe), score (0 to 1), and id where a
            text names several subgroups: a `DataFrame`, an Arrow `Table`, dicts, or a file (CSV, TSV, JSONL, Parquet).
        against: The same of a baseline: what changed since it.
        groups: A table of identity categories and subgroups of your own; None for the paper's Table 2.
        threshold: A score at or above it flags a text.
        resamples: Of the bootstrap over counterfactual sets.
        seed: Of the bootstrap.

    Returns:
        The audit.

    Raises:
        InputError: For a missing column, and for a value that cannot be meant, with its row.
        MissingResource: Without the extra `[safety]`.

    Example:
        >>> import gec_fair as gf
        >>> row = {"set_id": "1", "category": "Religion", "harm": "hate", "label": 0}
        >>> texts = [row | {"subgroup": "Islam", "score": 0.7}, row | {"subgroup": "Judaism", "score": 0.1}]
        >>> round(gf.safety.audit(texts).acv, 4)
        0.09

    Source: Sturman et al. (2024), equations for ACV and SA.
    """
    from gec_fair import __version__
    from gec_fair.extras import require

    require("safety", "safety", "scipy")
    from gec_fair.safety.auditing import audit as auditing
    from gec_fair.safety.data import groups as grouping
    from gec_fair.safety.data import scores as tables

    known = grouping.read(Path(groups)) if groups is not None else grouping.shipped()
    options = auditing.AuditOptions(threshold, resamples, seed)
    if isinstance(scores, str | Path) and (against is None or isinstance(against, str | Path)):
        baseline = Path(against) if against is not None else None
        result = auditing.audit(Path(scores), known, options, against=baseline)
    else:
        rows = _rows(scores)
        signature = f"scores:{_digest(rows)}|threshold:{threshold:g}|resamples:{resamples}|seed:{seed}"
        harms = _read(rows, known, "scores")
        before = _read(_rows(against), known, "against") if against is not None else []
        if before:
            harms = tables.aligned(before, harms, known)
            signature += f"|against:{_digest(_rows(against))}"
        signature += f"|gec_fair:{__version__}"
        result = auditing.audit_scores(harms, options, signature, before=before)
    report = auditing.as_json(result)
    return SafetyAudit(report["acv"], report["acv_normalised"], result.signature, result)


def _rows(table: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """The rows behind their places, of a file or in memory."""
    from gec_fair.safety.data.scores import rows

    if isinstance(table, str | Path):
        return list(rows(Path(table), "score"))
    return [(f", row {number}", row) for number, row in enumerate(read_rows(table, "scores"), 1)]


def _read(rows: Sequence[tuple[str, Mapping[str, Any]]], groups: Groups, name: str) -> list[Any]:
    from gec_fair.safety.data.scores import read_rows

    return read_rows(rows, groups, name)


def _digest(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    from gec_fair.runs.digests import short_digest
    from gec_fair.safety.data.scores import cell

    return short_digest([{name: cell(value) for name, value in row.items()} for _, row in rows])
