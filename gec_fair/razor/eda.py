"""EDA: easy data augmentation (Wei & Zou 2019): synonym replacement, random insertion, random swap, random deletion.

n = max(1, ⌊α·L⌋) words of L for the first three, a chance p for the last; α = p = 0.1; nine variants and the original.
Deletion can delete *not*: that is the method's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from random import Random

from gec_fair.english.tables import read_table, shipped_directory
from gec_fair.razor.candidates import Candidate
from gec_fair.razor.documents import Document
from gec_fair.razor.words import words

ALPHA = 0.1
VARIANTS = 9
_SYNONYMS = "razor/synonyms.tsv"


def variants(text: str, chance: Random, *, number: int = VARIANTS, alpha: float = ALPHA) -> list[str]:
    """`number` variants, the four operations in turn; of a text without words none."""
    some = words(text)
    return [" ".join(OPERATIONS[n % len(OPERATIONS)](list(some), chance, alpha)) for n in range(number)] if some else []


class Variants:
    """EDA as RAZOR's rewriter: `number` variants of a document, others each time it is asked again."""

    draws = True

    def __init__(self, number: int, seed: int) -> None:
        self.number, self.seed = number, seed

    @property
    def version(self) -> str:
        table = sha256((shipped_directory() / _SYNONYMS).read_bytes()).hexdigest()[:8]
        return f"eda:alpha:{ALPHA:g}:candidates:{self.number}:seed:{self.seed}:synonyms:{table}"

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        chances = (Random(f"{self.seed} {each.id} {tried}") for each, tried in zip(documents, tries, strict=True))
        return [[Candidate(text) for text in variants(each.text, chance, number=self.number)]
                for each, chance in zip(documents, chances, strict=True)]  # fmt: skip


def _replaced(some: list[str], chance: Random, alpha: float) -> list[str]:
    """Words that have one give way to a synonym."""
    known = [i for i, word in enumerate(some) if word in _synonyms()]
    for i in chance.sample(known, min(_many(some, alpha), len(known))):
        some[i] = chance.choice(_synonyms()[some[i]])
    return some


def _inserted(some: list[str], chance: Random, alpha: float) -> list[str]:
    """Synonyms of words, anywhere."""
    known = [word for word in some if word in _synonyms()]
    for _ in range(_many(some, alpha) if known else 0):
        some.insert(chance.randint(0, len(some)), chance.choice(_synonyms()[chance.choice(known)]))
    return some


def _swapped(some: list[str], chance: Random, alpha: float) -> list[str]:
    for _ in range(_many(some, alpha) if len(some) > 1 else 0):
        i, j = chance.sample(range(len(some)), 2)
        some[i], some[j] = some[j], some[i]
    return some


def _deleted(some: list[str], chance: Random, alpha: float) -> list[str]:
    """Never all of them."""
    return [word for word in some if chance.random() >= alpha] or [chance.choice(some)]


OPERATIONS: Sequence[Callable[[list[str], Random, float], list[str]]] = (_replaced, _inserted, _swapped, _deleted)


def _many(some: list[str], alpha: float) -> int:
    return max(1, int(alpha * len(some)))


@cache
def _synonyms() -> Mapping[str, tuple[str, ...]]:
    """Of all parts of speech: EDA does not tag."""
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table(shipped_directory() / _SYNONYMS, ("part", "word", "synonyms")):
        found[row.cells[1]] = tuple(dict.fromkeys((*found.get(row.cells[1], ()), *row.cells[2].split())))
    return found
