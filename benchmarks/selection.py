"""Which pairs `augment` rewrites: against those that the paper's authors kept, or by another parser or resolver.

    python benchmarks/selection.py bea-dev.m2 bea_dev_195_orig.src.txt
    python benchmarks/selection.py bea-dev.m2 bea_dev_195_orig.src.txt --coref neuralcoref
    python benchmarks/selection.py wi-train.tsv --limit 2000 --method fm --english FOLDER

With the sources that the authors kept, prints how many of them are rewritten, how many have a plan, whatever becomes of
the transfer (the authors mended by hand what did not carry over), and how many sentences are rewritten in all. Without
them, prints how many pairs come out as by the embedded pipeline and resolver, and how the others differ.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from report import record

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.run import versions
from gec_fair.corpus.formats.readers import read
from gec_fair.corpus.outcome import Augmented, Discarded, Outcome
from gec_fair.corpus.records import Pair


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="M2 or TSV")
    parser.add_argument("chosen", type=Path, nargs="?", help="sources that the authors kept, one a line")
    parser.add_argument("--method", default="st", choices=("fm", "st"))
    parser.add_argument("--english", default="embedded")
    parser.add_argument("--coref", default="embedded")
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--limit", type=int, help="only the first pairs")
    parser.add_argument("--errors", type=int, default=0, help="show so many differences of each kind")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    options = Options(arguments.method, english=arguments.english, coref=arguments.coref, mirror=arguments.mirror)
    pairs = [r.value for r in islice(read(arguments.corpus), arguments.limit)]
    outcomes = Augmenter(options)(pairs)
    if arguments.chosen:
        figures, examples = against_authors(pairs, outcomes, arguments.chosen)
    else:
        embedded = Augmenter(replace(options, english="embedded", coref="embedded"))(pairs)
        figures, examples = against_embedded(pairs, outcomes, embedded)
    for name, number in figures.items():
        print(f"{number:6} {name}")
    for name, lines in examples.items():
        for line in lines[: arguments.errors]:
            print(name, line)
    record(arguments.output, "selection", {**versions(options), **figures})


def against_authors(
    pairs: Sequence[Pair], outcomes: Sequence[Outcome], chosen_sources: Path
) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Counts, and the sentences that are missed or more than theirs."""
    chosen = {" ".join(line.split()) for line in chosen_sources.read_text(encoding="utf-8").split("\n") if line.strip()}
    augmented = {_key(p.source) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented)}
    planned = {_key(p.source) for p, o in zip(pairs, outcomes, strict=True) if isinstance(o, Augmented | Discarded)}
    matched = chosen & {_key(p.source) for p in pairs}
    figures = {
        "kept by the authors, in this corpus": len(matched),
        "of these rewritten": len(matched & augmented),
        "of these planned (rewritten or discarded)": len(matched & planned),
        "rewritten in all": len(augmented),
    }
    return figures, {"MISSED": sorted(matched - augmented), "MORE": sorted(augmented - matched)}


def against_embedded(
    pairs: Sequence[Pair], outcomes: Sequence[Outcome], embedded: Sequence[Outcome]
) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Counts of pairs by what becomes of them, and the targets that differ."""
    figures = Counter({"pairs": len(pairs), "rewritten": 0, "rewritten by the embedded ones": 0, "equal rewritings": 0})
    examples: dict[str, list[str]] = {}
    for pair, outcome, ours in zip(pairs, outcomes, embedded, strict=True):
        mine, theirs = ((o.pair if isinstance(o, Augmented) else None) for o in (outcome, ours))
        figures["rewritten"] += mine is not None
        figures["rewritten by the embedded ones"] += theirs is not None
        if mine is None and theirs is None:
            continue
        if mine is not None and theirs is not None:
            name = "rewritten otherwise"
            lines = [mine.target, theirs.target] if mine.target != theirs.target else [mine.source, theirs.source]
        else:
            name = "only here" if mine else "only by the embedded ones"
            lines = [pair.target, repr(outcome)[:200], repr(ours)[:200]]
        if mine and theirs and (mine.source, mine.target) == (theirs.source, theirs.target):
            figures["equal rewritings"] += 1
        else:
            figures[name] += 1
            examples.setdefault(name, []).append("\n    ".join(lines))
    return dict(figures), examples


def _key(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
