"""What a small model has learned from the rule perturber, after the recipe `distil-perturber`.

    make distil-perturber
    python benchmarks/distilled_perturber.py out/distil-perturber [-o benchmarks/results/distilled-perturber.json]

dev      the recipe's own comparison on held-out sentences, with the rules' text as the reference
cases    perturber-cases.tsv, rewritten by hand: the model beside the rules (`perturbers.py` says what is counted)
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from perturbers import FOLDER, counted, panda_rows, rows_of
from report import record

from gec_fair.perturber.neural.evaluate import SYSTEMS
from gec_fair.perturber.neural.metrics import against


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    cases = [row for row in panda_rows(rows_of(FOLDER / "perturber-cases.tsv")) if row.usable]
    references = [row.rewritten for row in cases]
    trained = json.loads((arguments.folder / "student/manifest.json").read_text(encoding="utf-8"))["result"]
    figures = {
        "training": {name: trained[name] for name in ("rows", "steps", "losses")},
        "dev": json.loads((arguments.folder / "compared.json").read_text(encoding="utf-8")),
        "cases": {},
    }
    for name, system in (("rules", "rules"), ("model", f"neural:{arguments.folder / 'student/best'}")):
        texts = SYSTEMS.load(system)(cases)
        figures["cases"][name] = {"by axis": counted(cases, texts), **against(texts, references)}
    print(json.dumps(figures, indent=1))
    record(arguments.output, "distilled_perturber", figures, ("torch", "transformers", "sacrebleu", "rouge-score"))


if __name__ == "__main__":
    main()
