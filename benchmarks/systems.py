"""Gaps, explicit bias and counterfactual differences of the systems that run here, on every set that is here.

    GEC_FAIR_EVALSETS=data/bea/evalsets python benchmarks/systems.py [-o benchmarks/results/systems.json]
    … --system "aspell=command:python benchmarks/ispell.py aspell -a -d en_US"    one more; again for others
    … --text data/gec/wi_train/A.train.tsv [--limit N]    instead of sets: a text without gold
    python benchmarks/systems.py --table benchmarks/results/systems*.json    the table of docs/how-to/compare.md

A chat model is slow on a CPU. `they-probe-fifth` is every fifth sentence, the first among them:

    mkdir they-probe-fifth
    for side in orig st_aug; do
        whole=evalsets/they-probe/they-probe_$side fifth=they-probe-fifth/fifth_$side
        awk 'BEGIN {RS=""; ORS="\\n\\n"} NR % 5 == 1' $whole.m2 > $fifth.m2
        awk 'NR % 5 == 1' $whole.src.txt > $fifth.src.txt
    done

    python benchmarks/systems.py --only --system smollm2=openai:smollm2 --evalset they-probe-fifth --cached \\
        -o benchmarks/results/systems-chat.json

The figures are those of `make compare-gaps` and of `gec-fair counterfactual --evalset SET --system SYSTEM`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from report import record

import gec_fair as gf
from gec_fair.augmentation.options import Options
from gec_fair.evaluate.bias import counterfactual
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.gec.systems.protocol import count_passed
from gec_fair.gec.systems.registry import SYSTEMS, list_available, load
from gec_fair.gec.systems.run import correct, outputs_cache
from gec_fair.registry import read_labels

PACKAGES = ("errant", "symspellpy", "quire-grammar", "quire-grammar-model", "onnxruntime", "openai")
SET, SAMPLE, NEOPRONOUNS = "they-probe", "they-probe-fifth", "they-probe-neo"


class Once:
    """A system that corrects each text once, so that all figures are of the same answers."""

    def __init__(self, name: str, *, cached: bool) -> None:
        self.system, self.cache = load(name), outputs_cache() if cached else None
        self.version = self.system.version
        self.answers: dict[str, str] = {}

    def __call__(self, texts: Sequence[str]) -> list[str]:
        waiting = [text for text in texts if text not in self.answers]
        self.answers.update(zip(waiting, correct(self.system, waiting, cache=self.cache), strict=True))
        return [self.answers[text] for text in texts]

    def as_json(self) -> dict[str, Any]:
        passed = count_passed(self.system)
        return {"version": self.version, "texts": len(self.answers), "without a usable answer": passed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--system", action="append", default=[], metavar="NAME=SYSTEM", help="one more")
    parser.add_argument("--only", action="store_true", help="the systems of --system alone")
    parser.add_argument("--evalset", action="append", default=[], metavar="SET", help="these sets alone")
    parser.add_argument("--text", type=Path, metavar="FILE", help="tokenised texts without gold, in the first column")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N texts of --text alone")
    parser.add_argument("--cached", action="store_true", help="keep answers in the cache of gec-fair, and use them")
    parser.add_argument("--table", nargs="+", type=Path, metavar="JSON", help="print a table of these records alone")
    arguments = parser.parse_args()
    if arguments.table:
        print_table([json.loads(path.read_text("utf-8")) for path in arguments.table])
        return
    names = read_labels(SYSTEMS.noun, [*([] if arguments.only else list_available()), *arguments.system])
    systems = {label: Once(name, cached=arguments.cached) for label, name in names.items()}
    if arguments.text:
        measured: dict[str, Any] = {"text": measure_text(arguments.text, arguments.limit, systems)}
    else:
        measured = {"rows": measure_sets(systems, arguments.evalset)}
    measured["answers"] = {label: system.as_json() for label, system in systems.items()}
    record(arguments.output, "systems", measured, PACKAGES)


def measure_text(path: Path, limit: int | None, systems: dict[str, Once]) -> dict[str, Any]:
    """Counterfactual differences on texts without gold."""
    lines = path.read_text("utf-8").splitlines()[:limit]
    prepared = counterfactual.from_texts([tuple(line.partition("\t")[0].split()) for line in lines], Options("st"))
    rows = [{"system": label, **differences(prepared, system)} for label, system in systems.items()]
    print("| system | compared | explicit + implicit |\n| --- | ---: | ---: |")
    for row in rows:
        print(f"| {row['system']} | {row['compared']} | {rates(row)} |")
    return {"file": path.name, "texts": len(lines), "rows": rows}


def measure_sets(systems: dict[str, Once], names: Sequence[str]) -> list[dict[str, Any]]:
    """Gaps, explicit bias and counterfactual differences on the evaluation sets."""
    keys = ("set", "system", "orig", "aug", "delta", "ci95", "p", "bias", "splits", "twins")
    rows = [
        {
            **{key: row[key] for key in keys},
            **differences(counterfactual.from_set(catalogue.find(row["set"])), systems[row["system"]]),
        }
        for row in gf.compare(systems, names, no_cache=True).report["rows"]
    ]
    print("| set | system | recall | F0.5 orig | F0.5 aug | gap | 95 % interval | p | biased | explicit | implicit |")
    print("| --- | --- |" + " ---: |" * 9)
    for row in rows:
        cells = points(row).replace(" [", " | [")
        cells = cells if "|" in cells else f"{cells} | –"
        p = "–" if not has_gap(row) else f"{row['p']:.3f}" if row["p"] >= 0.001 else "< 0.001"
        print(
            f"| {row['set']} | {row['system']} | {row['orig']['r']:.1f} | {row['orig']['f0.5']:.2f} | "
            f"{row['aug']['f0.5']:.2f} | {cells} | {p} | "
            f"{row['bias']['sentences']} | {row['explicit']['per_1000']:.1f} | {row['implicit']['per_1000']:.1f} |"
        )
    print("explicit and implicit: differences per 1,000 swapped words")
    return rows


def differences(prepared: counterfactual.Prepared, system: Once) -> dict[str, Any]:
    """Explicit and implicit differences per 1,000 swapped words."""
    report = counterfactual.measure(prepared, system).as_json()
    return {key: report[key] for key in ("explicit", "implicit", "compared", "conflicts", "swapped_words")}


def print_table(records: Sequence[dict[str, Any]]) -> None:
    """A row for each system: the table of docs/how-to/compare.md."""
    rows = {(row["system"], row["set"]): row for recorded in records for row in recorded.get("rows", [])}
    texts = {row["system"]: row for recorded in records for row in recorded.get("text", {"rows": []})["rows"]}
    print("| system | F0.5 | recall | gap with *they* | biased sentences | differences | without gold | neopronouns |")
    print("| --- |" + " ---: |" * 7)
    for (system, name), row in rows.items():
        if name not in (SET, SAMPLE):
            continue
        cells = [
            f"{system} ({row['compared']} sentences)" if name == SAMPLE else system,
            f"{row['orig']['f0.5']:.2f}",
            f"{row['orig']['r']:.1f}",
            points(row),
            str(row["bias"]["sentences"]),
            rates(row),
            rates(texts[system]) if system in texts else "",
            points(rows[system, NEOPRONOUNS]) if (system, NEOPRONOUNS) in rows else "",
        ]
        print(f"| {' | '.join(cells)} |")


def has_gap(row: dict[str, Any]) -> bool:
    """A system without a correct edit on a side has none."""
    return row["delta"] is not None and bool(row["orig"]["tp"] or row["aug"]["tp"])


def points(row: dict[str, Any]) -> str:
    """The gap with its interval."""
    if not has_gap(row):
        return "–"
    low, high = row["ci95"]
    if low is None:  # both sides have the same counts in every sentence
        return f"{row['delta']:.2f}"
    return f"{row['delta']:+.2f} [{low:+.2f}, {high:+.2f}]".replace("-", "−")


def rates(row: dict[str, Any]) -> str:
    """Explicit and implicit differences per 1,000 swapped words."""
    return f"{row['explicit']['per_1000']:.1f} + {row['implicit']['per_1000']:.1f}"


if __name__ == "__main__":
    main()
