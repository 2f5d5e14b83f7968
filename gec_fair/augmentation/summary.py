"""The table that a run prints: outcomes with their shares, reasons, and the paper's shares beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gec_fair.corpus.manifest import OUTCOMES, Manifest
from gec_fair.report.table import Column, Part, Record, Table, right

# Lund et al. 2023, §4.1: "about 63 thousand" ST and "254 thousand" MF pairs; cLang-8 has 2,372,119 lines.
CLANG8_LINES = 2_372_119
PAPER_PAIRS = {"st": 63_000, "fm": 254_000}
_PAPER = "Lund et al. 2023, cLang-8"
_COLUMNS = (
    Column("outcome", ("*{paper}*", "· {reason}", "{}")),
    right("lines", lambda record: f"*≈ {record['lines']:,}*" if "paper" in record else f"{record['lines']:,}"),
    right("share", lambda record: f"*{_percent(record)}*" if "paper" in record else _percent(record), unknown="–"),
)


def parts(manifest: Manifest, directory: Path) -> list[Part]:
    """The path of the pairs, the table of outcomes, warnings and the signature."""
    notes = [f"warning: {w}" for w in manifest.warnings]
    return [f"{directory / 'pairs.tsv'}", "", outcomes(manifest), "", *notes, f"signature: {manifest.signature}"]


def outcomes(manifest: Manifest) -> Table:
    """Lines by outcome and reason, with their shares in percent."""
    return Table("outcomes", "Lines by outcome", tuple(_records(manifest)), columns=_COLUMNS)


def _records(manifest: Manifest) -> Iterator[Record]:
    lines = manifest.counts["lines"]
    for outcome in (name for name in OUTCOMES if name in manifest.counts):
        yield {"outcome": outcome, "reason": None, **_count(manifest.counts[outcome], lines)}
        for reason, number in manifest.reasons.get(outcome, {}).items():
            yield {"outcome": outcome, "reason": reason, **_count(number, lines)}
    yield {"outcome": "all", "lines": lines}
    paper = PAPER_PAIRS.get(manifest.identity.job)
    if paper is not None and is_clang8(manifest):
        yield {"outcome": "augmented", "paper": _PAPER, **_count(paper, CLANG8_LINES)}


def is_clang8(manifest: Manifest) -> bool:
    """Whether the corpus is cLang-8, by its name: the paper's figures are of no other."""
    return any("clang8" in str(file["name"]).lower() for file in manifest.inputs)


def _count(part: int, total: int) -> Record:
    return {"lines": part, "share": 100 * part / total if total else None}


def _percent(record: Record) -> str | None:
    return None if record["share"] is None else f"{record['share']:.1f} %"
