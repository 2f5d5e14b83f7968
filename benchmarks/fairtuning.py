"""The figures of a fairtuning, per seed, from its records.

gec-fair fairtune sst2 rte --seeds 5 -o out/fairtune
python benchmarks/fairtuning.py out/fairtune -o benchmarks/results/fairtuning.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from report import record

from gec_fair.fairscore.tuning import parts
from gec_fair.report.table import join_parts

KEYS = (
    "task",
    "model",
    "tuning",
    "seed",
    "point",
    "trained_on",
    "metric",
    "figure",
    "fairscore",
    "ci95",
    "n",
    "flips",
    "both_correct",
    "neither_correct",
    "by_axis",
    "signature",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.rglob("*.json") if path.stem.isdecimal())
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    print(join_parts(parts(records)))
    rows = [{key: record[key] for key in KEYS} for record in records]
    record(arguments.output, "fairtuning", {"rows": rows}, ("scikit-learn", "torch", "transformers"))


if __name__ == "__main__":
    main()
