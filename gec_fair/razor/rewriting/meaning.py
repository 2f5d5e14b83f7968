"""How much of the documents' meaning their rewritings kept: by words, numbers and, with an encoder, vectors.

    words       2·|old ∩ new| / (|old| + |new|) over the words of both (Dice), with repeats; the mean over documents
    numbers     documents whose numbers are the same before and after, *2* and *two* alike
    similarity  cosine of the encoder's mean states; the mean over documents

None of them is a judgement: a word that says the same lowers the first, and *not* hardly changes any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from gec_fair.english.lexicons.word_lists import ordered_words
from gec_fair.razor.documents.words import words

_DIGITS = {word: str(number) for number, word in enumerate(ordered_words("numbers_below_twenty")) if number > 1}
"""Not *one*, which may be a pronoun."""
Vectors = Callable[[Sequence[str]], NDArray[np.float64]]
"""(texts) → (texts, width), each of length 1."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Of `documents` that were rewritten, means from 0 to 1; `similarity` is None without an encoder."""

    documents: int
    words: float
    numbers: float
    similarity: float | None


def meaning_kept(pairs: Sequence[tuple[str, str]], vectors: Vectors | None = None) -> Meaning | None:
    """Of (old, new) texts; None where there are none."""
    if not pairs:
        return None
    similarity = None
    if vectors is not None:
        old, new = (vectors([pair[side] for pair in pairs]) for side in (0, 1))
        similarity = float((old * new).sum(1).mean())
    return Meaning(
        len(pairs),
        fmean(dice(words(old), words(new)) for old, new in pairs),
        fmean(numbers_of(old) == numbers_of(new) for old, new in pairs),
        similarity,
    )


def dice(old: Sequence[str], new: Sequence[str]) -> float:
    """2·|old ∩ new| / (|old| + |new|), with repeats; 1 for two texts without words."""
    shared = (Counter(old) & Counter(new)).total()
    return 2 * shared / (len(old) + len(new)) if old or new else 1.0


def numbers_of(text: str) -> Counter[str]:
    """Numbers in figures, and those below twenty in words."""
    tokens = (_DIGITS.get(word, word) for word in words(text))
    return Counter(token for token in tokens if any(map(str.isdigit, token)))
