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
from gec_fair.corpus.formats.readers import read
from gec_fair.corpus.outcome import Augmented, Discarded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="M2 or TSV")
    parser.add_argument("kept", type=Path, help="sources that the authors kept, one a line")
    parser.add_argument("--english", default="embedded")
    parser.add_argument("--coref", default="embedded")
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    augmenter = Augmenter(Options("st", english=arguments.english, coref=arguments.coref, mirror=arguments.mirror))
    pairs = [r.value for r in read(arguments.corpus)]
    outcomes = augmenter(pairs)
    chosen = {" ".join(line.split()) for line in arguments.kept.read_text(encoding="utf-8").split("\n") if line.strip()}
    augmented = {_key(p.source) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented)}
    planned = {_key(p.source) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented | Discarded)}
    matched = chosen & {_key(p.source) for p in pairs}
    figures = {
        "kept by the authors, in this corpus": len(matched),
        "of these rewritten": len(matched & augmented),
        "of these planned (rewritten or discarded)": len(matched & planned),
        "rewritten in all": len(augmented),
    }
    for name, number in figures.items():
        print(f"{number:6} {name}")
    for missing in sorted(matched - augmented)[: arguments.errors]:
        print("MISSED", missing)
    for more in sorted(augmented - matched)[: arguments.errors]:
        print("MORE", more)
    record(arguments.output, "selection", figures)


def _key(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
