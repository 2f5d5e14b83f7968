"""What reweighting does beside counterfactual balance, on HateCheck with an injected imbalance: β, λ, rounds, draws,
over several splits.

make safety-demo
python benchmarks/safety.py out/safety-demo/hatecheck -o benchmarks/results/safety-weights.json
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from report import record

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from hatecheck_imbalance import GROUPS, imbalanced

from gec_fair.data.user_tables import write_rows
from gec_fair.safety.data import groups, split, texts
from gec_fair.safety.ensemble.model import EnsembleOptions
from gec_fair.safety.remedy import train
from gec_fair.safety.remedy.options import SafetyTraining
from gec_fair.safety.remedy.reweighting import Reweighting

MEASURES = ("auprc", "auprc_counterfactual", "acv", "acv_normalised", "gap_safe", "gap_unsafe")
VARIANTS: dict[str, dict[str, Any]] = {
    "balance alone": {"rounds": 0},
    **{
        f"β {beta:g}, λ {share:g}, rounds {rounds}": {"rounds": rounds, "reweighting": Reweighting(beta, beta, share)}
        for rounds, beta, share in product((1, 3), (1.0, 5.0, 20.0), (0.25, 1.0))
    },
    "β 5, λ 0.25, rounds 1, sampled": {"rounds": 1, "draws": "sampled", "reweighting": Reweighting(5, 5, 0.25)},
    "β 5, λ 0.5 for both truths, rounds 1": {"rounds": 1, "reweighting": Reweighting(5, 5, 0.5, 0.5)},
    "β 50, λ 0.5, rounds 1": {"rounds": 1, "reweighting": Reweighting(50, 50, 0.5)},
    "β 5, λ 0.5, rounds 1, no balance": {"rounds": 1, "balance": False, "reweighting": Reweighting(5, 5, 0.5)},
}


def tables(folder: Path, out: Path, seed: int) -> dict[str, tuple[str, ...]]:
    """Another imbalance and another split of the scored texts."""
    with (folder / "scored.csv").open(encoding="utf-8", newline="") as file:
        scored = {row["id"]: row for row in csv.DictReader(file)}
    every = texts.read(folder / "texts.csv", groups.read(GROUPS))
    rows = [{**scored[row["id"]], "copy_of": row["copy_of"]} for row in imbalanced(every, seed)]
    paths = {}
    for name, rows_of_split in split.split(rows, [50, 20, 30], seed=seed).items():
        write_rows(out / f"{name}.csv", rows_of_split)
        paths[name] = (str(out / f"{name}.csv"),)
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    figures: dict[str, list[dict[str, float]]] = {}
    for seed in range(arguments.splits):
        with tempfile.TemporaryDirectory() as folder:
            paths = tables(arguments.folder, Path(folder), seed)
            for name, values in VARIANTS.items():
                settings = SafetyTraining(
                    **paths,
                    harms=("hate",),
                    groups=str(GROUPS),
                    seeds=1,
                    resamples=1,
                    ensemble=EnsembleOptions(trees=100),
                    **values,
                )
                (one,) = train.run(settings, Path(folder) / name, say=lambda message: None)
                models = one.harms["hate"].models
                if name == "balance alone":
                    figures.setdefault("baseline", []).append({key: models["baseline"][key] for key in MEASURES})
                figures.setdefault(name, []).append({key: models["remediated"][key] for key in MEASURES})
    means = {
        name: {key: round(fmean(run[key] for run in runs), 4) for key in MEASURES} for name, runs in figures.items()
    }
    print(f"| | {' | '.join(MEASURES)} |\n| --- | {' | '.join(['---:'] * len(MEASURES))} |")
    for name, mean in means.items():
        print(f"| {name} | {' | '.join(f'{mean[key]:.4f}' for key in MEASURES)} |")
    record(
        arguments.output,
        "safety-weights",
        {"splits": arguments.splits, "means": means, "each": figures},
        ("scikit-learn",),
        checkout=arguments.folder,
    )


if __name__ == "__main__":
    main()
