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

from gec_fair.cli.options.annotator import annotator
from gec_fair.corpus.readers import Reading
from gec_fair.evaluate.bias.corpus import audit
from gec_fair.evaluate.scoring.score import ScoreOptions, judge
from gec_fair.evaluate.scoring.score import figures as figures_of

AUDITED = 40_000  # sentences of novels


def score(outputs: Path) -> float:
    """The base tagger's F0.5, from what it wrote."""
    reference = Path(os.environ["GEC_FAIR_DATA"]) / "bea/bea-dev.first2192.m2"
    counts = judge(outputs, reference, ScoreOptions(), annotator("embedded", 1, False)).counts
    return round(figures_of(counts)["f0.5"], 2)


def row(found: dict[str, Any]) -> dict[str, Any]:
    """A system on a set."""
    return {
        "set": found["set"],
        "system": found["system"],
        "seeds": found["seeds"],
        "orig": found["orig"]["f0.5"],
        "aug": found["aug"]["f0.5"],
        "gap": found["delta"],
        "ci95": found["ci95"],
        "p": found["p"],
        "gap by seed": found["deltas"],
        "two s.d. over seeds": found.get("two_sd"),
        "twins": found.get("twins"),
        "biased sentences": found["bias"]["sentences"],
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
    found = [audit([folder / "novels.tsv"], reading=Reading(limit=AUDITED)), audit([folder / "wi-noisy.tsv"])]
    return {"pairs": sum(each.pairs for each in found), "cases": sum(each.cases.total() for each in found)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    results = json.loads((given.folder / "systems/report/results.json").read_text(encoding="utf-8"))
    base = json.loads((given.folder / "base/manifest.json").read_text(encoding="utf-8"))
    mix = json.loads((given.folder / "mix/manifest.json").read_text(encoding="utf-8"))
    told = given.folder / "told.json"
    figures = {
        "run": json.loads(told.read_text(encoding="utf-8")) if told.exists() else None,
        "base f0.5 on bea-dev.first2192": score(given.folder / "base-dev.txt"),
        "base": {
            "updates": base["result"]["steps"],
            "pairs": base["result"]["rows"],
            "training": base["options"]["training"],
            "seconds": seconds(given.folder / "base"),
        },
        "mixes": mix["systems"],
        "held out": held_out(given.folder),
        "audit of the synthetic pairs": audited(given.folder),
        "cells": {
            path.parent.relative_to(given.folder / "systems/cells").as_posix(): seconds(path.parent)
            for path in sorted(given.folder.glob("systems/cells/*/*/log.jsonl"))
        },
        "full": results["full"],
        "rows": [row(found) for found in results["rows"]],
        "differences": [
            {**{key: found[key] for key in ("set", "first", "second", "delta", "ci95", "p", "p_holm")}}
            for found in results["differences"]
        ],
    }
    for found in figures["rows"]:
        print(f"{found['set']:18} {found['system']:2} {found['orig']:6.2f} {found['gap']:+6.2f} {found['ci95']}")
    record(given.output, "from-scratch", figures, ("torch", "transformers"), checkout=given.folder)


if __name__ == "__main__":
    main()
