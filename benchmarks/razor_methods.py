"""Table 1 of Yang et al. 2024 in form, and what the embedded rules do to FEVER's negations (its figure 3), from what
`make razor-recorded`, `make razor-transformer` and the recipe `razor-pretrained` left.

make razor-recorded
make razor-transformer
python benchmarks/razor_methods.py out/razor-recorded --transformer out/razor-transformer -o razor-methods.json
python -m gec_fair.recipes razor-pretrained -o out/razor-pretrained
python benchmarks/razor_methods.py --pretrained out/razor-pretrained -o benchmarks/results/razor-pretrained.json

Without the transformer, `--earlier razor-methods.json` keeps its figures of a recorded result.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from report import record

from gec_fair.razor.documents.documents import Document
from gec_fair.razor.options import NEGATIONS
from gec_fair.razor.scoring.term_counts import change, count_terms
from gec_fair.stats.estimate import brackets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--pretrained", type=Path, help="The recipe's output, for a separate result.")
    parser.add_argument("--transformer", type=Path)
    parser.add_argument("--earlier", type=Path, help="A recorded result, whose transformer is kept.")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    place = arguments.pretrained or arguments.folder
    if place is None:
        parser.error("name a folder, or --pretrained FOLDER")
    figures: dict[str, Any] = {"rewriting": rewriting(place / "rewritten"), **tables(place)}
    if arguments.folder:
        figures["negations"] = negations(place / "claims")
    if arguments.transformer:
        figures["transformer"] = {
            "encoder": pretraining(arguments.transformer / "encoder"),
            **tables(arguments.transformer),
        }
    elif arguments.earlier:
        earlier = json.loads(arguments.earlier.read_text(encoding="utf-8"))
        figures["transformer"] = {"commit": earlier["commit"], **earlier["transformer"]}
    print(json.dumps({name: figures[name] for name in ("rewriting", "negations") if name in figures}, indent=1))
    for backbone, backbone_figures in (
        ("pretrained" if arguments.pretrained else "linear", figures),
        ("transformer", figures.get("transformer", {})),
    ):
        for name in ("claim-only", "evidence"):
            for row in backbone_figures.get(name, {}).get("rows", ()):
                interval = "" if row["low"] is None else brackets(row["low"], row["high"])
                against = f"against {row['against']}"
                print(f"{backbone} {name} {row['method']} {row['test']}: {row['accuracy']:.2f} {interval} {against}")
    record(
        arguments.output,
        "razor-pretrained" if arguments.pretrained else "razor-methods",
        figures,
        ("scikit-learn", "scipy", "torch", "transformers"),
        checkout=place,
    )


def tables(folder: Path) -> dict[str, Any]:
    """What `razor evaluate` kept."""
    paths = {name: folder / f"{name}.json" for name in ("claim-only", "evidence")}
    report = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items() if path.exists()}
    for report_ in report.values():
        del report_["paper"]  # training/paper_tables.toml has it
    return report


def rewriting(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    passes = manifest["measures"]
    return {
        **{name: manifest[name] for name in ("signature", "documents", "changed", "stopped", "counts", "words")},
        "distance": [passes[0]["before"]["mmd"], passes[-1]["after"]["mmd"]],
    }


def negations(folder: Path) -> Mapping[str, Any]:
    """Of all claims: *no* and *not* before and after, the change in percent, and what was done."""
    rows = [json.loads(line) for line in (folder / "rewritten.jsonl").read_text(encoding="utf-8").splitlines()]
    before, after = (
        count_terms([[Document(row["id"], row["label"], row[field]) for row in rows]], NEGATIONS)
        for field in ("original", "claim")
    )
    return {
        "before": before.occurrences,
        "after": after.occurrences,
        "change": change(before, after),
        **rewriting(folder),
    }


def pretraining(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return {name: manifest[name] for name in ("signature", "result")}


if __name__ == "__main__":
    main()
