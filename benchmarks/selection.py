"""Which sentences of an M2 file `augment st` rewrites, against those that the paper's authors kept.

    python benchmarks/selection.py bea-dev.m2 bea_dev_195_orig.src.txt

Prints how many of the kept sentences are found and how many sentences are rewritten in all; with `--rewritten` whether
the target is rewritten at all, whatever becomes of the transfer (the authors mended by hand what did not carry over).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from report import record

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.corpus.outcome import Augmented, Discarded
from gec_fair.corpus.readers import read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="M2 or TSV")
    parser.add_argument("kept", type=Path, help="sources that the authors kept, one a line")
    parser.add_argument("--english", default="embedded")
    parser.add_argument("--coref", default="embedded")
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    augmenter = Augmenter(Options("st", english=given.english, coref=given.coref, mirror=given.mirror))
    pairs = [r.value for r in read(given.corpus)]
    outcomes = augmenter(pairs)
    kept = {" ".join(line.split()) for line in given.kept.read_text(encoding="utf-8").split("\n") if line.strip()}
    augmented = {_key(p.source) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented)}
    planned = {_key(p.source) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented | Discarded)}
    here = kept & {_key(p.source) for p in pairs}
    figures = {
        "kept by the authors, in this corpus": len(here),
        "of these rewritten": len(here & augmented),
        "of these planned (rewritten or discarded)": len(here & planned),
        "rewritten in all": len(augmented),
    }
    for name, number in figures.items():
        print(f"{number:6} {name}")
    for missing in sorted(here - augmented)[: given.errors]:
        print("MISSED", missing)
    for more in sorted(augmented - here)[: given.errors]:
        print("MORE", more)
    record(given.output, "selection", figures)


def _key(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
