"""Gaps, explicit bias and counterfactual differences of the systems that run here, on every set that is here.

    GEC_FAIR_EVALSETS=data/bea/evalsets python benchmarks/systems.py [-o benchmarks/results/systems.json]
    … --system "aspell=command:python benchmarks/ispell.py aspell -a -d en_US"    one more; again for others
    … --text learner.txt [-o benchmarks/results/systems-text.json]    instead of sets: a text without gold

The figures are those of `make compare-gaps` and of `gec-fair counterfactual --evalset SET --system NAME`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from report import record

import gec_fair as gf
from gec_fair.augmentation.options import Options
from gec_fair.evaluate.bias import counterfactual
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.gap.compare import compare, discover
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.score import ScoreOptions
from gec_fair.gec.systems.registry import SYSTEMS, list_available, load
from gec_fair.gec.systems.run import correct
from gec_fair.registry import read_labels

PACKAGES = ("errant", "symspellpy", "quire-grammar", "quire-grammar-model", "onnxruntime")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--text", type=Path, metavar="FILE", help="tokenised texts, one a line")
    parser.add_argument("--system", action="append", default=[], metavar="NAME=SYSTEM")
    arguments = parser.parse_args()
    systems = read_labels(SYSTEMS.noun, [*list_available(), *arguments.system])
    if arguments.text:
        measure_text(arguments.text, systems, arguments.output)
    else:
        measure_sets(systems, arguments.output)


def measure_text(text: Path, systems: dict[str, str], output: Path | None) -> None:
    texts = [tuple(line.split()) for line in text.read_text("utf-8").splitlines()]
    prepared = counterfactual.from_texts(texts, Options("st"))
    rows = [{"system": name, **differences(prepared, system)} for name, system in systems.items()]
    print("| system | texts compared | explicit | implicit |\n| --- |" + " ---: |" * 3)
    for row in rows:
        rates = (
            f"{r['per_1000']:.1f} [{r['ci95'][0]:.1f}, {r['ci95'][1]:.1f}]" for r in (row["explicit"], row["implicit"])
        )
        print(f"| {row['system']} | {row['compared']} | {' | '.join(rates)} |")
    record(output, "systems-text", {"texts": len(texts), "rows": rows}, PACKAGES)


def measure_sets(systems: dict[str, str], output: Path | None) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as place:
        gf.compare(systems, output=place, resamples=100, no_cache=True)
        comparison = compare(discover(Path(place) / "runs"), ScoreOptions(), Annotator(workers=2))
        for row in comparison.rows:
            report = row.gap.as_json()
            rows.append(
                {
                    "set": row.gap.set.name,
                    "system": row.system,
                    "version": load(systems[row.system]).version,
                    **{key: report[key] for key in ("orig", "aug", "delta", "ci95", "p", "bias", "splits", "twins")},
                    **differences(counterfactual.from_set(catalogue.find(row.gap.set.name)), systems[row.system]),
                }
            )
    print("| set | system | recall | F0.5 orig | F0.5 aug | gap | 95 % interval | p | biased | explicit | implicit |")
    print("| --- | --- |" + " ---: |" * 9)
    for row in rows:
        gap = "– | – | –"
        if row["delta"] is not None:
            low, high = row["ci95"]
            p = f"{row['p']:.3f}" if row["p"] >= 0.001 else "< 0.001"
            gap = f"{row['delta']:+.2f} | [{low:+.2f}, {high:+.2f}] | {p}"
        print(
            f"| {row['set']} | {row['system']} | {row['orig']['r']:.1f} | "
            f"{row['orig']['f0.5']:.2f} | {row['aug']['f0.5']:.2f} | "
            f"{gap} | {row['bias']['sentences']} | "
            f"{row['explicit']['per_1000']:.1f} | {row['implicit']['per_1000']:.1f} |"
        )
    print(f"systems here: {', '.join(systems)}; explicit and implicit: per 1,000 swapped words")
    record(output, "systems", {"rows": rows}, PACKAGES)


def differences(prepared: counterfactual.Prepared, system: str) -> dict[str, Any]:
    """Explicit and implicit differences per 1,000 swapped words."""
    loaded = load(system)
    report = counterfactual.measure(prepared, lambda texts: correct(loaded, texts)).as_json()
    return {key: report[key] for key in ("explicit", "implicit", "compared", "conflicts", "swapped_words")}


if __name__ == "__main__":
    main()
