"""Base taggers of `make from-scratch`'s recipe on other encoders and at other rates: F0.5 on the first half of BEA-dev.

    GEC_FAIR_DATA=../shared/data python benchmarks/encoders.py out/encoders \\
        distilbert=out/weights/distilbert@5e-5,1e-4 scratch=training/from-scratch/encoder@8e-4,4e-4 \\
        -o benchmarks/results/encoders.json

Thresholds are tuned on sentences of learners that were not trained on. All of it takes hours on two cores, so the first
seed of every encoder and rate comes first, each training is written down when it ends, with its commit, and what the
output lists is not run again, on another machine either (`of` names another script's result that is the same training).
`seconds` are of the wall clock, whatever else ran.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

from report import FOLDER, commit, machine, record, seconds

from gec_fair.stats.seeds import columns

sys.path.append(str(FOLDER.parent / "training/from-scratch"))

import run

KEY = "encoder", "sentences", "rate"


def train(out: Path, folder: Path, encoder: str, rate: str, seed: int, steps: int, workers: int) -> float:
    """F0.5 of one tagger."""
    settings = [f"labels={out / 'vocab/labels.txt'}", f"training.learning_rate={rate}", f"training.steps={steps}"]
    files = ["--train", out / "base.tsv", "--dev", out / "wi-dev.tsv", "-o", folder, "--seed", seed]
    run.step(
        folder / "manifest.json",
        *("gector", "train", run.FOLDER / "base.yaml", "--start", encoder, *files),
        *run.sets(settings),
        *("--workers", workers),
    )
    best = folder / "best"
    run.step(
        best / "decoding.yaml", "gector", "predict", best, "--tune", out / "wi-dev.m2", "--save", "--workers", workers
    )
    return run.score(best, out / run.BEA_DEV, folder, workers)


def table(trainings: list[dict]) -> list[dict]:
    """F0.5 by encoder, sentences and rate, with Student's interval over the seeds."""
    cells = dict.fromkeys((row["encoder"], row["sentences"], row["rate"]) for row in trainings)
    return [
        dict(zip(KEY, cell, strict=True))
        | columns("f0.5", [row["f0.5"] for row in trainings if tuple(row[name] for name in KEY) == cell])
        for cell in cells
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of the pairs and the trainings")
    parser.add_argument("encoders", nargs="+", metavar="NAME=FOLDER@RATE,RATE")
    parser.add_argument("--steps", type=int, default=1200, help="of 64 sentences")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    out, size = arguments.folder, run.SIZES["full"]
    out.mkdir(parents=True, exist_ok=True)
    run.prepare_base(size, run.inputs(replace(size, unseen=0), run.data()), out, arguments.workers)
    recorded = arguments.output.exists() and json.loads(arguments.output.read_text(encoding="utf-8"))
    trainings = recorded["trainings"] if recorded else []
    for seed, text in product(range(arguments.seeds), arguments.encoders):
        name, _, place = text.partition("=")
        encoder, _, rates = place.partition("@")
        for rate in rates.split(","):
            key = {"encoder": name, "sentences": 64 * arguments.steps, "rate": float(rate), "seed": seed}
            if any(key.items() <= row.items() for row in trainings):
                continue
            folder = out / f"{name}-{rate}-{arguments.steps}-{seed}"
            f05 = train(out, folder, encoder, rate, seed, arguments.steps, arguments.workers)
            measured = {"seconds": seconds(folder), "commit": commit(FOLDER), "cpu": machine()["cpu"]}
            trainings.append(key | {"f0.5": f05} | measured)
            content = {"set": run.BEA_DEV, "rows": table(trainings), "trainings": trainings}
            record(arguments.output, "encoders", content, ("torch", "transformers", "errant"))
            print(trainings[-1], flush=True)


if __name__ == "__main__":
    main()
