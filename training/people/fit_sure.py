"""Fit how sure a rewriting is (`gec_fair/people/sure.tsv`) on rewritings that were read.

    GEC_FAIR_DATA=../shared/data python training/people/fit_sure.py

takes the verdicts whose rewriting the current code still gives, the half of the texts that fits, and prints how the other
half is judged: faults among the surest, and how many of those with a probability are clean.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import people
import reading

import gec_fair as gf
from gec_fair.augmentation.planning import swap
from gec_fair.corpus.outcome import Sure
from gec_fair.people.sure import INPUTS, WEIGHTS, Change

NAMES = tuple(INPUTS)
STRENGTH = 3.0
"""Of the ridge, over standardised inputs."""
COVERAGES = (1.0, 0.9, 0.85, 0.8, 0.75, 0.6)
BINS = (0.0, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
METHODS = {"fm": ("fm",), "st": ("st", "st-none")}

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A rewriting that was read."""

    corpus: str
    text: str
    level: str
    inputs: Sequence[float]


def read_rows(methods: Sequence[str]) -> Iterator[Row]:
    """The rewritings that are the same as when they were read."""
    seen: list[Sequence[float]] = []

    def record(change: Change, _: str) -> Sure:
        seen.append([value(change) for value, _ in INPUTS.values()])
        return Sure(1.0, "", "")

    for (corpus, method), by_line in people.read_levels().items():
        if method not in methods:
            continue
        for line in reading.read(corpus):
            if line.number not in by_line:
                continue
            with patch.object(swap, "sure_of", record):
                seen.clear()
                drawn = list(reading.rewrite([line], method, corpus))
            level = by_line[line.number].get(drawn[0].digest) if drawn else None
            if level is not None and seen:
                yield Row(corpus, line.target or line.source, level, seen[-1])


def fit(inputs: Rows, is_right: Rows, weights: Rows) -> Rows:
    """Ridge-penalised logistic regression by Newton's method; the last weight is the constant."""
    table = np.c_[inputs, np.ones(len(inputs))]
    ridge = STRENGTH * np.diag([*np.ones(inputs.shape[1]), 0.0])
    chosen = np.zeros(table.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-table @ chosen))
        slope = table.T @ (weights * (likely - is_right)) + ridge @ chosen
        chosen -= np.linalg.solve((table.T * (weights * likely * (1 - likely))) @ table + ridge, slope)
    return chosen


def figures(likely: Rows, levels: Sequence[str]) -> str:
    severe, faulty = (np.array([level in bad for level in levels]) for bad in (("severe",), ("severe", "weak")))
    order = np.argsort(-likely, kind="stable")
    shares = []
    for coverage in COVERAGES:
        chosen = order[: round(coverage * len(order))]
        shares.append(f"{coverage:.0%} {100 * severe[chosen].mean():.1f}·{100 * faulty[chosen].mean():.1f}")
    return "  ".join(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write gec_fair/people/sure.tsv")
    write = parser.parse_args().write
    head = [line for line in WEIGHTS.read_text(encoding="utf-8").splitlines() if line.startswith(("#", "method"))]
    lines = []
    for method, read in METHODS.items():
        rows = list(read_rows(read))
        inputs = np.array([row.inputs for row in rows], float)
        is_clean = np.array([row.level == "clean" for row in rows], float)
        judges = np.array([people.is_judge(row.text) for row in rows])
        used = inputs[~judges].std(axis=0) > 0
        middle, spread = inputs[~judges].mean(axis=0), np.where(used, inputs[~judges].std(axis=0), 1.0)
        scaled = (inputs - middle) / spread
        chosen = fit(scaled[~judges], is_clean[~judges], np.ones(int((~judges).sum())))
        likely = 1 / (1 + np.exp(-(scaled @ chosen[:-1] + chosen[-1])))
        for name, part in (("fit", ~judges), ("judge", judges)):
            print(f"{method}, {name}: {part.sum()} rewritings; severe·faulty % of the surest")
            for corpora in (("wi",), tuple({row.corpus for row in rows} - {"wi"})):
                here = part & np.array([row.corpus in corpora for row in rows])
                print("   ", "learners" if corpora == ("wi",) else "others  ", figures(likely[here], [row.level for row, is_here in zip(rows, here, strict=True) if is_here]))
        for low, high in zip(BINS, BINS[1:], strict=False):
            here = judges & (likely >= low) & (likely < high)
            if here.any():
                print(f"    {low:.2f} to {high:.2f}: {here.sum():5}, expected {likely[here].mean():.3f}, clean {is_clean[here].mean():.3f}")
        lines.append(f"{method}\talways\t{chosen[-1]:.4f}\t0")
        lines += [
            f"{method}\t{name}\t{chosen[n] / spread[n]:.4f}\t{middle[n]:.4f}" for n, name in enumerate(NAMES) if used[n]
        ]
        for name, weight in sorted(zip(NAMES, chosen, strict=False), key=lambda pair: -abs(pair[1])):
            print(f"    {name} {weight:+.2f}", end="")
        print()
    if write:
        WEIGHTS.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
