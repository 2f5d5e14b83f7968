"""EDA: easy data augmentation (Wei & Zou 2019): synonym replacement, random insertion, random swap, random deletion.

n = max(1, ⌊α·L⌋) words of L for the first three, a chance p for the last; α = p = 0.1; nine variants and the original.
Words are what stands between white space, with their case and marks; synonyms are those of all senses, and not of
function words. Deletion can delete *not*: that is the method's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from gec_fair.english.letters import like
from gec_fair.english.lexicons.tables import read_table, shipped_directory

ALPHA = 0.1  # of the words, as Wei and Zou 2019 advise
VARIANTS = 9
_SENSES = "razor/senses.tsv"
_MARKED = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)


def variants(text: str, chance: Random, *, number: int = VARIANTS, alpha: float = ALPHA) -> list[str]:
    """`number` variants, the four operations in turn; where one changes nothing, the next takes its place. Of a text
    without words none, and of a text of one word that has no synonym itself."""
    tokens = text.split()
    return [_variant(tokens, chance, alpha, n) for n in range(number)] if tokens else []


def _variant(tokens: Sequence[str], chance: Random, alpha: float, turn: int) -> str:
    changed = list(tokens)
    for n in range(len(OPERATIONS)):
        changed = OPERATIONS[(turn + n) % len(OPERATIONS)](list(tokens), chance, alpha)
        if changed != tokens:
            break
    return " ".join(changed)


def _replace(tokens: list[str], chance: Random, alpha: float) -> list[str]:
    """Words that have one give way to a synonym."""
    known = [i for i, word in enumerate(tokens) if _synonyms(word)]
    for i in chance.sample(known, min(_many(tokens, alpha), len(known))):
        before, word, after = _parts(tokens[i])
        tokens[i] = f"{before}{like(word, chance.choice(_synonyms(tokens[i])))}{after}"
    return tokens


def _insert(tokens: list[str], chance: Random, alpha: float) -> list[str]:
    """Synonyms of words, anywhere."""
    known = [word for word in tokens if _synonyms(word)]
    for _ in range(_many(tokens, alpha) if known else 0):
        tokens.insert(chance.randint(0, len(tokens)), chance.choice(_synonyms(chance.choice(known))))
    return tokens


def _swap(tokens: list[str], chance: Random, alpha: float) -> list[str]:
    for _ in range(_many(tokens, alpha) if len(tokens) > 1 else 0):
        i, j = chance.sample(range(len(tokens)), 2)
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return tokens


def _delete(tokens: list[str], chance: Random, alpha: float) -> list[str]:
    """Never all of them."""
    return [word for word in tokens if chance.random() >= alpha] or [chance.choice(tokens)]


OPERATIONS: Sequence[Callable[[list[str], Random, float], list[str]]] = (_replace, _insert, _swap, _delete)


def _many(tokens: list[str], alpha: float) -> int:
    return max(1, int(alpha * len(tokens)))


def _parts(word: str) -> tuple[str, str, str]:
    """Marks before a word, the word, and marks behind it."""
    match = _MARKED.fullmatch(word)
    assert match is not None
    return match[1], match[2], match[3]


@cache
def _synonyms(word: str) -> tuple[str, ...]:
    """Synonyms of all parts of speech: EDA does not tag. An inflected word has those of what it is a form of."""
    from spacy.lang.en.stop_words import STOP_WORDS

    plain = _parts(word)[1].lower()
    if plain in STOP_WORDS or not plain.isalpha():
        return ()
    return _table().get(plain) or next(filter(None, map(_table().get, _lemmas(plain))), ())


def _lemmas(word: str) -> list[str]:
    from lemminflect import getAllLemmas

    return [lemma for lemmas in getAllLemmas(word).values() for lemma in lemmas]


@cache
def _table() -> Mapping[str, tuple[str, ...]]:
    rows = read_table(shipped_directory() / _SENSES, ("word", "synonyms"))
    return {row.cells[0]: tuple(row.cells[1].split()) for row in rows}
