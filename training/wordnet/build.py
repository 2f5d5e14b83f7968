"""Make lexicons/razor/senses.tsv from WordNet 3.0's files (Debian: wordnet-base).

    apt-get install wordnet-base
    python training/wordnet/build.py /usr/share/wordnet lexicons/razor

Only words of one token in lower-case letters count. All senses of a word are there: EDA does not ask which is meant.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

NUMBERS = {"noun": "1", "verb": "2", "adj": "35", "adv": "4"}
"""Parts of speech, as sense keys have them."""
_PLAIN = re.compile(r"[a-z]{3,}")
_SYNTAX = re.compile(r"\((?:a|p|ip)\)$")
"""Where an adjective may stand; it is not a part of the word."""
NOTICE = """# Source:   made by training/wordnet/build.py from WordNet 3.0 (Debian's wordnet-base 1:3.0-37): the most
#           frequent sense of each word, or all senses.
# Licence:  WordNet 3.0 license. WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Permission to
#           use, copy, modify and distribute this software and database and its documentation for any purpose and
#           without fee or royalty is granted, provided that this notice appears on all copies, modifications included;
#           it is provided "as is", without warranties of any kind. The whole text stands in NOTICE.
"""


def synsets(path: Path) -> dict[int, tuple[str, ...]]:
    """The words of each synset by file offset (wndb(5WN))."""
    synsets = {}
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("  "):
            continue
        cells = line.partition(" | ")[0].split()
        synsets[int(cells[0])] = tuple(_SYNTAX.sub("", cells[4 + 2 * n]) for n in range(int(cells[3], 16)))
    return synsets


def senses(path: Path) -> dict[str, list[int]]:
    """Of each word the file offsets of its senses, the most frequent first (wndb(5WN))."""
    offsets = {}
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("  "):
            continue
        cells = line.split()
        offsets[cells[0]] = [int(offset) for offset in cells[6 + int(cells[3]) :]]
    return offsets


def of_all_senses(folder: Path) -> Iterator[tuple[str, str]]:
    """(word, synonyms apart by spaces) of words that stand in tagged texts: those of all its senses and parts of
    speech."""
    synonyms: dict[str, dict[str, None]] = {}
    for part, number in NUMBERS.items():
        data, index = synsets(folder / f"data.{part}"), senses(folder / f"index.{part}")
        for word in sorted(counts(folder / "cntlist.rev", number).keys() & index.keys()):
            others = (synonym for offset in index[word] for synonym in data[offset])
            if _PLAIN.fullmatch(word):
                synonyms.setdefault(word, {}).update(
                    dict.fromkeys(synonym for synonym in others if synonym != word and _PLAIN.fullmatch(synonym))
                )
    return ((word, " ".join(others)) for word, others in sorted(synonyms.items()) if others)


def counts(path: Path, part: str) -> dict[str, list[int]]:
    """Of each word of a part of speech how often its first sense stands in tagged texts, and each other."""
    senses: dict[str, list[int]] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        key, sense, count = line.split()
        word, _, rest = key.partition("%")
        if rest[0] in part:
            senses.setdefault(word, [0]).append(int(count))
            if sense == "1":
                senses[word][0] = senses[word].pop()
    return senses


def write(path: Path, title: str, columns: str, rows: Iterator[tuple[str, ...]]) -> None:
    lines = ["\t".join(row) for row in rows]
    path.write_text(
        "\n".join(
            [
                f"# What:     {title}",
                NOTICE + f"# Columns:  {columns}",
                "\t".join(name.split()[0] for name in columns.split(", ")),
                *lines,
            ]
        )
        + "\n",
        encoding="utf-8",
    )
    print(f"{path}: {len(lines):,} rows")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    write(
        arguments.output / "senses.tsv",
        "words and those that mean the same in any of their senses.",
        "word, synonyms (apart by spaces)",
        of_all_senses(arguments.wordnet),
    )


if __name__ == "__main__":
    main()
