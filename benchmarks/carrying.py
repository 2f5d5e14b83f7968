"""How often a rewriting can be carried across what real systems wrote, and how often that is plainly what was wanted.

    python benchmarks/carrying.py bea-dev.m2 OUTPUT… [-o benchmarks/results/carrying.json]

`carried`: `gec-fair counterfactual` has an expected text. `same`: it is also what rewriting the system's output by
itself gives, without a look at the original; where the two differ, either may be wrong.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from report import record

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.evaluate.bias.contrast import Experiment
from gec_fair.evaluate.scoring.texts import read_reference, read_texts

REWRITINGS = {"st": Options("st", gate="none"), "fm": Options("fm")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path)
    parser.add_argument("outputs", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    sources = read_reference(arguments.reference).sources
    rows = []
    print("| rewriting | system | texts | carried | same |\n| --- | --- | ---: | ---: | ---: |")
    for name, options in REWRITINGS.items():
        experiment, rewrite = Experiment(options), Rewriter(options, tokenised=True)
        twins, _, _ = experiment.of_texts(sources)
        for path in arguments.outputs:
            texts = read_texts(path)
            mine = [texts[t.number - 1] for t in twins]
            comparisons = experiment.compare_all(twins, mine, mine)
            alone = list(rewrite(" ".join(words) for words in mine))
            carried = [(c, text) for c, text in zip(comparisons, alone, strict=True) if c.expected is not None]
            same = sum(" ".join(c.expected or ()) == text for c, text in carried)
            row = {
                "rewriting": name,
                "system": path.name.split(".")[0],
                "texts": len(twins),
                "carried": round(100 * len(carried) / len(twins), 1),
                "same": round(100 * same / len(carried), 1),
            }
            rows.append(row)
            print(f"| {' | '.join(str(cell) for cell in row.values())} |", flush=True)
    record(arguments.output, "carrying", {"file": arguments.reference.name, "rows": rows})


if __name__ == "__main__":
    main()
