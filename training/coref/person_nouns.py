"""Which nouns name people, from WordNet: lemma, share of its readings that are persons, share that are animals.

    apt-get download wordnet-base && dpkg -x wordnet-base_*.deb wn
    python training/coref/person_nouns.py wn/usr/share/wordnet > gec_fair/people/links/person_nouns.tsv

A reading is weighed by its count in SemCor plus one, so that *mate* is mostly a person and *mantle* hardly is.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ANIMAL, PERSON = 5, 18  # numbers of WordNet's lexicographer files
HEADER = """\
# Nouns that can name a person (or an animal), by the share of their readings in WordNet 3.0, two decimals.
# Derived by training/coref/person_nouns.py. WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
# Licence: WordNet 3.0 licence (use, copy, modify, distribute with this notice; provided "as is").
noun\tperson\tanimal"""


def readings(folder: Path) -> tuple[dict[str, Counter[int]], set[str]]:
    """Lexicographer file counts per lemma, and the lemmas that WordNet spells in lower case."""
    file_of: dict[str, int] = {}
    lower: set[str] = set()
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            file_of[fields[0]] = int(fields[1])
            lower.update(word for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2] if word.islower())
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            counts[fields[0]].update(file_of[offset] for offset in fields[-int(fields[2]) :])
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, _, count = line.split()
        lemma, sense = key.split("%")
        part, file = sense.split(":")[:2]
        if part == "1":
            counts[lemma][int(file)] += int(count)
    return counts, lower


def main(folder: Path) -> None:
    counts, lower = readings(folder)
    print(HEADER)
    for lemma in sorted(counts):
        total = sum(counts[lemma].values())
        person, animal = counts[lemma][PERSON] / total, counts[lemma][ANIMAL] / total
        if lemma in lower and re.fullmatch(r"[a-z]+(-[a-z]+)*", lemma) and (person >= 0.15 or animal >= 0.3):
            print(f"{lemma}\t{person:.2f}\t{animal:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
