"""The figures of a fairtuning, per seed and over seeds, from its records; and how often each attribute is a target.

gec-fair fairtune sst2 rte --seeds 5 -o out/fairtune
gec-fair fairscore --task rte --model tfidf --sampling axes -o out/rte.json
python benchmarks/fairtuning.py out/fairtune --targets out/rte.json -o benchmarks/results/fairtuning.json
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from report import record

from gec_fair.fairscore.tables import parts
from gec_fair.report.table import Part, Table, join_parts, right
from gec_fair.stats.estimate import FEW, Kind
from gec_fair.stats.seeds import over_seeds

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
MEASURES = ("figure", "fairscore")


def over(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Means over seeds, and what the paper's fairtuning changes in the same seed, with Student's intervals."""

    def cell(record: Mapping[str, Any]) -> tuple[str, str, str]:
        return record["task"], record["model"], record["tuning"]

    cells = {key: list(rows) for key, rows in groupby(sorted(records, key=cell), cell)}
    figures = {
        (*key, name): {row["seed"]: row[name] for row in rows} for key, rows in cells.items() for name in MEASURES
    }
    lines = []
    for (task, model, tuning, name), seeds in figures.items():
        line = {"task": task, "model": model, "tuning": tuning, "measure": name, **plain(seeds.values())}
        before = figures.get((task, model, "original", name), {})
        if tuning == "replaced" and (both := [seeds[seed] - before[seed] for seed in seeds if seed in before]):
            line["change"] = plain(both)
        lines.append(line)
    return lines


def plain(values: Iterable[float]) -> dict[str, float | None]:
    """Mean, interval and number of seeds; no interval where all seeds are alike."""
    return over_seeds(list(values), Kind.STUDENT).without_vain_interval(FEW).figures()


def targets(paths: Sequence[Path]) -> dict[str, Any]:
    """How many perturbed examples have each attribute as target, by file and together."""
    counts = {path.stem: Counter[str]() for path in paths}
    for path in paths:
        for pair, score in json.loads(path.read_text(encoding="utf-8"))["pairs"].items():
            counts[path.stem][pair.rpartition("→")[2].strip()] += score["n"]
    together = sum(counts.values(), Counter[str]())
    shares = {name: round(100 * number / together.total(), 2) for name, number in together.most_common()}
    return {"counts": counts, "percent": shares}


def table(lines: Sequence[Mapping[str, Any]]) -> Part:
    rows = [{**line, **{f"change_{key}": value for key, value in line.get("change", {}).items()}} for line in lines]
    columns = (
        *(right(name) for name in ("task", "model", "tuning", "measure")),
        right("value", ("{:.2f} [{low:.2f}, {high:.2f}]", "{:.2f}"), header="mean over seeds"),
        right(
            "change_value", ("{:+.2f} [{change_low:+.2f}, {change_high:+.2f}]", "{:+.2f}"), header="against original"
        ),
    )
    return Table("seeds", "Over seeds, with Student's 95 % intervals", tuple(rows), columns=columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--targets", type=Path, nargs="+", default=[], help="JSON files of gec-fair fairscore.")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.rglob("*.json") if path.stem.isdecimal())
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    means = over(records)
    print(join_parts([*parts(records), "", table(means)]))
    figures: dict[str, Any] = {"rows": [{key: record[key] for key in KEYS} for record in records], "seeds": means}
    if arguments.targets:
        figures["targets"] = targets(arguments.targets)
        print(json.dumps(figures["targets"]["percent"]))
    record(
        arguments.output,
        arguments.output.stem if arguments.output else "",
        figures,
        ("scikit-learn", "torch", "transformers"),
    )


if __name__ == "__main__":
    main()
