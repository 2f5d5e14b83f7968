"""Make lexicons/razor/bound.tsv: words of substitutes.tsv, and the neighbours with which they form a fixed phrase.

    python training/substitutes/build.py ../shared/data lexicons/razor

A phrase is fixed if its two words stand together more often than by chance (pointwise mutual information), and the
substitute hardly ever stands in its place, though it is frequent enough to be expected there. So *big brother* stays,
and *big house* may become *large house*. Counted in corpora at hand: novels (public domain), fairy tales, children's
and other dialogues, Wikipedia's sentences (CC BY-SA 4.0), evidence of VitaminC (CC BY-SA 3.0) and of Fool Me Twice
(CC BY-SA 3.0). What is written are pairs of words alone.

It also prints rows of substitutes.tsv whose substitute is much rarer than the word itself in every kind of text: such
a word is likely to be out of register.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from lemminflect import getAllInflections

from gec_fair.english.lexicons.tables import read_table
from gec_fair.razor.rewriting.substitutes import COLUMNS

PARTS = {"noun": "NOUN", "singular": "NOUN", "plural": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}
OFTEN, INFORMATION, EXPECTED, SHARE = 8, 3.0, 3.0, 0.2
"""A fixed phrase stands so often, with so many bits of pointwise mutual information; of the substitute at least so many
are expected in its place, and at most this share of them is there."""
RARER = 1 / 12
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|[.,;:!?]")
HEAD = """\
# What:     words of substitutes.tsv, and neighbours with which they form a fixed phrase, where the word stays.
# Source:   made by training/substitutes/build.py by pointwise mutual information in novels, fairy tales, dialogues,
#           Wikipedia's sentences and the evidence of VitaminC and Fool Me Twice.
# Licence:  CC BY-SA 4.0, as the texts that were counted; pairs of words alone.
# Columns:  word, neighbours
word\tneighbours
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    rows = [row.cells for row in read_table(arguments.output / "substitutes.tsv", COLUMNS)]
    pairs = [(part, word, new) for part, word, new, *_ in rows if part in PARTS and " " not in word + new]
    free = {(word, new) for _, word, new, before, after in rows if not (is_list(before) and is_list(after))}
    lemmas = {form: word for part, *both in pairs for word in both for form in forms(word, part)}
    counts = [count(lines, lemmas) for lines in texts(arguments.data).values()]
    bound: dict[str, set[str]] = {}
    for _, word, new in pairs:
        if (word, new) in free:
            bound.setdefault(word, set()).update(fixed(word, new, counts))
        if all(register.alone[new] < RARER * register.alone[word] for register in counts):
            print(f"rare: {word}, {new}")
    lines = [f"{word}\t{' '.join(sorted(neighbours))}\n" for word, neighbours in sorted(bound.items()) if neighbours]
    (arguments.output / "bound.tsv").write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{len(lines):,} words, {sum(map(len, bound.values())):,} neighbours")


def is_list(cell: str) -> bool:
    """Whether a cell names the neighbours that must be there: such a row needs no other guard."""
    return any(not word.startswith("-") for word in cell.split())


def texts(data: Path) -> dict[str, Iterator[str]]:
    """Lines or documents by register."""
    mixed = data / "babylm/mixed7m"
    vitaminc = (str(row["evidence"]) for row in rows_of(data / "fever/vitaminc_real/test.jsonl"))
    fm2 = (part["text"] for row in rows_of(data / "fever/fm2/dev.jsonl") for part in row["gold_evidence"])
    return {
        "novels": read(
            data / "babylm/gutenberg100.txt.xz", mixed / "train.gutenberg.txt.xz", mixed / "train.fairytales.txt.xz"
        ),
        "talk": read(mixed / "train.childes.txt.xz", mixed / "train.dialogue.txt.xz"),
        "encyclopedia": chain(read(mixed / "train.wikipedia.txt.xz"), vitaminc, fm2),
    }


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read(*paths: Path) -> Iterator[str]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            yield from lines


def forms(word: str, part: str) -> set[str]:
    return {word, *(form for group in getAllInflections(word, PARTS[part]).values() for form in group)}


@dataclass(frozen=True)
class Counts:
    """Words of one register (those of the table by lemma), and the table's words with each neighbour; "" counts all
    words."""

    alone: Counter[str]
    together: Counter[tuple[str, str]]


def count(texts: Iterator[str], lemmas: dict[str, str]) -> Counts:
    alone, together = Counter[str](), Counter[tuple[str, str]]()
    for text in texts:
        tokens = _WORD.findall(text.lower())
        named = [lemmas.get(token) for token in tokens]
        alone.update(lemma or token for token, lemma in zip(tokens, named, strict=True))
        for at, lemma in enumerate(named):
            if lemma is not None:
                together.update((lemma, tokens[n]) for n in (at - 1, at + 1) if 0 <= n < len(tokens))
    alone[""] = alone.total()
    return Counts(alone, together)


def fixed(word: str, new: str, counts: Sequence[Counts]) -> Iterator[str]:
    """The neighbours that a word is bound to. In each register the substitute is expected beside a neighbour as often
    as its share of the two words says."""
    neighbours = {neighbour for register in counts for lemma, neighbour in register.together if lemma == word}
    for neighbour in filter(str.isalpha, neighbours):
        times = sum(register.together[word, neighbour] for register in counts)
        seen = sum(register.together[new, neighbour] for register in counts)
        chance = sum(2 * register.alone[word] * register.alone[neighbour] / register.alone[""] for register in counts)
        expected = sum(
            register.together[word, neighbour] * register.alone[new] / max(register.alone[word], 1)
            for register in counts
        )
        is_often = times >= OFTEN and times >= chance * 2**INFORMATION
        if is_often and expected >= EXPECTED and seen < SHARE * expected:
            yield neighbour


if __name__ == "__main__":
    main()
