"""WinoBias' files (Zhao et al. 2018): a numbered sentence a line, with the mentions of one person in brackets.

3 [The baker] thanked the driver and said that [she] would call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from gec_fair.data.text_files import read_lines

Span: TypeAlias = tuple[int, int]
"""Letters of a text, half-open."""
_BRACKET = re.compile(r"\[\s*([^\[\]]*?)\s*\]")
_NUMBER = re.compile(r"^\d+\s+")
_ARTICLE = re.compile(r"^(the|an?)\s+", re.IGNORECASE)


def read_sentences(path: Path) -> Iterator[tuple[int, str, list[Span]]]:
    """Number of the line, text without its number and brackets, and what stood in these. Empty lines are left out.
    InputError for a file that cannot be read."""
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield number, *_without_brackets(_NUMBER.sub("", line.strip()))


def remove_article(mention: str) -> str:
    """An occupation without its article."""
    return _ARTICLE.sub("", mention)


def pattern_of(occupations: set[str]) -> re.Pattern[str]:
    """Finds any of them in a text, in upper or lower case, as group 1."""
    return re.compile(rf"\b({'|'.join(sorted(map(re.escape, occupations), key=len, reverse=True))})\b", re.IGNORECASE)


def _without_brackets(marked: str) -> tuple[str, list[Span]]:
    text, spans, at = "", [], 0
    for match in _BRACKET.finditer(marked):
        text += marked[at : match.start()]
        spans.append((len(text), len(text) + len(match[1])))
        text += match[1]
        at = match.end()
    return text + marked[at:], spans
