"""The figures of `make from-scratch` (or `make experiment-small`), and the counts of every sentence of its outputs.

    python benchmarks/from_scratch.py out/from-scratch -o benchmarks/results/from-scratch.json
    python benchmarks/from_scratch.py benchmarks/results/from-scratch.npz

The first form judges every output again. Beside the figures it writes counts, and no sentence: true positives, false
positives and false negatives, in an array (sentences, seeds, original and augmented, 3) for each set and system, and
(sentences, seeds, 3) for the development set. The second makes F0.5, gaps and differences from system 1 from the counts
alone. Intervals are Student's over seeds; `bootstrap` also draws sentences.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
from report import FOLDER, record, seconds
from scipy.stats import ttest_rel

from gec_fair.config.corpora import Reading
from gec_fair.evaluate.bias.corpus import audit
from gec_fair.evaluate.gap import significance
from gec_fair.evaluate.gap.compare import compare, discover, full_outputs, read_run_record
from gec_fair.evaluate.options import Annotating, ScoreOptions
from gec_fair.evaluate.scoring.errant import make_annotator
from gec_fair.evaluate.scoring.resampled import Counted, f_scores, table
from gec_fair.evaluate.scoring.score import figures as figures_of
from gec_fair.evaluate.scoring.score import judge
from gec_fair.stats.estimate import Estimate, Kind
from gec_fair.stats.seeds import over_seeds

AUDITED = 40_000  # sentences of novels
TABLES = ("bea-195-first95", "bea-556-first273", "they-probe", "unseen-st")  # sets whose tables are kept
REFERENCE = "bea/bea-dev.first2192.m2"
FULL = "bea-dev"
FIRST = "1"  # the system that the others are compared with: trained on the original pairs


def collect(cells: Path) -> dict[str, Counted]:
    """`SET|SYSTEM` to counts."""
    about = read_run_record(cells)
    reference = (Path(about.full), full_outputs(cells)) if about.full else None
    outputs = discover(cells, about.sets)
    compared = compare(outputs, ScoreOptions(), make_annotator(Annotating()), full=reference, resamples=10)
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


def score(outputs: Path) -> float:
    """The base tagger's F0.5, from what it wrote."""
    reference = Path(os.environ["GEC_FAIR_DATA"]) / REFERENCE
    counts = judge(outputs, reference, ScoreOptions(), make_annotator(Annotating())).counts
    return round(figures_of(counts)["f0.5"], 2)


def reported(result: dict[str, Any]) -> dict[str, Any]:
    """A system on a set, as the experiment's report has it."""
    return {
        "set": result["set"],
        "system": result["system"],
        "seeds": result["seeds"],
        "orig": result["orig"]["f0.5"],
        "aug": result["aug"]["f0.5"],
        "gap": result["delta"],
        "ci95": result["ci95"],
        "p": result["p"],
        "gap by seed": result["deltas"],
        "two s.d. over seeds": result.get("two_sd"),
        "twins": result.get("twins"),
        "biased sentences": result["bias"]["sentences"],
        "bias by kind": result["bias"]["cases"],
    }


def held_out(folder: Path) -> dict[str, int]:
    """Corrections of more than five words that stand in the training pairs too, under other sources."""
    held, train = (
        [line.split("\t")[1] for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("wi-held.tsv", "wi-train.tsv")
    )
    long = {target for target in held if len(target.split()) > 5}
    return {"pairs": len(held), "corrections in training": len(long & set(train))}


def audited(folder: Path) -> dict[str, int]:
    """Explicit bias in what the noise module made: sentences of novels, and W&I's corrected sides."""
    audits = [audit([folder / "novels.tsv"], reading=Reading(limit=AUDITED)), audit([folder / "wi-noisy.tsv"])]
    return {"pairs": sum(audit_.pairs for audit_ in audits), "cases": sum(audit_.cases.total() for audit_ in audits)}


def run_of(folder: Path) -> dict[str, Any]:
    """What was run, for how long, and what its report says."""
    results = json.loads((folder / "systems/report/results.json").read_text(encoding="utf-8"))
    base = json.loads((folder / "base/manifest.json").read_text(encoding="utf-8"))
    inputs, outcome = (folder / name for name in ("made-from.json", "told.json"))
    return {
        "run": json.loads(outcome.read_text(encoding="utf-8")) if outcome.exists() else None,
        "made from": json.loads(inputs.read_text(encoding="utf-8")),
        "base f0.5 on bea-dev.first2192": score(folder / "base-dev.txt"),
        "base": {
            "updates": base["result"]["steps"],
            "pairs": base["result"]["rows"],
            "training": base["options"]["training"],
            "seconds": seconds(folder / "base"),
        },
        "mixes": json.loads((folder / "mix/manifest.json").read_text(encoding="utf-8"))["systems"],
        "held out": held_out(folder),
        "audit of the synthetic pairs": audited(folder),
        "cells": {
            path.parent.relative_to(folder / "systems/cells").as_posix(): seconds(path.parent)
            for path in sorted(folder.glob("systems/cells/*/*/log.jsonl"))
        },
        "full": results["full"],
        "rows": [reported(result) for result in results["rows"]],
        "differences": [
            {key: result[key] for key in ("set", "first", "second", "delta", "ci95", "p", "p_holm")}
            for result in results["differences"]
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of the run, or the counts of one")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("-o", "--output", type=Path, help="the figures; the counts go beside them (.npz)")
    parser.add_argument("--checkout", type=Path, default=FOLDER, help="a folder in the one that was run")
    arguments = parser.parse_args()
    folder = arguments.source if arguments.source.is_dir() else None
    if folder:
        every = collect(folder / "systems/cells")
    else:
        with np.load(arguments.source, allow_pickle=False) as archive:
            every = {name: archive[name] for name in archive.files}
    rows = [row(name, every, arguments.resamples) for name in every]
    for line in rows:
        cells = [f"{line['set']:18} {line['system']:2} {line['seeds']:2}"]
        cells += [f"{key} {cell['value']:+.2f} {cell['ci95']}" for key, cell in line.items() if isinstance(cell, dict)]
        print("  ".join(cells))
    content = {**(run_of(folder) if folder and arguments.output else {}), "over seeds": rows}
    if folder and arguments.output:
        np.savez_compressed(arguments.output.with_suffix(".npz"), **every)  # type: ignore[arg-type]
        for table in ("full", "explicit-bias", "differences", *(f"gap-{name}" for name in TABLES)):
            copy(folder / f"systems/report/tables/{table}.md", arguments.output.with_suffix(""))
    if arguments.output:
        record(arguments.output, "from-scratch", content, ("torch", "transformers"), checkout=arguments.checkout)


if __name__ == "__main__":
    main()
