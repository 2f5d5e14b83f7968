"""One way of writing contractions, whatever the tokeniser did, and back again.

    He doesn't know .       He doesn 't know .       He doesn ’ t know .       →  He does n't know .
    He's here , she ' s not .                                                  →  He 's here , she 's not .

The parser and the tables of agreement know `does n't` and `he 's`. A text is read in that form. What is changed there
is written as the text writes it: *doesn 't* becomes *don 't*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gec_fair.edits import Edit, Edits
from gec_fair.english.lexicons.word_lists import word_list

APOSTROPHES = "'’ʼ"
_MARK = f"[{APOSTROPHES}]"
_NEGATED = re.compile(rf"([a-z]+)n{_MARK}t", re.IGNORECASE)
_CLITIC = re.compile(rf"([a-z]+){_MARK}(?:s|re|ve|ll|d|m)", re.IGNORECASE)
_PARTS = word_list("parts_of_contractions")
"""What stands behind an apostrophe in a token of its own, or behind a stem that ends in *n*."""
_STEMS = word_list("stems_of_contractions")
"""Words that a lone apostrophe and a clitic may follow: *he ' s*; *said ' s* is a quotation."""
_MOST = 4
"""Tokens of one contraction."""


@dataclass(frozen=True, slots=True)
class Contraction:
    """Words `start:end` stand for two words from `at` on. `cuts` say where the text cuts them, `split` where
    the standard form does, both counted from the apostrophe."""

    start: int
    end: int
    at: int
    mark: str
    cuts: tuple[int, ...]
    split: int

    def write(self, one: str, second: str) -> tuple[str, ...] | None:
        """Two words as the text writes them; None for words that are no contraction."""
        text = one + second
        place = next((i for i, sign in enumerate(text) if sign in APOSTROPHES), None)
        if place is None:
            return None
        text = text[:place] + self.mark + text[place + 1 :]
        borders = [0, *(place + cut for cut in self.cuts), len(text)]
        pieces = tuple(text[a:b] for a, b in pairwise(borders))
        return pieces if all(pieces) else None


@dataclass(frozen=True, slots=True)
class Text:
    """The words of a text in the standard form. `contractions` are those that the text writes otherwise, in order."""

    words: tuple[str, ...]
    contractions: tuple[Contraction, ...] = ()

    def border(self, place: int) -> int | None:
        """The border before one of the text's words as a border of `words`; None where it is inside one of these."""
        shift = 0
        for contraction in self.contractions:
            if contraction.start < place < contraction.end:
                is_split = contraction.cuts[place - contraction.start - 1] == contraction.split
                return contraction.at + 1 if is_split else None
            if contraction.end <= place:
                shift += 2 - (contraction.end - contraction.start)
        return place + shift

    def restore(self, edits: Edits) -> Edits | None:
        """Edits of `words` as edits of the text's own words; None where one cannot be written as the text writes."""
        if not self.contractions:
            return edits
        restored: list[Edit] = []
        changed: dict[Contraction, list[str]] = {}
        size = len(self.words) - sum(2 - (c.end - c.start) for c in self.contractions)
        for edit in edits:
            touched = [c for c in self.contractions if edit.start < c.at + 2 and c.at < edit.end]
            if not touched:
                shift = sum(2 - (c.end - c.start) for c in self.contractions if c.at < edit.start)
                restored.append(Edit(edit.start - shift, edit.end - shift, edit.replacement))
                continue
            if len(touched) > 1 or (edit.end - edit.start, len(edit.replacement)) != (1, 1):
                return None
            (inside,) = touched
            words = changed.setdefault(inside, list(self.words[inside.at : inside.at + 2]))
            words[edit.start - inside.at] = edit.replacement[0]
        for contraction, words in changed.items():
            pieces = contraction.write(*words)
            if pieces is None or len(pieces) != contraction.end - contraction.start:
                return None
            restored.append(Edit(contraction.start, contraction.end, pieces))
        return Edits(tuple(sorted(restored)), size)


def read(words: Sequence[str]) -> Text:
    """The words with every contraction as `does n't` and `he 's`."""
    text = " ".join(words)
    if not any(mark in text for mark in APOSTROPHES):
        return Text(tuple(words))
    new: list[str] = []
    contractions: list[Contraction] = []
    at = 0
    while at < len(words):
        contraction = _contraction(words, at)
        if contraction is None:
            new.append(words[at])
            at += 1
            continue
        end, standard = contraction
        if tuple(words[at:end]) != standard:
            written = "".join(words[at:end])
            place = next(i for i, sign in enumerate(written) if sign in APOSTROPHES)
            borders = [sum(map(len, words[at : at + n])) for n in range(1, end - at)]
            cuts = tuple(border - place for border in borders)
            contractions.append(Contraction(at, end, len(new), written[place], cuts, len(standard[0]) - place))
        new += standard
        at = end
    return Text(tuple(new), tuple(contractions))


def _contraction(words: Sequence[str], at: int) -> tuple[int, tuple[str, str]] | None:
    """The end of the contraction that begins at a word, and its two words in the standard form."""
    if not words[at][:1].isalpha():
        return None
    for end in range(min(at + _MOST, len(words)), at, -1):
        tail = [word.lower().strip(APOSTROPHES) for word in words[at + 1 : end]]
        if any(part and part not in _PARTS for part in tail) or (tail and not any(tail)):
            continue
        written = "".join(words[at:end])
        match = _NEGATED.fullmatch(written) or _CLITIC.fullmatch(written)
        if match is None:
            continue
        stem = match[1]
        if end - at > 1 and words[at + 1] in APOSTROPHES and not _may_be_split(match, stem):
            continue
        rest = written[len(stem) :]
        place = next(i for i, sign in enumerate(rest) if sign in APOSTROPHES)
        return end, (stem, rest[:place] + ("’" if rest[place] == "’" else "'") + rest[place + 1 :])
    return None


def _may_be_split(match: re.Match[str], stem: str) -> bool:
    return match.re is _NEGATED or stem.lower() in _STEMS
