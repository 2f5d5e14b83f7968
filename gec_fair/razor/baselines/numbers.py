"""A claim with another number in a number's place, in the same form and of about its size.

    2,100 bridges → 2,260 bridges      $5.50 → $5.80      the 21st century → the 22nd century      in 1998 → in 2004

Trailing zeros stay, as far as the number stays near; years move by ten at most, days stay days, a share of a hundred
stays one. What is not a quantity stays: times, scores, ranges, versions, names such as *F-16*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from gec_fair.english.articles import article
from gec_fair.english.letters import like
from gec_fair.english.lexicons.word_lists import word_list

_NUMBER = re.compile(
    r"(?<![\w.,:/–-])(?<![A-Za-z] -)"
    r"(?P<digits>[1-9]\d{0,2}(?:,\d{3})+|0(?=\.)|[1-9]\d*)(?P<decimals>\.\d+)?(?P<suffix>[A-Za-z]+)?"
    r"(?![:/–]\d|-\d|[.,]\d|\w)"
)
_ORDINALS, _DECADE = ("st", "nd", "rd", "th"), "s"
_UNITS = word_list("units_behind_a_number")
_MONTHS = word_list("months")
_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do"}
_NEAR, _LEAST, _YEARS, _DAYS = 10, 3, 10, 28
"""A tenth of the number or three of its last digit at most; ten years; days that every month has."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text: its value in units of its last digit, and how it is written."""

    match: re.Match[str]
    value: int
    decimals: int

    @property
    def suffix(self) -> str:
        """*th*, *s* of a decade, a unit, or nothing."""
        return self.match["suffix"] or ""

    @property
    def is_year(self) -> bool:
        """Four figures without a comma from 1000 to 2100."""
        return "," not in self.match["digits"] and not self.decimals and 1000 <= self.value <= 2100 and not self.suffix

    def write_number(self, value: int) -> str:
        """Another value in the same form."""
        integer, part = divmod(value, 10**self.decimals)
        text = f"{integer:,}" if "," in self.match["digits"] else str(integer)
        if self.decimals:
            text += f".{part:0{self.decimals}}"
        return text + (ordinal_suffix(value) if self.suffix in _ORDINALS else self.suffix)


def with_another_number(claim: str, chance: Random) -> str | None:
    """The claim; None where it has no number that can be another."""
    numbers = [number for number in read_numbers(claim) if _can_change(number, claim)]
    if not numbers:
        return None
    number = chance.choice(numbers)
    return _replace(claim, number, draw(number, claim, chance))


def read_numbers(text: str) -> Iterator[Number]:
    """The quantities, ordinals and years of a text."""
    for match in _NUMBER.finditer(text):
        suffix = match["suffix"] or ""
        decimals = len(match["decimals"] or ".") - 1
        digits = match["digits"].replace(",", "") + (match["decimals"] or "").replace(".", "")
        is_decade = suffix == _DECADE and digits.endswith("0") and len(digits) > 1
        if not suffix or is_decade or suffix in _ORDINALS or suffix in _UNITS:
            yield Number(match, int(digits), decimals)


def draw(number: Number, text: str, chance: Random) -> int:
    """Another value near the number's; never 0, and 1 only of an ordinal."""
    unit, farthest = _steps(number)
    least = 1 if number.suffix in _ORDINALS or number.decimals else 2
    most = _most(number, text)
    below = min(farthest, max(0, (number.value - least) // unit))
    above = farthest if most is None else min(farthest, max(0, (most - number.value) // unit))
    at, shared = chance.randrange(below + above), min(below, above)  # never listed: there may be billions
    step, is_above = (at // 2 + 1, at % 2) if at < 2 * shared else (at - shared + 1, above > below)
    return number.value + (step if is_above else -step) * unit


def ordinal_suffix(value: int) -> str:
    """*st, nd, rd* or *th*."""
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def _steps(number: Number) -> tuple[int, int]:
    """How far apart possible values are, and how many of them there are on either side."""
    if number.suffix == _DECADE:
        return 10, _LEAST
    if number.is_year:
        return 1, _YEARS
    unit = 1
    while number.value % (unit * 10) == 0 and number.value >= unit * 10 * _LEAST * _NEAR:
        unit *= 10
    return unit, max(number.value // unit // _NEAR, _LEAST)


def _most(number: Number, text: str) -> int | None:
    """A day of a month, or a share, has a greatest value."""
    before, after = text[: number.match.start()].split()[-1:], text[number.match.end() :].split()[:2]
    if after[:1] == ["of"]:
        after = after[1:]
    if number.value <= 31 and any(word.strip(",.;").lower() in _MONTHS for word in before + after[:1]):
        return _DAYS
    if text[number.match.end() :].lstrip().startswith(("%", "percent", "per cent")):
        hundred = 100 * 10**number.decimals
        return hundred if number.value <= hundred else None
    return None


def _can_change(number: Number, claim: str) -> bool:
    """One of something becomes several only where the noun is known to follow."""
    if number.value != 1 or number.decimals or number.suffix:
        return number.value > 0 and _has_room(number, claim)
    return _plural_after(claim[number.match.end() :]) is not None


def _has_room(number: Number, claim: str) -> bool:
    most = _most(number, claim)
    return most is None or number.value <= most + _LEAST


def _replace(claim: str, number: Number, value: int) -> str:
    new = number.write_number(value)
    before, after = claim[: number.match.start()], claim[number.match.end() :]
    match = re.search(r"\b([Aa]n?)(\s+)$", before)
    if match:
        before = before[: match.start()] + like(match[1], article(new)) + match[2]
    if number.value == 1 and not number.suffix and not number.decimals:
        after = _plural_after(after) or after
    return before + new + after


def _plural_after(text: str) -> str | None:
    """The text with its first word in the plural, and its verb; None if that is not a noun in the singular."""
    from lemminflect import getInflection, getLemma

    match = re.match(r"(\s+)([a-z]+)(?:(\s+)(is|was|has|does)\b)?", text)
    if match is None or match[2] not in getLemma(match[2], "NOUN", lemmatize_oov=False):
        return None
    forms: Any = getInflection(match[2], "NNS", inflect_oov=False)
    if not forms or match[2] in getLemma(match[2], "ADJ", lemmatize_oov=False):
        return None
    verb = f"{match[3]}{_VERBS[match[4]]}" if match[4] else ""
    return f"{match[1]}{forms[0]}{verb}{text[match.end() :]}"
