"""Tokens as prose, and prose as tokens: for systems that read and write as people do.

    source      I do n't go to " school " .        I do n't go to " the school " .
      │ write                                             ▲ tokenise
      ▼                                                   │
    prose       I don't go to "school".  ────system────▶  I don’t go to “the school”.

`tokenise` aligns the characters of the prose with those of the source: where nothing changed, the source's tokens
return as they were, and what is new is cut by spaCy's rules for English, as the data of BEA-2019 is. So a system that
writes prose is scored as if it had written tokens. No reference is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from rapidfuzz.distance import Levenshtein

from gec_fair.english.running_text.spacy_tokens import tokens
from gec_fair.extras import require

TREEBANK_QUOTES = ("``", "''")
"""Prose has straight ones."""
_CLITICS = frozenset({"n't", "nt", "'s", "'m", "'re", "'ve", "'ll", "'d"})
_FUSED = frozenset({"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"})
"""Two tokens that prose writes as one word."""
_SIGNS = ".,!?;:"
_PLAIN = {
    **dict.fromkeys("’‘‛´`＇", "'"),
    **dict.fromkeys(("“", "”", "„", "＂", *TREEBANK_QUOTES), '"'),
    **dict.fromkeys(("–", "—", "−", "‐", "‑", "--", "---"), "-"),
}
"""Ways to write a sign → the plain one."""
_TYPED = re.compile("[’‘‛“”„…]")
_WITH_UNIT = re.compile(r"(?<=\d)(-)(?=[^\W\d_])")
_INVISIBLE = "\u00ad\u200b\u200c\u200e\u200f\u2060\ufeff"
"""Signs of no width that come along from a web page; the joiner of emoji is none of them."""
_WITHOUT_KEYS = str.maketrans(dict(zip("＇＂‐‑", "'\"--", strict=True)) | dict.fromkeys(_INVISIBLE))
_UNIT = re.compile(r"``|''|-{2,3}|(?P<space>\s+)|.[\u0300-\u036f]*", re.S)
_ATTACHED = re.compile(
    rf"""^["“„«(\[{{$£€][^\W_]
    | [^\W_](?: [{re.escape(_SIGNS[1:])}]+ | \.\.+ | …+
        | [{re.escape(_SIGNS)}]*["”»)\]}}%][{re.escape(_SIGNS)}"”»)\]}}]*
    | (?: n['’]t | ['’](?:s|m|re|ve|ll|d) )[{re.escape(_SIGNS)}]* | \.$ )$""",
    re.I | re.X,
)
"""A word with a sign before it, or a sign or clitic behind it, as prose has them; a full stop alone may belong to an
abbreviation."""
_ALONE = re.compile(rf"""[{re.escape(_SIGNS)}]+|["“”„«»()\[\]{{}}$£€%]|``|''""")


@dataclass(frozen=True, slots=True)
class Prose:
    """`spans`: half-open character offsets of each token in `text`."""

    text: str
    spans: tuple[tuple[int, int], ...]


def detokenise(words: Sequence[str]) -> Prose:
    """Prose that differs from the tokens in white space, and in Treebank quotes made straight; where NLTK changes
    more, the tokens with spaces between them."""
    straightened = ['"' if word in TREEBANK_QUOTES else word for word in words]
    text = _detokenizer().detokenize(list(words))
    if text.replace(" ", "") != "".join(straightened):
        text = " ".join(straightened)
    spans, at = [], 0
    for word in straightened:
        start = at = _next(text, at)
        for letter in word:  # white space may have gone inside a word or come between two
            at = _next(text, at)
            assert text[at] == letter
            at += 1
        spans.append((start, at))
    return Prose(text, tuple(spans))


def write(words: Sequence[str]) -> str:
    """The words as a person writes them: `detokenise`, with quotation marks beside what they enclose."""
    return re.sub(r'(^|[\s(])" ([^"]+?) ?"(?=$|[\s.,!?;:)])', r'\1"\2"', detokenise(words).text)


def tokenise(source: Sequence[str], text: str) -> tuple[str, ...]:
    """The tokens of prose that was written for a source. `tokenise(words, write(words)) == words` for all words.

    A sign that the writer has replaced by a variant of it (“ for ") is the source's again. Signs that no keyboard has
    (‑ for -) become plain, or go if they are invisible. Quadratic in characters at worst, bit-parallel in fact.
    """
    text = text.translate(_WITHOUT_KEYS)
    units, is_spaced = _units(text)
    sides = [_units(word)[0] for word in source]
    places = _align([unit.key for side in sides for unit in side], [unit.key for unit in units])
    rules = _rule_borders(text)
    cuts = {n for n, unit in enumerate(units) if is_spaced[n] or unit.start in rules} | {len(units)}
    is_twice = len(source) > 1 and source[-2].endswith(source[-1])  # *the U.S. .*, whose stops prose makes one
    if units and source and source[-1] in _SIGNS and places[-1] == len(units) - 1 and not is_twice:
        cuts.add(len(units) - 1)  # the stop that ends the sentence, behind an abbreviation too
    unchanged = _find_unchanged(sides, places, is_spaced)
    unchanged = _with_borders(unchanged, source, units, cuts)
    starts = {start: number for number, (start, _) in unchanged.items()}
    inside = {n for start, end in unchanged.values() for n in range(start + 1, end)}
    borders = sorted((cuts - inside) | {end for pair in unchanged.values() for end in pair} | {0})
    plain = not any(_TYPED.search(word) for word in source)
    words = []
    for start, end in pairwise(borders):
        written = text[units[start].start : units[end - 1].end]
        words.append(source[starts[start]] if start in starts else _straighten(written) if plain else written)
    return tuple(word for word in words if word)


def count_attached(source: Sequence[str], words: Sequence[str]) -> tuple[int, int]:
    """What tells prose from tokens, of a text that was cut at spaces: how many signs and clitics stand attached to a
    word that the source does not have so, and how many stand alone."""
    *before, last = words or [""]
    known = set(source)
    attached = sum(word not in known and bool(_ATTACHED.search(word)) and not word.endswith(".") for word in before)
    attached += last not in known and bool(_ATTACHED.search(last))
    alone = sum(bool(_ALONE.fullmatch(word)) or word.replace("’", "'").lower() in _CLITICS for word in words)
    return attached, alone


@dataclass(frozen=True, slots=True)
class _Unit:
    """A letter or sign of a text, its half-open offsets, and the plain form that is compared."""

    start: int
    end: int
    key: str


def _units(text: str) -> tuple[list[_Unit], list[bool]]:
    """The units without white space, and whether white space stands before each."""
    units: list[_Unit] = []
    is_spaced: list[bool] = []
    space = False
    for match in _UNIT.finditer(text):
        if match["space"]:
            space = True
            continue
        sign, (start, end) = match[0], match.span()
        if sign == "…":  # three dots, the last two of no width
            units += [_Unit(start, end, "."), _Unit(end, end, "."), _Unit(end, end, ".")]
            is_spaced += [space, False, False]
        else:
            units.append(_Unit(start, end, _PLAIN.get(sign) or unicodedata.normalize("NFC", sign)))
            is_spaced.append(space)
        space = False
    return units, is_spaced


def _align(source: Sequence[str], written: Sequence[str]) -> list[int]:
    """For each unit of the source the place of the same unit in what was written, or -1."""
    places = [-1] * len(source)
    for op in Levenshtein.opcodes(source, written):
        if op.tag == "equal":
            places[op.src_start : op.src_end] = range(op.dest_start, op.dest_end)
    return places


def _find_unchanged(
    sides: Sequence[Sequence[_Unit]], places: Sequence[int], is_spaced: Sequence[bool]
) -> dict[int, tuple[int, int]]:
    """Tokens of the source that stand whole in what was written: number → half-open units there."""
    unchanged: dict[int, tuple[int, int]] = {}
    at = 0
    for number, side in enumerate(sides):
        span = places[at : at + len(side)]
        at += len(side)
        is_whole = bool(span) and span[0] >= 0 and span == list(range(span[0], span[0] + len(span)))
        if is_whole and not any(is_spaced[span[0] + 1 : span[-1] + 1]):
            unchanged[number] = (span[0], span[-1] + 1)
    return unchanged


def _with_borders(
    unchanged: dict[int, tuple[int, int]], source: Sequence[str], units: Sequence[_Unit], cuts: set[int]
) -> dict[int, tuple[int, int]]:
    """Those that end where a token may end: *go* in *going* does not, nor do *any one* in *anyone*."""

    def is_border(number: int) -> bool:
        """Whether prose attaches a token to the one before it."""
        if (number - 1) not in unchanged or number not in unchanged:
            return False
        (_, end), (start, _) = unchanged[number - 1], unchanged[number]
        if start != end:
            return False
        is_word = units[start - 1].key.isalnum() and units[start].key.isalnum()
        pair = (source[number - 1] + source[number]).lower()
        return not is_word or pair in _FUSED or source[number].lower() in _CLITICS

    while True:
        wrong = [
            number
            for number, (start, end) in unchanged.items()
            if not ((start in cuts or start == 0 or is_border(number)) and (end in cuts or is_border(number + 1)))
        ]
        if not wrong:
            return unchanged
        unchanged = {number: pair for number, pair in unchanged.items() if number not in wrong}


def _straighten(text: str) -> str:
    return "".join(_PLAIN.get(sign, sign) if sign in "’‘‛“”„" else "..." if sign == "…" else sign for sign in text)


def _rule_borders(text: str) -> set[int]:
    """The offsets at which a token begins by rule. *100-metre* is one, as when BEA-2019 was made."""
    borders = set()
    for part in re.finditer(r"\S+", text):
        at = part.start()
        for token in tokens(part[0]):
            borders.add(at)
            at += len(token)
    return borders - {at for unit in _WITH_UNIT.finditer(text) for at in (unit.start(1), unit.end(1))}


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


@cache
def _detokenizer() -> Any:
    require("detokenising", "evaluate", "nltk")
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    return TreebankWordDetokenizer()
