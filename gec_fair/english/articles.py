"""*a* or *an*."""

from __future__ import annotations

import re

_ELEVEN = re.compile(r"1[18](\d{3})*(?!\d)")
_VOWELS = "aeiou"
# spelling and sound disagree; only words that a lexicon can bring into this place matter
_CONSONANT_SOUND = ("eu", "uni", "use", "uk", "one-", "ewe")
_VOWEL_SOUND = ("heir", "hour", "honest", "honour", "honor")


def article(word: str) -> str:
    """*a* or *an* before the word, or a number: *an 8-year-old, an 11th, an 18 - wheeler*."""
    lower = word.lower()
    if lower[:1].isdigit():
        return "an" if lower[0] == "8" or _ELEVEN.match(lower) else "a"
    if lower.startswith(_VOWEL_SOUND):
        return "an"
    return "an" if lower[:1] in _VOWELS and not lower.startswith(_CONSONANT_SOUND) else "a"
