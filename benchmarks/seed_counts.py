"""Counts of every sentence of an experiment's outputs (no sentence of them), and its tables from these counts.

    python benchmarks/seed_counts.py out/from-scratch/systems --full bea-dev.first2192.m2 -o COUNTS.npz
    python benchmarks/seed_counts.py COUNTS.npz [-o benchmarks/results/from-scratch-seeds.json]

The first form judges every output again: true positives, false positives and false negatives, in an array (sentences,
seeds, original and augmented, 3) for each set and system, and (sentences, seeds, 3) for the development set. The second
prints F0.5, gaps and differences from system 1. Intervals are Student's over seeds; `bootstrap` also draws sentences.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from report import record
from scipy.stats import ttest_rel

from gec_fair.evaluate.gap import significance
from gec_fair.evaluate.gap.compare import compare, discover, full_outputs
from gec_fair.evaluate.options import Annotating, ScoreOptions
from gec_fair.evaluate.scoring.errant import make_annotator
from gec_fair.evaluate.scoring.resampled import Counted, f_scores, table
from gec_fair.stats.estimate import Estimate, Kind
from gec_fair.stats.seeds import over_seeds

FULL = "bea-dev"
FIRST = "1"  # the system that the others are compared with: trained on the original pairs


def collect(cells: Path, full: Path | None) -> dict[str, Counted]:
    """`SET|SYSTEM` to counts."""
    reference = (full, full_outputs(cells)) if full is not None else None
    compared = compare(discover(cells), ScoreOptions(), make_annotator(Annotating()), full=reference, resamples=10)
    counts = {f"{row.gap.set.name}|{row.system}": row.gap.counts for row in compared.rows}
    for system, scores in compared.full.items():
        counts[f"{FULL}|{system}"] = table([score.scored.sentences for score in scores])
    return {name: array.astype(np.uint8) for name, array in counts.items()}


def points(estimate: Estimate, digits: int = 2) -> dict[str, Any]:
    ends = [None if end is None else round(100 * end, digits) for end in (estimate.low, estimate.high)]
    return {"value": round(100 * (estimate.value or 0.0), digits), "ci95": ends}


def figures(counts: Counted) -> dict[str, list[float]]:
    """What each seed has, in [0, 1]: F0.5, or that of both sides and the gap."""
    scores = f_scores(counts.astype(np.int64).sum(axis=0))
    if scores.ndim == 1:
        return {"f0.5": scores.tolist()}
    return {"orig": scores[:, 0].tolist(), "aug": scores[:, 1].tolist(), "gap": (scores[:, 1] - scores[:, 0]).tolist()}


def row(name: str, every: dict[str, Counted], resamples: int) -> dict[str, Any]:
    """A system on a set, and against system 1: a paired t-test over seeds, and a bootstrap over sentences and seeds."""
    set_name, system = name.split("|")
    counts = every[name].astype(np.int64)
    mine = figures(counts)
    judged = "gap" if "gap" in mine else "f0.5"
    result: dict[str, Any] = {"set": set_name, "system": system, "seeds": len(mine[judged])}
    result |= {column: points(over_seeds(values, Kind.STUDENT)) for column, values in mine.items()}
    if judged == "gap":
        result["gap, bootstrap"] = points(significance.gap(counts, resamples=resamples))
    first = every.get(f"{set_name}|{FIRST}")
    theirs = figures(first)[judged] if first is not None and system not in ("0", FIRST) else []
    if len(theirs) == len(mine[judged]) > 1:
        change = [score - of_first for score, of_first in zip(mine[judged], theirs, strict=True)]
        p = float(ttest_rel(mine[judged], theirs).pvalue)
        result["against system 1"] = {**points(over_seeds(change, Kind.STUDENT)), "p": float(f"{p:.2g}")}
        if judged == "gap" and first is not None:
            bootstrap = significance.difference(first.astype(np.int64), counts, resamples=resamples)
            result["against system 1, bootstrap"] = {**points(bootstrap), "p": bootstrap.p}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="an experiment's folder, or the counts of one")
    parser.add_argument("--full", type=Path, help="the M2 that full.txt is judged by")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if arguments.source.is_dir():
        counts = collect(arguments.source / "cells", arguments.full)
        np.savez_compressed(arguments.output, **counts)  # type: ignore[arg-type]
        print(f"{len(counts)} systems on sets -> {arguments.output}")
        return
    with np.load(arguments.source, allow_pickle=False) as archive:
        every = {name: archive[name] for name in archive.files}
    rows = [row(name, every, arguments.resamples) for name in every]
    for line in rows:
        cells = [f"{line['set']:18} {line['system']:2} {line['seeds']:2}"]
        cells += [f"{key} {cell['value']:+.2f} {cell['ci95']}" for key, cell in line.items() if isinstance(cell, dict)]
        print("  ".join(cells))
    record(arguments.output, "from-scratch-seeds", {"rows": rows}, ("scipy", "torch"))


if __name__ == "__main__":
    main()
