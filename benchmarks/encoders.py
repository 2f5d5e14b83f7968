"""Base taggers of `make from-scratch`'s recipe on other encoders and at other rates: F0.5 on the first half of BEA-dev.

    GEC_FAIR_DATA=../shared/data python benchmarks/encoders.py out/encoders --steps 300 --seeds 1 \\
        scratch=training/from-scratch/encoder@8e-4,4e-4 distilbert=out/weights/distilbert@1e-4,5e-5 \\
        -o benchmarks/results/encoders.json

Thresholds are tuned on sentences of learners that were not trained on. What is finished is not run again.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from report import FOLDER, record, seconds

from gec_fair.stats.seeds import columns

sys.path.append(str(FOLDER.parent / "training/from-scratch"))

import run


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of the pairs and the trainings")
    parser.add_argument("encoders", nargs="+", metavar="NAME=FOLDER@RATE,RATE")
    parser.add_argument("--steps", type=int, default=1200, help="of 64 sentences")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    out, size = arguments.folder, run.SIZES["full"]
    out.mkdir(parents=True, exist_ok=True)
    run.prepare_base(size, run.inputs(replace(size, unseen=0), run.data()), out, arguments.workers)
    rows = []
    for text in arguments.encoders:
        name, _, place = text.partition("=")
        encoder, _, rates = place.partition("@")
        for rate in rates.split(","):
            folders = [out / f"{name}-{rate}-{arguments.steps}-{seed}" for seed in range(arguments.seeds)]
            figures = [
                train(out, folder, encoder, rate, seed, arguments.steps, arguments.workers)
                for seed, folder in enumerate(folders)
            ]
            times = [seconds(folder) for folder in folders]
            rows.append(
                {"encoder": name, "rate": float(rate), **columns("f0.5", figures), "seeds": figures, "seconds": times}
            )
            print(rows[-1], flush=True)
            content = {"sentences": 64 * arguments.steps, "set": run.BEA_DEV, "rows": rows}
            record(arguments.output, "encoders", content, ("torch", "transformers", "errant"))


if __name__ == "__main__":
    main()
