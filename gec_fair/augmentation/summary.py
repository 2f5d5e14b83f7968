"""The table that a run prints: outcomes with their shares, reasons, and the paper's shares beside ours."""

from __future__ import annotations

from pathlib import Path

from gec_fair.corpus.manifest import OUTCOMES, Manifest

# Lund et al. 2023, §4.1: "about 63 thousand" ST and "254 thousand" MF pairs; cLang-8 has 2,372,119 lines.
CLANG8_LINES = 2_372_119
PAPER_PAIRS = {"st": 63_000, "fm": 254_000}


def summary(manifest: Manifest, directory: Path) -> str:
    """Markdown, so that it can be pasted into a paper's appendix."""
    lines = manifest.counts["lines"]
    rows = ["| outcome | lines | share |", "| --- | ---: | ---: |"]
    for outcome in OUTCOMES:
        rows.append(f"| {outcome} | {manifest.counts[outcome]:,} | {_share(manifest.counts[outcome], lines)} |")
        for reason, number in manifest.reasons.get(outcome, {}).items():
            rows.append(f"| · {reason} | {number:,} | {_share(number, lines)} |")
    rows.append(f"| all | {lines:,} | |")
    paper = PAPER_PAIRS.get(manifest.identity.job)
    if paper is not None:
        rows.append(f"| *Lund et al. 2023, cLang-8* | *≈ {paper:,}* | *{_share(paper, CLANG8_LINES)}* |")
    notes = [f"warning: {w}" for w in manifest.warnings]
    return "\n".join([f"{directory / 'pairs.tsv'}", "", *rows, "", *notes, f"signature: {manifest.signature}"])


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"
