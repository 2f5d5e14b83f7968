"""What `make safety-recorded` found: the tables of its runs, and every seed's figures.

make safety-recorded
python benchmarks/safety_demo.py out/safety-recorded -o benchmarks/results/safety-demo/safety-demo.json
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from report import record

RUNS = ("hatecheck", "seeds", "mixed")
AUDIT = "mixed/hatecheck-audit"
TABLES = (
    "changes",
    "changes-intervals",
    "models",
    "contributions",
    "sources",
    "lambdas",
    "betas",
    "balance",
)
AUDITED = ("harms", "acv", "gaps", "changes")
COPIED = ("balance", "models", "changes", "reweighting")


def seed(path: Path) -> dict[str, Any]:
    """Without sliced averages, which the tables have."""
    seed_results = json.loads(path.read_text(encoding="utf-8"))
    harms = {harm: {key: harm_results[key] for key in COPIED} for harm, harm_results in seed_results["harms"].items()}
    for harm_results in harms.values():
        for model in harm_results["models"].values():
            del model["sliced_averages"]
    return {"seed": seed_results["seed"], "harms": harms}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", action="append", choices=RUNS, help="of several; all if none is named")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    report = {}
    for name in arguments.run or RUNS:
        run = arguments.folder / name / "run"
        report[name] = [seed(path) for path in sorted((run / "seeds").glob("*.json"))]
        for table in TABLES:
            if (run / f"tables/{table}.md").exists():
                shutil.copy(run / f"tables/{table}.md", arguments.output.parent / f"{name}-{table}.md")
    for table in AUDITED if not arguments.run else ():
        shutil.copy(
            arguments.folder / AUDIT / f"tables/{table}.md", arguments.output.parent / f"mixed-on-hatecheck-{table}.md"
        )
    record(arguments.output, arguments.output.stem, report, ("scikit-learn",), checkout=arguments.folder)


if __name__ == "__main__":
    main()
