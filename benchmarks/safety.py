"""Whether augmentation keeps the corrections: over every augmented pair of a corpus, for fm and st.

    python benchmarks/safety.py bea-dev.m2 [more.tsv …] [--sample 100 --seed 0]

Prints for each method: augmented pairs; of these, pairs whose square closes (the carried correction leads from the new
source to the new target); pairs with as many corrections as the original (the annotators' edits for M2, differing
segments otherwise); and gendered pronouns that were left. `--sample N` shows N random pairs to be read by eye.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from report import record

from gec_fair.augment.options import Options
from gec_fair.augment.parallel import Augmenter
from gec_fair.corpus.outcome import Augmented
from gec_fair.corpus.readers import read
from gec_fair.corpus.records import Pair
from gec_fair.edits import diff, rewritten, spaced
from gec_fair.edits.explain import explain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--methods", nargs="+", default=["fm", "st"], choices=("fm", "st"))
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    pairs = [r.value for path in given.files for r in read(path) if isinstance(r.value, Pair)]
    figures: dict[str, object] = {"files": [p.name for p in given.files], "pairs": len(pairs)}
    for method in given.methods:
        outcomes = Augmenter(Options(method, mirror=given.mirror))(pairs)
        twins = [(p, o.pair) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented)]
        figures[method] = {
            "augmented": len(twins),
            "square closes": sum(closes(new) for _, new in twins),
            "as many corrections as before": sum(corrections(old) == corrections(new) for old, new in twins),
        }
        print(method, figures[method])
        for old, new in random.Random(given.seed).sample(twins, min(given.sample, len(twins))):
            print(f"{old.id}\n  {shown(old.source, new.source)}\n  {shown(old.target, new.target)}")
    record(given.output, "safety", figures)


def closes(pair: Pair) -> bool:
    """Every correction leads from the source to a target; the first to the pair's own."""
    source, target = spaced(pair.source).words, spaced(pair.target).words
    if not pair.corrections:
        return rewritten(diff(source, target), source) == target
    return rewritten(pair.corrections[0][1], source) == target


def corrections(pair: Pair) -> list[int]:
    if pair.corrections:
        source = spaced(pair.source).words
        return [sum(e.replacement != source[e.start : e.end] for e in their) for _, their in pair.corrections]
    return [len(diff(spaced(pair.source).words, spaced(pair.target).words))]


def shown(old: str, new: str) -> str:
    words = spaced(old).words
    return explain(diff(words, spaced(new).words), words)


if __name__ == "__main__":
    main()
