"""Fit how sure a rewriting is (`gec_fair/people/sure.tsv`) on rewritings that were read.

    GEC_FAIR_DATA=../shared/data python training/people/fit_sure.py

takes the verdicts whose rewriting the current code still gives, and of their texts the half that fits. Of the other
half it prints the faults among the surest, and how many are clean of those with some probability.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import people
import reading

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.planning import swap
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.corpus.outcome import Augmented, Sure
from gec_fair.corpus.records import Pair
from gec_fair.people.sure import INPUTS, WEIGHTS, Change

NAMES = tuple(INPUTS)
STRENGTH = 3.0
"""Of the ridge, over standardised inputs."""
COVERAGES = (1.0, 0.9, 0.85, 0.8, 0.75, 0.6)
BINS = (0.0, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
LEARNERS = "wi"
METHODS = {"fm": ("fm",), "st": ("st", "st-none")}

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A rewriting that was read."""

    corpus: str
    text: str
    level: str
    inputs: Sequence[float]


def read_rows(method: str) -> Iterator[Row]:
    """The rewritings that are the same as when they were read."""
    seen: list[Sequence[float]] = []

    def record(change: Change, _: str) -> Sure:
        seen.append([value(change) for value, _ in INPUTS.values()])
        return Sure(len(seen) - 1, "", "")

    options = Options(**reading.METHODS[method])
    augmenter, rewriter = Augmenter(options), Rewriter(options)
    for (corpus, read_method), by_line in people.read_levels().items():
        lines = [line for line in reading.read(corpus) if line.number in by_line] if read_method == method else []
        pairs = [Pair(corpus, n, line.source, line.target) for n, line in enumerate(lines)]
        with patch.object(swap, "sure_of", record):
            outcomes = (augmenter if lines and lines[0].target else rewriter.step)(pairs)
        for line, outcome in zip(lines, outcomes, strict=True):
            if not isinstance(outcome, Augmented) or outcome.sure is None:
                continue
            new = reading.digest_of(line.source, line.target, outcome.pair.source, outcome.pair.target)
            if level := by_line[line.number].get(new):
                yield Row(corpus, line.target or line.source, level, seen[int(outcome.sure.probability)])


def figures(likely: Rows, levels: Sequence[str]) -> str:
    """Severe and all faults in percent among the surest."""
    severe, faulty = (np.array([level in bad for level in levels]) for bad in (("severe",), ("severe", "weak")))
    order = np.argsort(-likely, kind="stable")
    shares = []
    for coverage in COVERAGES if len(order) else ():
        chosen = order[: round(coverage * len(order))]
        shares.append(f"{coverage:.0%} {100 * severe[chosen].mean():.1f}·{100 * faulty[chosen].mean():.1f}")
    return "  ".join(shares)


def print_judgement(method: str, rows: Sequence[Row], likely: Rows, judges: NDArray[np.bool_]) -> None:
    """How the probabilities fare, in both halves and by corpus."""
    learners = np.array([row.corpus == LEARNERS for row in rows])
    levels = np.array([row.level for row in rows])
    for half, part in (("fit", ~judges), ("judge", judges)):
        for corpus, here in (("learners", part & learners), ("others", part & ~learners)):
            print(f"{method}, {half}, {corpus}: {here.sum()}; severe·faulty {figures(likely[here], levels[here])}")
    for low, high in pairwise(BINS):
        here = judges & (likely >= low) & (likely < high)
        if here.any():
            clean = (levels[here] == "clean").mean()
            print(f"    {low:.2f} to {high:.2f}: {here.sum():5}, expected {likely[here].mean():.3f}, clean {clean:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write gec_fair/people/sure.tsv")
    write = parser.parse_args().write
    head = [line for line in WEIGHTS.read_text(encoding="utf-8").splitlines() if line.startswith(("#", "method"))]
    lines = []
    for method, read in METHODS.items():
        rows = [row for one in read for row in read_rows(one)]
        inputs = np.array([row.inputs for row in rows], float)
        is_clean = np.array([row.level == "clean" for row in rows], float)
        judges = np.array([people.is_judge(row.text) for row in rows])
        used = inputs[~judges].std(axis=0) > 0
        middle, spread = inputs[~judges].mean(axis=0), np.where(used, inputs[~judges].std(axis=0), 1.0)
        scaled = (inputs - middle) / spread
        model = LogisticRegression(C=1 / STRENGTH).fit(scaled[~judges], is_clean[~judges])
        likely, weights = model.predict_proba(scaled)[:, 1], model.coef_[0]
        print_judgement(method, rows, likely, judges)
        lines.append(f"{method}\talways\t{model.intercept_[0]:.4f}\t0")
        lines += [
            f"{method}\t{name}\t{weights[n] / spread[n]:.4f}\t{middle[n]:.4f}"
            for n, name in enumerate(NAMES)
            if used[n]
        ]
        order = np.argsort(-np.abs(weights))
        print("   ", *(f"{NAMES[n]} {weights[n]:+.2f}" for n in order if used[n]), sep="  ")
    if write:
        WEIGHTS.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
