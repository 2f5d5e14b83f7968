"""`gec-fair safety audit`: a table of scores, measured and told; and what a remedy changed, where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gec_fair.config.options import check_range
from gec_fair.report.table import Record, Table
from gec_fair.safety.auditing import extremes as swings
from gec_fair.safety.auditing import measures, subgroup_bias
from gec_fair.safety.auditing.bootstrap import OVERALL, RESAMPLES, draw
from gec_fair.safety.auditing.cells import NOTE, interval_cell, interval_table
from gec_fair.safety.auditing.extremes import Swing
from gec_fair.safety.auditing.measures import LEAST, Change, Consistency, Gap, Measured, Sliced
from gec_fair.safety.auditing.subgroup_bias import SubgroupBias
from gec_fair.safety.data import scores
from gec_fair.stats.estimate import LEVEL

LITTLE = "too little variance"


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """How an audit resamples, and what it lists."""

    threshold: float = 0.5
    """A score at or above it flags a text."""
    resamples: int = RESAMPLES
    seed: int = 0

    def __post_init__(self) -> None:
        check_range(self, "threshold", least=0, most=1)
        check_range(self, "resamples", least=1)
        check_range(self, "seed", least=0)


@dataclass(frozen=True, slots=True)
class Audit:
    """`overall`: all harms pooled, of one harm itself; `changes`: by harm, against a table of the same texts;
    `swings`: of each harm the sets that swing most; `subgroups`: of each harm the AUCs and token gaps of subgroups."""

    overall: Measured
    harms: tuple[Measured, ...]
    changes: tuple[tuple[str, tuple[Change, ...]], ...]
    swings: tuple[Swing, ...]
    signature: str
    subgroups: tuple[SubgroupBias, ...]
    threshold: float
    """A score at or above it flags a text."""


def audit_scores(
    harms: Sequence[scores.Scored], options: AuditOptions, signature: str, *, before: Sequence[scores.Scored] = ()
) -> Audit:
    """Audit scores; `before`: the baseline's, aligned."""
    drawn = [draw(scores, by_subgroup=True, **asdict(options)) for scores in harms]
    measured = tuple(measures.measure(sample) for sample in drawn)
    overall = measured[0]
    if len(harms) > 1:
        overall = measures.measure(draw(scores.pool(harms), **asdict(options)))
    old = [draw(scores, **asdict(options)) for scores in before]
    changes = tuple(
        (then.scored.harm, tuple(measures.changes(then, now))) for then, now in zip(old, drawn, strict=False)
    )
    return Audit(
        overall,
        measured,
        changes,
        tuple(swing for scores in harms for swing in swings.largest(scores)),
        signature,
        tuple(subgroup_bias.measure_subgroups(sample) for sample in drawn),
        options.threshold,
    )


def as_json(audit: Audit) -> dict[str, Any]:
    """`acv` and `acv_normalised` over all harms, and the rows of every table by its name."""
    overall = audit.overall.find_consistency(OVERALL, "all")
    return {
        "acv": overall.acv.value,
        "acv_normalised": overall.acv_normalised.value,
        "tables": {table.name: list(table.records) for table in tables(audit)},
        "level": LEVEL,
        "signature": audit.signature,
    }


def tables(audit: Audit) -> list[Table]:
    """For people and for papers."""
    every = [*audit.harms, *([audit.overall] if len(audit.harms) > 1 else [])]
    candidates = [
        interval_table(
            "harms",
            "Counterfactual consistency by harm",
            map(_harm_record, every),
            "Flip rate: sets whose texts fall on both sides of the threshold. normalised ACV is ACV / variance of all "
            "scores of the harm.",
            4,
        ),
        interval_table(
            "acv",
            "ACV by category and truth",
            (_consistency_record(measured.harm, row) for measured in every for row in measured.consistency),
            "Within a category, a set is its texts that name a subgroup of it; sets of one are skipped.",
            4,
        ),
        interval_table(
            "slices",
            "Sliced averages",
            (_slice_record(harm.harm, row) for harm in audit.harms for row in harm.slices),
            "SA is the mean score; flagged the share at or above the threshold: FPR of safe texts, TPR of unsafe ones.",
            3,
        ),
        interval_table(
            "gaps",
            "The largest gaps between subgroups",
            (_gap_record(harm.harm, row) for harm in audit.harms for row in harm.gaps),
            "A largest gap is above 0 by chance alone, and so is its interval: the more so, the fewer the texts.",
            3,
        ),
        *subgroup_bias.tables(audit.subgroups),
        _make_changes(audit),
        Table("swings", "The sets that swing most", tuple(map(_swing_record, audit.swings)), "By id.", 4),
    ]
    return [table for table in candidates if table.records]


def _harm_record(measured: Measured) -> Record:
    over_all = measured.find_consistency(OVERALL, "all")
    return {
        "harm": measured.harm,
        "texts": measured.texts,
        "unsafe": measured.unsafe,
        "sets": measured.sets,
        "without a set": measured.alone,
        "sets of one": over_all.skipped,
        "sets of both labels": measured.mixed,
        **interval_cell("flip rate", over_all.flip_rate),
        **interval_cell("safe texts flagged", measured.false_positives),
        **interval_cell("ACV", over_all.acv),
        **interval_cell("normalised ACV", over_all.acv_normalised),
        **interval_cell("AU-PRC", measured.auprc),
    }


def _consistency_record(harm: str, row: Consistency) -> Record:
    return {
        "harm": harm,
        "category": row.category or "all",
        "truth": row.truth,
        "sets": row.acv.n,
        "sets of one": row.skipped,
        **interval_cell("ACV", row.acv),
        **interval_cell("normalised ACV", row.acv_normalised),
        **interval_cell("flip rate", row.flip_rate),
    }


def _slice_record(harm: str, row: Sliced) -> Record:
    return {
        "harm": harm,
        **row.slice.cells(),
        "truth": row.truth,
        "texts": row.average.n,
        **interval_cell("SA", row.average),
        **interval_cell("flagged", row.flagged),
    }


def _gap_record(harm: str, row: Gap) -> Record:
    return {
        "harm": harm,
        "category": row.category,
        "truth": row.truth,
        "highest": row.highest,
        "lowest": row.lowest,
        "texts": "{} and {}".format(*row.texts) if row.highest else "",
        **interval_cell("SA gap", row.average),
        **interval_cell("FPR/TPR gap", row.flagged),
        "without texts": ", ".join(row.without),
    }


def _make_changes(audit: Audit) -> Table:
    records = tuple(
        {
            "harm": harm,
            "category": change.category or "all",
            "truth": change.truth,
            "sets": change.acv.n,
            **interval_cell("ΔACV, %", change.acv),
            **interval_cell("Δ normalised ACV, %", change.acv_normalised),
        }
        for harm, changes in audit.changes
        for change in changes
        if change.acv.n
    )
    note = f"{NOTE} Percent of the baseline's; both are drawn together. Where the baseline's ACV is under {LEAST:g}: "
    return Table("changes", "Change against the baseline", records, f"{note}{LITTLE}.", 1, LITTLE)


def _swing_record(swing: Swing) -> Record:
    return {
        "harm": swing.harm,
        "set": swing.set_id,
        "variance": swing.variance,
        "lowest": f"{swing.ids[0]} ({swing.whom[0] or 'nobody'})",
        "its score": swing.scores[0],
        "highest": f"{swing.ids[1]} ({swing.whom[1] or 'nobody'})",
        "score": swing.scores[1],
    }
