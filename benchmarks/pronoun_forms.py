"""How often *her* and *his* are given the wrong form, by kind of text: the reader of forms, and the parser's rules.

    GEC_FAIR_DATA=../shared/data python benchmarks/pronoun_forms.py -o benchmarks/results/pronoun_forms.json

Most rows are *him, his, them, …* of real text turned into *her*, so that the form is known; none was trained on. Where
both forms are English (*led to her leaving*), one of them counts as wrong. *Treebanks* has real *her* and *his*. The
constructed cases are those of `tests/augment/precision/her.tsv`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from report import record

sys.path.insert(0, str(Path(__file__).parents[1] / "training" / "pronoun_forms"))

from data import data_folder
from train import measure, tests

from gec_fair.english import pipeline


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    nlp = pipeline.load()
    rows = []
    for name, examples in tests(nlp, data_folder()).items():
        wrong = measure(nlp, examples)
        rows.append({"texts": name, "places": len(examples), **wrong})
        print(f"{name:30} {len(examples):6}  wrong: reader {wrong['reader']:.2f} %, parser {wrong['parser']:.2f} %")
    record(arguments.output, "pronoun_forms", {"rows": rows})


if __name__ == "__main__":
    main()
