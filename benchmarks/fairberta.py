"""Table 3 in small, per seed, from what `make fairberta-small` left.

make fairberta-small
python benchmarks/fairberta.py out/fairberta-small -o benchmarks/results/fairberta-small.json
"""

from __future__ import annotations

import argparse
import json
from math import prod
from pathlib import Path

from report import record, seconds
from safetensors import safe_open


def parameters(model: Path) -> int:
    with safe_open(model / "model.safetensors", framework="np") as weights:
        return sum(prod(weights.get_slice(name).get_shape()) for name in weights.keys())  # noqa: SIM118


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    runs = []
    for judged in sorted(arguments.folder.glob("*/*/bias-*.json")):
        place = judged.parent
        manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
        figures = {
            f"{load['suite']} {load['part']}, {load['measure']}": load["value"]
            for load in json.loads(judged.read_text(encoding="utf-8"))["figures"]
        }
        runs.append(
            {
                "corpus": place.parent.name,
                "seed": int(place.name),
                "parameters": parameters(place / "best"),
                "seconds": seconds(place),
                "result": manifest["result"],
                "figures": figures,
            }
        )
    perturbed = json.loads((arguments.folder / "perturbed/manifest.json").read_text(encoding="utf-8"))
    table = (arguments.folder / "table_3.md").read_text(encoding="utf-8")
    print(table)
    figures = {"training": manifest["options"]["training"], "perturbed": perturbed.get("counts"), "runs": runs}
    record(arguments.output, "fairberta-small", figures, ("torch", "transformers"), checkout=arguments.folder)


if __name__ == "__main__":
    main()
