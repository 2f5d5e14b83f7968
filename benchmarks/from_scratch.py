"""The figures of `make from-scratch` (or `make experiment-small`), per seed, from the experiment's own report.

python benchmarks/from_scratch.py out/from-scratch -o benchmarks/results/from-scratch.json
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from report import record, seconds

from gec_fair.config.corpora import Reading
from gec_fair.evaluate.bias.corpus import audit
from gec_fair.evaluate.options import Annotating, ScoreOptions
from gec_fair.evaluate.scoring.errant import make_annotator
from gec_fair.evaluate.scoring.score import figures as figures_of
from gec_fair.evaluate.scoring.score import judge

AUDITED = 40_000  # sentences of novels


def score(outputs: Path) -> float:
    """The base tagger's F0.5, from what it wrote."""
    reference = Path(os.environ["GEC_FAIR_DATA"]) / "bea/bea-dev.first2192.m2"
    counts = judge(outputs, reference, ScoreOptions(), make_annotator(Annotating())).counts
    return round(figures_of(counts)["f0.5"], 2)


def row(result: dict[str, Any]) -> dict[str, Any]:
    """A system on a set."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    results = json.loads((arguments.folder / "systems/report/results.json").read_text(encoding="utf-8"))
    base = json.loads((arguments.folder / "base/manifest.json").read_text(encoding="utf-8"))
    mix = json.loads((arguments.folder / "mix/manifest.json").read_text(encoding="utf-8"))
    record_path = arguments.folder / "told.json"
    figures = {
        "run": json.loads(record_path.read_text(encoding="utf-8")) if record_path.exists() else None,
        "base f0.5 on bea-dev.first2192": score(arguments.folder / "base-dev.txt"),
        "base": {
            "updates": base["result"]["steps"],
            "pairs": base["result"]["rows"],
            "training": base["options"]["training"],
            "seconds": seconds(arguments.folder / "base"),
        },
        "mixes": mix["systems"],
        "held out": held_out(arguments.folder),
        "audit of the synthetic pairs": audited(arguments.folder),
        "cells": {
            path.parent.relative_to(arguments.folder / "systems/cells").as_posix(): seconds(path.parent)
            for path in sorted(arguments.folder.glob("systems/cells/*/*/log.jsonl"))
        },
        "full": results["full"],
        "rows": [row(result) for result in results["rows"]],
        "differences": [
            {**{key: result[key] for key in ("set", "first", "second", "delta", "ci95", "p", "p_holm")}}
            for result in results["differences"]
        ],
    }
    for result_row in figures["rows"]:
        print(
            f"{result_row['set']:18} {result_row['system']:2} {result_row['orig']:6.2f} "
            f"{result_row['gap']:+6.2f} {result_row['ci95']}"
        )
    record(arguments.output, "from-scratch", figures, ("torch", "transformers"), checkout=arguments.folder)


if __name__ == "__main__":
    main()
