"""Grammar checkers as GEC systems: what they find in prose becomes edits of tokens.

On tokenised text most of what a checker finds is the white space. So each text is detokenised and checked, and every
first suggestion is carried back to the tokens that it touches; only those are tokenised anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gec_fair.edits import Edit, Edits, edit_words
from gec_fair.english.running_text.prose import Prose, detokenise

Finding: TypeAlias = "tuple[int, int, str]"
"""Half-open character offsets in the prose, and the text that should stand there."""


def correct(text: str, check: Callable[[str], list[Finding]]) -> str:
    """The tokenised text with the first suggestions of its findings; `check` gives those of a text of prose."""
    words = [word for word in text.split(" ") if word]
    if not words:
        return text
    prose = detokenise(words)
    return " ".join(edit_words(edits(words, prose, check(prose.text), _tokenise), words))


def _tokenise(text: str) -> list[str]:
    from gec_fair.english import pipeline

    return [token.text for token in pipeline.load_shared().tokenizer(text) if not token.is_space]


def edits(
    words: Sequence[str],
    prose: Prose,
    findings: Sequence[Finding],
    tokenise: Callable[[str], list[str]],
) -> Edits:
    """First suggestions as edits of tokens: from left to right, each that meets no token of one before it."""
    suggestions: list[Edit] = []
    at = -1  # the last token that is taken
    for start, end, new in sorted(findings, key=lambda finding: finding[:2]):
        first, last = _find_touched(prose, start, end)
        if first <= at:
            continue
        left, right = _border(prose, first, last, start)
        text = prose.text[left:start] + new + prose.text[end:right]
        replacement = tuple(tokenise(text))
        if replacement != tuple(words[first:last]):
            suggestions.append(Edit(first, last, replacement))
            at = max(first, last - 1)
    return Edits(tuple(suggestions), len(words))


def _find_touched(prose: Prose, start: int, end: int) -> tuple[int, int]:
    """The tokens that share a character with a span of the prose; for an insertion the token around it, or that
    ends or begins there, is touched, and between two white spaces none is."""
    inside = [n for n, (a, b) in enumerate(prose.spans) if a < end and start < b] if end > start else []
    if not inside:
        inside = [n for n, (a, b) in enumerate(prose.spans) if a <= start <= b][:1] if end == start else []
    if inside:
        return inside[0], inside[-1] + 1
    before = sum(b <= start for _, b in prose.spans)
    return before, before


def _border(prose: Prose, first: int, last: int, start: int) -> tuple[int, int]:
    if first == last:
        return start, start
    return min(prose.spans[first][0], start), max(prose.spans[last - 1][1], start)
