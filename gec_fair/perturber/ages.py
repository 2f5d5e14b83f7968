"""Ages told in numbers: *eleven years old*, *an 11-year-old*, *aged 70*, *in her forties*; read, and moved to another
age group.

    child      1-17      young  18-44      middle-aged  45-64      senior  65-

A number keeps its place in its group: *eleven*, two thirds up from 1 to 17, becomes *34* among 18-44. The same age
moves alike in a whole text, and digits stay digits, words words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_fair.english.letters import like

if TYPE_CHECKING:
    from spacy.tokens import Doc

GROUPS = {"child": (1, 17), "young": (18, 44), "middle-aged": (45, 64), "senior": (65, 95)}
_OLDEST = 120
_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
         "seventeen eighteen nineteen").split()  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)} | {
    f"{ten}-{one}": 10 * t + o for t, ten in enumerate(_TENS, 2) for o, one in enumerate(_ONES[1:10], 1)
}  # fmt: skip
_SPELT = {number: word for word, number in WORDS.items()}
_GLUED = re.compile(r"(\d{1,3}|[a-z]+(?:-[a-z]+)?)-years?-olds?", re.IGNORECASE)
_DECADE = re.compile(r"(\d0)s|(twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)", re.IGNORECASE)
_DECADES = ("twenties thirties forties fifties sixties seventies eighties nineties").split()
_HINTS = frozenset({"year", "years", "old", "olds", "aged", "age", "ages"})
_POSSESSIVE = frozenset("his her their my your our".split())


@dataclass(frozen=True, slots=True)
class Age:
    """A number of years as it is written."""

    years: int
    spelt: bool


def read(word: str) -> Age | None:
    """A number of years, by digits or by its word; None for what is no age of a person."""
    if word.isdecimal() and 0 < int(word) <= _OLDEST:
        return Age(int(word), spelt=False)
    years = WORDS.get(word.lower())
    return Age(years, spelt=True) if years else None


def write(age: Age, model: str) -> str:
    """In digits or words as it was, in the case of `model`."""
    return like(model, _SPELT[age.years]) if age.spelt and age.years in _SPELT else str(age.years)


def group(years: int) -> str:
    """The age group."""
    return next(name for name, (_, last) in GROUPS.items() if years <= last or name == "senior")


def moved(years: int, target: str) -> int:
    """The age at the same place of another group."""
    first, last = GROUPS[group(years)]
    low, high = GROUPS[target]
    place = min(1.0, (years - first) / (last - first))
    return round(low + place * (high - low))


def may_be_told(pieces: set[str], lower: str) -> bool:
    """Whether a lower-cased text, and its letters-only pieces, may hold an age; cheap."""
    return not pieces.isdisjoint(_HINTS) or bool(_DECADE.search(lower))


def find(doc: Doc) -> Iterator[tuple[int, str, int | None]]:
    """(token of the number, age group, the token that says of whom, *old*) of every age; None for the last where only a
    person is spoken of so (*aged 11*)."""
    words = [token.lower_ for token in doc]
    for at, word in enumerate(words):
        if years := _glued(word):
            yield at, group(years), at
        elif years := _decade(words, at):
            yield at, group(years), None
        elif (age := read(word)) is not None and (how := _plain(words, at)) is not None:
            yield at, group(age.years), at + how if how else None


def rewritten(words: list[str], at: int, target: str) -> str:
    """The word at `at`, an age, in another age group."""
    word = words[at]
    if found := _GLUED.fullmatch(word):
        age = read(found[1])
        return (
            word if age is None else word.replace(found[1], write(Age(moved(age.years, target), age.spelt), found[1]))
        )
    if _decade([each.lower() for each in words], at):
        if target == "child":
            return like(word, "teens")
        low, high = (-(-GROUPS[target][0] // 10) * 10, GROUPS[target][1] // 10 * 10)
        tens = min(high, max(low, moved(_decade_years(word.lower()) + 5, target) // 10 * 10))
        return f"{tens}s" if word[0].isdigit() else like(word, _DECADES[tens // 10 - 2])
    age = read(word)
    return word if age is None else write(Age(moved(age.years, target), age.spelt), word)


def _glued(word: str) -> int:
    """*11-year-old*."""
    found = _GLUED.fullmatch(word)
    age = read(found[1]) if found else None
    return age.years if age else 0


def _decade(words: list[str], at: int) -> int:
    """*in her forties*, *in his late 40s*."""
    before = words[max(0, at - 2) : at]
    if _DECADE.fullmatch(words[at]) and not _POSSESSIVE.isdisjoint(before) and "in" in words[max(0, at - 3) : at]:
        return _decade_years(words[at]) + 5
    return 0


def _decade_years(word: str) -> int:
    return int(word[:2]) if word[0].isdigit() else 10 * (_DECADES.index(word) + 2)


_BEHIND = tuple(tuple(told.split()) for told in (
    "years old", "year old", "- year - old", "- year - olds", "- year old", "- years - old"))  # fmt: skip
_BEFORE = tuple(tuple(told.split()) for told in (
    "aged", "age of", "ages of", "at age", "by age", "from age", "until age", "since age"))  # fmt: skip


def _plain(words: list[str], at: int) -> int | None:
    """*eleven years old*, *11 - year - old*, *aged 11*, *at the age of 11*: how far on *old* stands, 0 where it is not
    said; None for a number that is no age."""
    for told in _BEHIND:
        if tuple(words[at + 1 : at + 1 + len(told)]) == told:
            return len(told)
    of_age = words[at + 1 : at + 4] == ["years", "of", "age"]
    return 0 if of_age or any(tuple(words[max(0, at - len(told)) : at]) == told for told in _BEFORE) else None
