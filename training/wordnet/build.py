"""Make lexicons/razor/antonyms.tsv and senses.tsv from WordNet 3.0's files (Debian: wordnet-base).

    apt-get install wordnet-base
    python training/wordnet/build.py /usr/share/wordnet lexicons/razor

Only words of one token in lower-case letters count. senses.tsv has all senses of a word, for EDA, which does not ask
which is meant; the rules have substitutes.tsv, which a person wrote. Of antonyms those alone
where one is the other with a prefix that denies it (able, unable): what is not the one is the other. What is not hot
need not be cold, and who did not tie need not untie.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PARTS = {"adj": "adjective", "adv": "adverb", "noun": "noun", "verb": "verb"}
NUMBERS = {"noun": "1", "verb": "2", "adj": "35", "adv": "4"}
"""Parts of speech, as sense keys have them."""
ANTONYMS_OF = ("adj",)
REFUSED = ("real",)
"""What is not real need not be unreal."""
DENY = ("un", "in", "im", "il", "ir", "dis", "non")
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


@dataclass(frozen=True)
class Synset:
    """`antonyms`: (number of the word here, file offset, number of the word there, part of speech), from 1."""

    words: tuple[str, ...]
    antonyms: tuple[tuple[int, int, int, str], ...]


def synsets(path: Path) -> dict[int, Synset]:
    """By file offset (wndb(5WN))."""
    synsets = {}
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("  "):
            continue
        cells = line.partition(" | ")[0].split()
        number = int(cells[3], 16)
        words = tuple(_SYNTAX.sub("", cells[4 + 2 * n]) for n in range(number))
        at = 4 + 2 * number
        pointers = [cells[at + 1 + 4 * n : at + 5 + 4 * n] for n in range(int(cells[at]))]
        antonyms = tuple(
            (int(index[:2], 16), int(offset), int(index[2:], 16), part)
            for symbol, offset, part, index in pointers
            if symbol == "!"
        )
        synsets[int(cells[0])] = Synset(words, antonyms)
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


def first_senses(path: Path) -> dict[str, int]:
    return {word: offsets[0] for word, offsets in senses(path).items()}


def antonyms(folder: Path) -> Iterator[tuple[str, str, str]]:
    """(part of speech, word, antonym), in the first sense of both, one of them the other with a prefix."""
    for part in ANTONYMS_OF:
        data, firsts = synsets(folder / f"data.{part}"), first_senses(folder / f"index.{part}")
        for word, offset in sorted(firsts.items()):
            synset = data[offset]
            if not _PLAIN.fullmatch(word) or word in REFUSED:
                continue
            for mine, offset_, target, _ in synset.antonyms:
                opposite = data[offset_].words[target - 1]
                if synset.words[mine - 1] == word and firsts[opposite] == offset_ and denies(word, opposite):
                    yield PARTS[part], word, opposite
                    break


def denies(word: str, opposite: str) -> bool:
    """Whether one is the other with a prefix that denies it."""
    return any(
        longer == prefix + shorter for prefix in DENY for longer, shorter in ((word, opposite), (opposite, word))
    )


def of_all_senses(folder: Path) -> Iterator[tuple[str, str]]:
    """(word, synonyms apart by spaces) of words that stand in tagged texts: those of all its senses and parts of
    speech."""
    synonyms: dict[str, dict[str, None]] = {}
    for part, number in NUMBERS.items():
        data, index = synsets(folder / f"data.{part}"), senses(folder / f"index.{part}")
        for word in sorted(counts(folder / "cntlist.rev", number).keys() & index.keys()):
            others = (synonym for offset in index[word] for synonym in data[offset].words)
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
        arguments.output / "antonyms.tsv",
        "words and what denies them, one the other with a prefix (un-, in-, dis-, non-).",
        "part, word, antonym",
        antonyms(arguments.wordnet),
    )
    write(
        arguments.output / "senses.tsv",
        "words and those that mean the same in any of their senses.",
        "word, synonyms (apart by spaces)",
        of_all_senses(arguments.wordnet),
    )


if __name__ == "__main__":
    main()
