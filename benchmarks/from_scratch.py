"""The figures of `make from-scratch` (or `make experiment-small`), per seed, from the experiment's own report.

python benchmarks/from_scratch.py out/from-scratch -o benchmarks/results/from-scratch.json
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from report import record

from gec_fair.cli.annotating import annotator
from gec_fair.evaluate.judge import ScoreOptions, judge
from gec_fair.evaluate.judge import figures as figures_of


def seconds(folder: Path) -> float:
    """How long a training ran, the pauses between its resumptions left out: the last of its log's runs."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    times = [json.loads(line).get("train_runtime") for line in lines]
    return round(next((t for t in reversed(times) if t is not None), 0.0), 1)


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
        "biased sentences": found["bias"]["sentences"],
    }


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
        "base": {"updates": base["result"]["steps"], "pairs": base["result"]["rows"],
                 "training": base["options"]["training"], "seconds": seconds(given.folder / "base")},
        "mixes": mix["systems"],
        "cells": {path.parent.relative_to(given.folder / "systems/cells").as_posix(): seconds(path.parent)
                  for path in sorted(given.folder.glob("systems/cells/*/*/log.jsonl"))},
        "full": results["full"],
        "rows": [row(found) for found in results["rows"]],
        "differences": [
            {**{key: found[key] for key in ("set", "first", "second", "delta", "ci95", "p", "p_holm")}}
            for found in results["differences"]
        ],
    }  # fmt: skip
    for found in figures["rows"]:
        print(f"{found['set']:18} {found['system']:2} {found['orig']:6.2f} {found['gap']:+6.2f} {found['ci95']}")
    record(given.output, "from-scratch", figures, ("torch", "transformers"), checkout=given.folder)


if __name__ == "__main__":
    main()
