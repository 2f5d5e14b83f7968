"""What `make babylm-small BABYLM=recorded` found, training by training: figures at every look, seconds, corpora.

make babylm-small BABYLM=recorded
python benchmarks/babylm.py out/babylm-recorded -o benchmarks/results/babylm-small/babylm-small.json
"""

from __future__ import annotations

import argparse
import json
import shutil
from math import prod
from pathlib import Path
from typing import Any

from report import record, seconds
from safetensors import safe_open

from gec_fair.babylm.experiment import Snapshot
from gec_fair.babylm.report.summary import measures

TABLES = ("models", "changes", "curves", "corpora", "perturbed")
FIGURES = ("curves", "changes")


def parameters(model: Path) -> int:
    with safe_open(model / "model.safetensors", framework="np") as weights:
        return sum(prod(weights.get_slice(name).get_shape()) for name in weights.keys())  # noqa: SIM118


def training(place: Path) -> dict[str, Any]:
    """One: its looks, how long it took, its validation loss."""
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
    snapshots = []
    evaluations = [json.loads(path.read_text(encoding="utf-8")) for path in (place / "judged").glob("*.json")]
    for evaluation in sorted(evaluations, key=lambda evaluation: int(evaluation["step"])):
        snapshot = Snapshot(place.parent.name, int(place.name), evaluation["step"], tuple(evaluation["figures"]))
        snapshots.append(
            {"step": snapshot.step, **{name: round(value, 4) for name, value in measures(snapshot).items()}}
        )
    return {
        "corpus": place.parent.name,
        "seed": int(place.name),
        "parameters": parameters(place / "best"),
        "seconds": seconds(place),
        "result": manifest["result"],
        "looks": snapshots,
        "signature": manifest["signature"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    runs = [training(path.parent) for path in sorted(arguments.folder.glob("runs/*/*/manifest.json"))]
    corpora = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))["counts"]
        for path in sorted(arguments.folder.glob("corpora/*/manifest.json"))
    }
    for name in ("models", "changes"):
        print((arguments.folder / f"tables/{name}.md").read_text(encoding="utf-8"))
    record(
        arguments.output,
        "babylm-small",
        {"corpora": corpora, "runs": runs},
        ("torch", "transformers"),
        checkout=arguments.folder,
    )
    if arguments.output:
        for name in TABLES:
            shutil.copy(arguments.folder / f"tables/{name}.md", arguments.output.parent / f"{name}.md")
        for name in FIGURES:
            shutil.copy(arguments.folder / f"figures/{name}.svg", arguments.output.parent / f"{name}.svg")


if __name__ == "__main__":
    main()
