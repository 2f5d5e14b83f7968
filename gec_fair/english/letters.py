"""Letter case: a new word is written like the word whose place it takes."""

from __future__ import annotations


def like(model: str, word: str) -> str:
    """`word` (lower case) in the case of `model`: UPPER, Title or lower.

    One capital letter alone is Title, so that *A* becomes *An*, not *AN*; mixed case (*hE*) gives lower case.
    """
    letters = [c for c in model if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return word.upper()
    if letters and letters[0].isupper():
        return capitalised(word)
    return word


def like_name(model: str, name: str) -> str:
    """A name (*McKenzie*) in the case of `model`: UPPER, lower, or as the name itself is written."""
    if len(model) > 1 and model.isupper():
        return name.upper()
    return name.lower() if model[:1].islower() else name


def capitalised(word: str) -> str:
    """The word with its first letter in upper case; parts after a hyphen stay (*Step-mother*)."""
    for at, char in enumerate(word):
        if char.isalpha():
            return word[:at] + char.upper() + word[at + 1 :]
    return word
