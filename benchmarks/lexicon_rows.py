"""What each row of `lexicons/nouns.tsv` does to real text: ten swaps a row, to be read.

    python benchmarks/lexicon_rows.py -o rows.tsv                  # W&I, GUM, EWT and 100 novels
    python benchmarks/lexicon_rows.py -o rows.tsv --only prior maid   # the rows of some words

Every line of the TSV is one swap: the row's words, what they become, the corpus, and the words around. The sample is
drawn by the digest of the sentence, so the next version of the table shows the same sentences.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import re
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

from reading import read_forum, read_gum, read_novels, read_wi

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.planner import Planner
from gec_fair.augmentation.planning.swap import NounChange

AROUND = 12
"""Words shown on either side."""
BATCH = 2048


def sentences() -> Iterator[tuple[str, str]]:
    """(corpus, text): targets of W&I, and the treebanks' and novels' snippets."""
    yield from (("wi", line.target) for line in read_wi())
    yield from (("gum", line.source) for line in read_gum())
    yield from (("forum", line.source) for line in read_forum())
    yield from (("novels", line.source) for line in read_novels())


def swaps(planner: Planner, texts: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], str, str]]:
    """((old, new), corpus, words around) for every noun that is swapped."""
    words = [_words(text) if corpus != "wi" else text.split() for corpus, text in texts]
    chosen = [n for n, tokens in enumerate(words) if planner.is_candidate(tokens)]
    plans = planner.plans([words[n] for n in chosen], [str(n) for n in chosen])
    for n, plan in zip(chosen, plans, strict=True):
        for swap in plan if isinstance(plan, list) else ():
            if isinstance(swap.change, NounChange):
                key = " ".join(swap.change.words), " ".join(swap.change.to)
                left = words[n][max(0, swap.start - AROUND) : swap.start]
                old = " ".join(words[n][swap.start : swap.end])
                right = words[n][swap.end : swap.end + AROUND]
                yield key, texts[n][0], " ".join([*left, f"[{old}→{' '.join(swap.new)}]", *right])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|\w+|[^\w\s]", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=10, help="swaps of a row (%(default)s)")
    parser.add_argument("--only", nargs="*", help="old words of the rows to show")
    arguments = parser.parse_args()
    planner = Planner(Options("fm"))
    best: dict[tuple[str, str], list[tuple[int, str, str]]] = defaultdict(list)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    rest = sentences()
    while texts := list(islice(rest, BATCH)):
        for key, corpus, around in swaps(planner, texts):
            if arguments.only and key[0] not in arguments.only:
                continue
            counts[key] += 1
            rank = -int(sha256(around.encode()).hexdigest()[:12], 16)
            heap = best[key]
            if len(heap) < arguments.samples:
                heapq.heappush(heap, (rank, corpus, around))
            else:
                heapq.heappushpop(heap, (rank, corpus, around))
    with arguments.output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
        writer.writerow(("old", "new", "times", "corpus", "text"))
        for key, heap in sorted(best.items()):
            for _, corpus, around in sorted(heap, reverse=True):
                writer.writerow((*key, counts[key], corpus, around))
    print(f"{len(best)} rows, {sum(map(len, best.values()))} swaps in {arguments.output}")


if __name__ == "__main__":
    main()
