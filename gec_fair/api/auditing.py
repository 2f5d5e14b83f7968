"""Count explicit bias in parallel data: `gf.audit` and `gf.audit_corpus`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.config.corpora import Reading
from gec_fair.config.options import part
from gec_fair.data.columns import Missing, Pairs, check_arguments, one_or_more, read_pairs, rows_with_texts
from gec_fair.data.keywords import keywords
from gec_fair.evaluate.options import PairAuditOptions
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Table, right

if TYPE_CHECKING:
    from gec_fair.evaluate.bias.corpus import Audit

_BIAS_COLUMNS = (
    Column("kind", lambda row: f"{row['kind']} {row['name'].replace('_', ' ')}"),
    right("cases", "{:,}", unknown="–"),
    right("pairs", "{:,}", unknown="–"),
    right("exposed_words", "{:,}", "words that could be hit", "–"),
    right("per_1000_words", "{:,.3f}", "per 1,000 of them", "–"),
    right("per_1000_pairs", "{:,.3f}", "per 1,000 pairs", "–"),
)


@dataclass(frozen=True, slots=True, repr=False)
class PairAudit(Result):
    """Which corrections of a parallel corpus are explicit bias. `kinds` has counts and rates by kind, `corrections` are
    the most frequent first, `dropped` pairs were filtered out, `complaints` are about malformed lines."""

    pairs: int
    malformed: int
    dropped: int
    kinds: Sequence[Mapping[str, Any]]
    corrections: Sequence[Mapping[str, Any]]
    complaints: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates by kind, and every correction with its count."""
        names = ("pairs", "malformed", "dropped", "kinds", "corrections")
        return {name: getattr(self, name) for name in names}

    def tables(self) -> Sequence[Table]:
        """By kind; then the corrections, the most frequent first."""
        return [
            Table("kinds", f"Explicit bias in {self.pairs:,} pairs", list(self.kinds), columns=_BIAS_COLUMNS),
            Table("corrections", "Corrections", list(self.corrections)),
        ]


@check_arguments
def audit(pairs: Pairs, *, source: str = "source", target: str = "target", missing: Missing = "refuse") -> PairAudit:
    """Count corrections in parallel data that are explicit bias: they → he, a child → children, themself → themselves.

    Args:
        pairs: (source, target) tuples, dicts, a `DataFrame`, an Arrow `Table`, a 🤗 `Dataset`, or a dict of columns.
        source: The name of the source column.
        target: The name of the target column.
        missing: "drop" leaves pairs out that have no source (None, NaN, an empty text) or no
            target (None, NaN), and counts them as `malformed`.

    Returns:
        Counts and rates by kind, and every correction. `audit_corpus` does the same for files.

    Raises:
        UsageError: For data without such columns, and for a value that is not a string, and an empty source.

    Examples:
        >>> import gec_fair as gf
        >>> audit = gf.audit([("They lost themself .", "They lost themselves .")])
        >>> [row["name"] for row in audit.kinds if row["cases"]]
        ['reflexive']

    Source: Lund, Omelianchuk and Samokhin (2023), §4.3: the kinds of Table 6.
    """
    from gec_fair.corpus.records import Pair
    from gec_fair.evaluate.bias.corpus import audit_pairs

    placed = [
        (f"pairs: row {number}", dict(zip((source, target), pair, strict=True)))
        for number, pair in enumerate(read_pairs(pairs, source=source, target=target), 1)
    ]
    checked = rows_with_texts(placed, [source], optional=[target], missing=missing)
    rows = [
        Pair("pairs", int(place.rpartition(" ")[2]), str(row[source]), str(row[target])) for place, row in checked.rows
    ]
    return replace(_pair_audit(audit_pairs(rows)), malformed=checked.dropped)


@keywords(PairAuditOptions)
def audit_corpus(inputs: str | Path | Sequence[str | Path], options: PairAuditOptions) -> PairAudit:
    """Count corrections that are explicit bias in parallel files, as `gec-fair audit-pairs` does, and filter them out.

    Args:
        inputs: One or more TSV, CSV, `.src` and `.tgt`, M2, JSONL or Parquet files, also compressed.

    Returns:
        Counts and rates by kind, every correction, and the malformed lines.

    Raises:
        InputError, UsageError: The message says what to do.

    Examples:
        >>> import gec_fair as gf
        >>> audit = gf.audit_corpus(["pairs.tsv"])
        >>> audit.pairs, audit.malformed
        (1, 0)

    Source: Lund, Omelianchuk and Samokhin (2023), §4.3: the kinds of Table 6.
    """
    from gec_fair.evaluate.bias.corpus import audit
    from gec_fair.evaluate.bias.explicit import Kind

    return _pair_audit(
        audit(
            one_or_more(inputs, "inputs"),
            out=None if options.output is None else Path(options.output),
            drop=[Kind[name.upper()] for name in options.drop],
            reading=part(options, Reading),
            overwrite=options.overwrite,
            strict=options.strict,
            progress=options.progress,
        )
    )


def _pair_audit(audit: Audit) -> PairAudit:
    report: dict[str, Any] = audit.as_json()
    complaints = [str(complaint) for complaint in audit.complaints]
    return PairAudit(**report, complaints=complaints)
