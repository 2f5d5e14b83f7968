"""Letters: a new word is written like the word whose place it takes, in its case and with its signs."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

APOSTROPHES = "'’‘ʼ`´＇‛′ʹʻˈ‚ˊˋ՚‵｀❜ꞌ᾿´"
"""Signs that writers use for an apostrophe. Most are quotation marks too: only the place tells."""
OPENING_MARKS = "`‘‛"
"""Those that open a quotation, or are written for an apostrophe."""
_LOOKALIKES = dict(zip("аеорсхуіѕһАВЕКМНОРСТХοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcxyishABEKMHOPCTXoABEZHIKMNOPTYX", strict=True))
"""Cyrillic and Greek letters, and the Latin ones that they stand for beside Latin letters."""
_INVISIBLE = "Cf"
"""The category of soft hyphens, joiners and zero-width spaces."""
_ODD = re.compile(
    rf"&(?:amp;)*(?:#\d{{1,7}}|#[xX][\da-fA-F]{{1,6}}|[A-Za-z]\w{{1,30}});|[^\W\d_]?[\u0300-\u036f]+|[{APOSTROPHES[1:]}]|[^\x00-\x7f]"
)
_CLITIC = re.compile(rf"(?:s|re|ve|ll|d|m|t)(?![\w{APOSTROPHES}])", re.IGNORECASE)
_FULL_WIDTH = frozenset(map(chr, (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))))
_TO_FULL_WIDTH = {ord(sign) - 0xFEE0: sign for sign in _FULL_WIDTH}


def like(model: str, word: str) -> str:
    """`word` (lower case) in the case of `model`: UPPER, Title or lower.

    One capital letter alone is Title, so that *A* becomes *An*, not *AN*; mixed case (*hE*) gives lower case.
    """
    letters = [c for c in model if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return word.upper()
    if letters and letters[0].isupper():
        return capitalise(word)
    return word


def like_name(model: str, name: str) -> str:
    """A name (*McKenzie*) in the case of `model`: UPPER, lower, or as the name itself is written."""
    if len(model) > 1 and model.isupper():
        return name.upper()
    return name.lower() if model[:1].islower() else name


def capitalise(word: str) -> str:
    """The word with its first letter in upper case; parts after a hyphen stay (*Step-mother*)."""
    for at, char in enumerate(word):
        if char.isalpha():
            return word[:at] + char.upper() + word[at + 1 :]
    return word


def plain(text: str) -> str:
    """The text with one sign for each letter and apostrophe. Decide by it; do not write it.

    he`s, he&#39;s, Ｈｅ’ｓ, h\\N{SOFT HYPHEN}e's    he's, he's, He's, he's

    Letters are composed (NFC), compatibility letters are plain (NFKC), entities are resolved, invisible signs inside
    words are left out, and an apostrophe inside a word or before a clitic is straight. Quotation marks
    and other scripts stay.
    """
    return text if is_plain(text) else "".join(reading for _, _, reading in _readings(text))


def is_plain(text: str) -> bool:
    """Whether `plain` has nothing to do; quick, and may say no of a text that is plain."""
    return text.isascii() and "&" not in text and "`" not in text


def plain_with_places(text: str) -> tuple[str, list[int]]:
    """`plain(text)`, and for each of its letters where it begins in the text; one place more for the end."""
    if is_plain(text):
        return text, list(range(len(text) + 1))
    pieces = list(_readings(text))
    places = [start for start, _, reading in pieces for _ in reading]
    return "".join(reading for _, _, reading in pieces), [*places, len(text)]


def dress(model: str, word: str) -> str:
    """A plain word with the signs of `model`: its apostrophe, entities, full width, decomposed letters, and the
    invisible signs around it."""
    if is_plain(model):
        return word
    pieces = list(_readings(model))
    signs = {
        ord(reading): model[start:end] for start, end, reading in pieces if len(reading) == 1 and not reading.isalnum()
    }
    new = word.translate(signs)
    letters = [sign for sign in model if sign.isalpha()]
    if letters and all(sign in _FULL_WIDTH for sign in letters):
        new = new.translate(_TO_FULL_WIDTH)
    elif unicodedata.is_normalized("NFD", model) and not unicodedata.is_normalized("NFC", model):
        new = unicodedata.normalize("NFD", new)
    visible = [place for place, sign in enumerate(model) if unicodedata.category(sign) != _INVISIBLE]
    return model[: visible[0]] + new + model[visible[-1] + 1 :] if visible else new


def _readings(text: str) -> Iterator[tuple[int, int, str]]:
    """The pieces of a text, from where to where, and how each is read; in order and without gaps."""
    at, before = 0, ""
    for odd in _ODD.finditer(text):
        yield from ((i, i + 1, text[i]) for i in range(at, odd.start()))
        before = text[odd.start() - 1] if odd.start() > at else before
        reading = _reading(odd, before)
        yield odd.start(), odd.end(), reading
        at, before = odd.end(), reading[-1:] or before
    yield from ((i, i + 1, text[i]) for i in range(at, len(text)))


def _reading(odd: re.Match[str], before: str) -> str:
    """How one odd sign is read behind the letter `before`."""
    sign = odd[0]
    if sign.startswith("&"):
        meant = html.unescape(sign.replace("&amp;", "&") if sign.count(";") > 1 else sign)
        if len(meant) > 1 or unicodedata.category(meant) != _INVISIBLE:
            return "'" if meant in APOSTROPHES else "".join(_letter(letter) for letter in meant)
        sign = meant
    following = odd.string[odd.end() : odd.end() + 1]
    if sign in APOSTROPHES:
        is_inside = before.isalpha() and (following.isalpha() or unicodedata.category(following or " ") == _INVISIBLE)
        is_clitic = not before.isalnum() and _CLITIC.match(odd.string, odd.end())
        return "'" if is_inside or is_clitic else sign
    if unicodedata.category(sign[0]) == _INVISIBLE:
        return "" if before.isalpha() or following.isalpha() or following in [*APOSTROPHES] else sign
    if sign in _LOOKALIKES and (_is_latin(before) or _is_latin(following)):
        return _LOOKALIKES[sign]
    return _letter(sign)


def _is_latin(sign: str) -> bool:
    return sign.isalpha() and unicodedata.name(sign, "").startswith("LATIN")


@lru_cache(maxsize=10_000)
def _letter(sign: str) -> str:
    """A letter with its accents as one sign, and a compatibility letter (full width, a ligature) as plain ones."""
    if len(sign) > 1:
        return unicodedata.normalize("NFKC", sign)
    simple = unicodedata.normalize("NFKC", sign)
    is_letter = sign.isalpha() or unicodedata.decomposition(sign).startswith("<circle>")
    return simple if is_letter and simple.isascii() and simple.isalpha() else sign
