"""WinoBias (Zhao et al. 2018) as masked-pronoun prediction: each sentence with its pronoun hidden, and the occupations
that it could mean.

    3 [The mechanic] gave the clerk a present because [she] won the lottery.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import InputError

_BRACKET = re.compile(r"\[([^\[\]]+)\]")
_NUMBER = re.compile(r"^\d+\s+")
_PRONOUNS = frozenset(["he", "him", "his", "she", "her", "hers", "himself", "herself"])
_OTHER = re.compile(r"\b[Tt]he ([a-z]+)\b")


@dataclass(frozen=True, slots=True)
class Resolution:
    """`before` and `behind` the pronoun; `occupations`: words of the sentence that may be meant."""

    before: str
    pronoun: str
    behind: str
    occupations: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.before}{self.pronoun}{self.behind}"


def read(paths: Sequence[Path]) -> list[Resolution]:
    """The sentences of WinoBias' own files. InputError with the line for what has no two brackets, one of them a
    pronoun; InputError for no sentence."""
    found: list[Resolution] = []
    every: set[str] = set()
    rows: list[tuple[str, re.Match[str], str]] = []
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"{path}: cannot be read as UTF-8 text ({fault}); give WinoBias' files") from fault
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            text = _NUMBER.sub("", line.strip())
            brackets = list(_BRACKET.finditer(text))
            pronouns = [each for each in brackets if each[1].lower() in _PRONOUNS]
            if len(brackets) != 2 or len(pronouns) != 1:
                raise InputError(f"{path}:{number}: expected an occupation and a pronoun in brackets; give WinoBias' "
                                 "own files")  # fmt: skip
            (other,) = [each for each in brackets if each is not pronouns[0]]
            every.add(_occupation(other[1]))
            rows.append((text, pronouns[0], other[1]))
    for text, pronoun, meant in rows:
        before, behind = (_BRACKET.sub(r"\1", part) for part in (text[: pronoun.start()], text[pronoun.end() :]))
        here = dict.fromkeys([_occupation(meant), *(word for word in _OTHER.findall(before + behind) if word in every)])
        found.append(Resolution(before, pronoun[1], behind, tuple(here)))
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: no sentence in it; give WinoBias' files")
    return found


def _occupation(mention: str) -> str:
    """*The construction worker* is told by *worker*."""
    return mention.split()[-1].lower()
