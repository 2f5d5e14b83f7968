"""Table 1 of Yang et al. 2024 in form, from what `make razor-demo` left.

make razor-demo RAZOR_SEEDS=5
python benchmarks/razor_methods.py out/razor-demo -o benchmarks/results/razor-methods.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from report import record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    paths = {name: given.folder / f"{name}.json" for name in ("claim-only", "evidence", "encoder")}
    figures = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items() if path.exists()}
    manifest = json.loads((given.folder / "rewritten/manifest.json").read_text(encoding="utf-8"))
    told = {name: manifest[name] for name in ("signature", "documents", "changed", "stopped", "counts")}
    passes = manifest["measures"]
    told["distance"] = [passes[0]["before"]["mmd"], passes[-1]["after"]["mmd"]]
    for name, each in figures.items():
        for row in each["rows"]:
            sd = "" if row["accuracy_sd"] is None else f" ± {row['accuracy_sd']:.2f}"
            print(
                f"{name} {row['method']} {row['test']}: {row['accuracy']:.2f}{sd} [{row['low']:.2f}, {row['high']:.2f}]"
            )
    record(
        given.output, "razor-methods", {"rewriting": told, **figures}, ("scikit-learn", "scipy"), checkout=given.folder
    )


if __name__ == "__main__":
    main()
