"""Misspellings as learners make them: letters exchanged as in the table, or a finger's slip anywhere.

    [letters.ei]     ie = 0.011        receive → recieve       at every *ei*
    [letters."^wh"]  w = 0.004         which   → wich          ^ and $ are the word's borders
    [slips]          omitted, doubled, swapped, neighbour, vowel: at every letter but the first
    [length.open]    7 = 0.4           the rates are those of long words; words of seven letters have 0.4 of them

Guarded words are spelt right; what writes one (*then* → *them*) is refused where slips are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from gec_fair.gec.noise import rates
from gec_fair.gec.noise.forms import match_case
from gec_fair.gec.noise.rates import Rate
from gec_fair.gec.noise.slip import Family, Option, Row, Rows, Slip, Tables
from gec_fair.gec.noise.words import CLOSED, Text, Word, word

LONGEST = 12  # letters; [length] has longer words under this number
_BORDERS = "^$"
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS = "aeiou"


def _misspellings(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    lower = text.entries[at].lower
    for written, kind, rate in misspellings(tables["letters"], tables["slips"], tables["length"], lower):
        yield Slip(rate.default, kind, at, at + 1, match_case(text, at, (written,)))


@lru_cache(maxsize=2000)  # some hundred for each word
def misspellings(letters: Rows, slips: Rows, length: Rows, lower: str) -> tuple[Option, ...]:
    """Every misspelling of a word, `written` being the whole word; none of guarded or unknown words."""
    factor = _part(length, word(lower))
    if not factor:
        return ()
    options = (*_exchange_letters(letters, lower), *_make_slips(slips, lower))
    return tuple(
        Option(written, kind, Rate(rate.default * factor))
        for written, kind, rate in options
        if written not in (lower, "")
    )


def _most(tables: Tables, entry: Word) -> float:
    factor = _part(tables["length"], entry)
    if not factor:
        return 0.0
    exchanged = sum(row.most for _, _, row in _matches(tables["letters"], f"^{entry.lower}$"))
    slipped = sum(tables["slips"].get(name).most for name in SLIPS) * MOST_WAYS * (len(entry.lower) - 1)
    return factor * (exchanged + slipped)


def _part(length: Rows, entry: Word) -> float:
    """What [length] says of the word; nothing if it may not be misspelt."""
    if not entry.lower.isalpha() or not entry.known or entry.guarded:
        return 0.0
    number = size(entry.lower)
    return next((rate.default for written, _, rate in length.get(openness(entry)) if written == number), 0.0)


def openness(entry: Word) -> str:
    """Which row of [length] is the word's: little words are better known."""
    return "closed" if entry.group in CLOSED else "open"


def size(lower: str) -> str:
    """How [length] names the word's number of letters."""
    return str(min(len(lower), LONGEST))


def _exchange_letters(letters: Rows, lower: str) -> Iterator[Option]:
    padded = f"^{lower}$"
    for start, end, row in _matches(letters, padded):
        for new, kind, rate in row:
            yield Option((padded[:start] + new + padded[end:]).strip(_BORDERS), kind, rate)


def _matches(letters: Rows, padded: str) -> Iterator[tuple[int, int, Row]]:
    longest = _longest(letters)
    for start in range(len(padded)):
        for end in range(start + 1, min(start + longest, len(padded)) + 1):
            row = letters.by_key.get(padded[start:end])
            if row is not None:
                yield start, end, row


@lru_cache(maxsize=8)
def _longest(letters: Rows) -> int:
    return max(map(len, letters.by_key), default=0)


def _make_slips(slips: Rows, lower: str) -> Iterator[Option]:
    for name, slip in SLIPS.items():
        for _, kind, rate in slips.get(name):
            for at in range(1, len(lower)):
                yield from (Option(written, kind, rate) for written in slip(lower, at))


def _omit(word: str, at: int) -> Iterable[str]:
    yield word[:at] + word[at + 1 :]


def _double(word: str, at: int) -> Iterable[str]:
    yield word[:at] + word[at] + word[at:]


def _swap(word: str, at: int) -> Iterable[str]:
    if at + 1 < len(word):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _neighbour(word: str, at: int) -> Iterable[str]:
    return (word[:at] + key + word[at + 1 :] for key in _find_neighbours(word[at]))


def _vowel(word: str, at: int) -> Iterable[str]:
    return (word[:at] + vowel + word[at + 1 :] for vowel in _VOWELS if word[at] in _VOWELS)


_WAYS: Sequence[Callable[[str, int], Iterable[str]]] = (_omit, _double, _swap, _neighbour, _vowel)
SLIPS = dict(zip(rates.SLIPS, _WAYS, strict=True))
"""Name → every way to make that slip at a letter, `MOST_WAYS` at most."""
MOST_WAYS = len(_VOWELS)


def _find_neighbours(letter: str) -> str:
    """The keys left and right of a letter's."""
    for line in _KEYBOARD:
        at = line.find(letter)
        if at >= 0:
            return line[max(0, at - 1) : at] + line[at + 1 : at + 2]
    return ""


SPELLING = Family(_most, _misspellings)
