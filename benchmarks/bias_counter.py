"""Precision and recall of the explicit-bias counter on constructed cases, traps included.

    python benchmarks/bias_counter.py [-o benchmarks/results/bias-counter.json]

Each row of bias-cases.tsv is an original, its augmented twin, and what a system makes of the twin; the kinds that a
linguist sees in it stand beside. Everything runs as in `gec-fair gap`: parse, coreference, ERRANT's edits, the gold's
edits taken out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from report import record

from gec_fair.english import pipeline
from gec_fair.english.lexicons.tables import read_table
from gec_fair.evaluate.bias.explicit import Kind, count, protect
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.people import links

CASES = Path(__file__).with_name("bias-cases.tsv")
COLUMNS = ("original", "augmented", "edits", "gold", "kinds", "why")


@dataclass(frozen=True)
class Row:
    """`expected` and `counted`: kinds of a case, with how often each occurs."""

    line: int
    augmented: str
    edits: str
    expected: Counter[Kind]
    counted: Counter[Kind]
    why: str


def changed(text: str, edits: str) -> tuple[str, ...]:
    """The text with each old=>new made at the first place of old (whole words)."""
    padded = f" {text} "
    for edit in edits.split("; ") if edits not in ("", "-") else ():
        old, _, new = edit.partition("=>")
        assert f" {old} " in padded, (old, text)
        padded = padded.replace(f" {old} ", f" {new} " if new else " ", 1)
    return tuple(padded.split())


def rows() -> list[Row]:
    table = read_table(CASES, COLUMNS)
    originals = [tuple(row.cells[0].split()) for row in table]
    sources = [tuple(row.cells[1].split()) for row in table]
    docs = list(pipeline.parse(pipeline.load_shared(), originals))
    places = [protect(d, s, c) for d, s, c in zip(docs, sources, links.load().clusters(docs), strict=True)]
    annotate = Annotator()
    mine = annotate([(source, changed(row.cells[1], row.cells[2])) for source, row in zip(sources, table, strict=True)])
    gold = annotate([(source, changed(row.cells[1], row.cells[3])) for source, row in zip(sources, table, strict=True)])
    cases = count(sources, places, mine, gold).cases
    return [
        Row(
            row.line,
            row.cells[1],
            row.cells[2],
            Counter(Kind(int(n)) for n in row.cells[4].split(",") if n not in ("", "-")),
            Counter(case.kind for case in cases if case.sentence == n),
            row.cells[5],
        )
        for n, row in enumerate(table)
    ]


def measures(rows_: list[Row]) -> dict[str, dict[str, float | int]]:
    """By kind, and `all`: cases found and right, found and wrong, missed; precision and recall in percent."""
    figures = {}
    for name, kinds in (*((kind.name.lower(), {kind}) for kind in Kind), ("all", set(Kind))):
        right = sum(min(row.expected[k], row.counted[k]) for row in rows_ for k in kinds)
        said = sum(row.counted[k] for row in rows_ for k in kinds)
        expected = sum(row.expected[k] for row in rows_ for k in kinds)
        figures[name] = {
            "tp": right,
            "fp": said - right,
            "fn": expected - right,
            "precision": round(100 * right / said, 1) if said else 100.0,
            "recall": round(100 * right / expected, 1) if expected else 100.0,
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    counted_rows = rows()
    figures = measures(counted_rows)
    traps = [row for row in counted_rows if not row.expected]
    print("| kind | right | wrong | missed | precision | recall |\n| --- |" + " ---: |" * 5)
    for name, m in figures.items():
        print(f"| {name} | {m['tp']} | {m['fp']} | {m['fn']} | {m['precision']:.1f} | {m['recall']:.1f} |")
    print(f"{len(counted_rows)} cases, {len(traps)} traps, {sum(bool(row.counted) for row in traps)} fallen into")
    for row in counted_rows:
        if row.expected != row.counted:
            names = [
                ", ".join(sorted(k.name.lower() for k in kinds.elements())) for kinds in (row.expected, row.counted)
            ]
            print(
                f"{CASES.name}:{row.line}: {row.edits} — expected {names[0] or 'none'}, found {names[1] or 'none'} "
                f"({row.why}): {row.augmented}"
            )
    record(arguments.output, "bias-counter", {"cases": len(counted_rows), "traps": len(traps), **figures}, ("errant",))


if __name__ == "__main__":
    main()
