"""Whether a text looks like another language than English, by its commonest words.

    Il a perdu son chat dans la rue .      il, dans, la: French, although *son* is a word of English
    Jean-Luc said " je ne sais pas " .     English, for *said* and what is beside it

The rule is made for single lines, and must never fire on learners' English, slang or tweets. How often it is right is
in `docs/concepts/outcomes.md`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gec_fair.english.lexicons.word_lists import word_list

_FOREIGN = word_list("words_of_other_languages")
_SMALL = word_list("small_words_of_other_languages")
_ENGLISH = word_list("common_english_words")
_WORD = re.compile(r"[^\W\d_]+")
_SIGNS = frozenset("¿¡")
_LAST_LATIN = "\u024f"
"""The last letter of the Latin alphabets in Unicode."""
_SHARE = 0.25
"""The share of small words of other languages, where nothing else decides. By hand: *Le prince et la dame*, 3 of 5."""


def foreign_words(words: Sequence[str]) -> list[str]:
    """The words that show another language, at most three; none for a text that may be English."""
    text = " ".join(words)
    lower = set(text.lower().split(" "))
    if text.isascii() and _FOREIGN.isdisjoint(lower) and not _ENGLISH.isdisjoint(lower):
        return []
    pieces: list[str] = _WORD.findall(text)
    if characters := _in_another_script(pieces):
        return characters[:3]
    strong = [word for word in pieces if word.lower() in _FOREIGN]
    small = [word for word in pieces if word in _SMALL or _has_accent(word)]
    signs = [sign for sign in text if sign in _SIGNS]
    number = sum(word.lower() in _ENGLISH for word in pieces)
    is_foreign = _is_foreign(pieces, [*strong, *signs], small) if not number else _outweighs(strong, small, number)
    return list(dict.fromkeys([*strong, *small, *signs]))[:3] if is_foreign else []


def _is_foreign(pieces: list[str], strong: list[str], small: list[str]) -> bool:
    """Whether a text has no common English word. A capital may be a name's (*Que*), except in a first word."""
    if len(pieces) < 3:
        return False
    if any(word.islower() or not word.isalpha() for word in strong) or _outweighs(strong, small, 0):
        return True
    if len(pieces) < 4:
        return False
    begins = len(pieces) > 4 and pieces[0] in strong
    return begins or bool(strong and small) or _is_full(pieces, strong, small)


def _is_full(pieces: list[str], strong: list[str], small: list[str]) -> bool:
    return len(set(small)) > 1 and len(small) + len(strong) >= _SHARE * len(pieces)


def _outweighs(strong: list[str], small: list[str], number: int) -> bool:
    """Whether two words of other languages are there, and twice as many as common English ones."""
    return len({word.lower() for word in strong}) > 1 and len(strong) + len(small) > 2 * number


def _has_accent(word: str) -> bool:
    return not word.isascii() and word.islower() and max(word) <= _LAST_LATIN and word not in _FOREIGN


def _in_another_script(pieces: list[str]) -> list[str]:
    """The words in another script than Latin, where they have most of the letters."""
    words = [word for word in pieces if word[0] > _LAST_LATIN]
    return words if 2 * sum(map(len, words)) > sum(map(len, pieces)) else []
