"""Gendered words of a text that no one has parsed: the source side of a correction, where a parse cannot be trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.nouns import Reading
from gec_fair.english.lexicons.paradigms import Gender, forms_of

_OWNS = frozenset(["'s", "’s", "s"])
_WORDS = re.compile(r"\w+")
_GLUE = re.compile(r"(|.*[^\w'’-]['’]*|['’]+)(\w(?:[\w'’-]*\w)?)(\W*)")


@dataclass(frozen=True, slots=True)
class Gendered:
    """A pronoun, noun or name at tokens `start:end`.

    `to` is what a noun swaps to, `gender` its own and `certain` whether it is gendered in every reading; `before` and
    `after` are signs that the writer glued to the word (*.She*).
    """

    start: int
    end: int
    kind: str  # pronoun | noun | name
    words: tuple[str, ...]
    to: tuple[str, ...] = ()
    gender: Gender | None = None
    certain: bool = False
    is_plural: bool = False
    before: str = ""
    after: str = ""
    owns: bool = False
    """Whether *'s* follows: *her 's* is *hers*."""


def find_gendered(words: Sequence[str], lexicon: Lexicon, *, nominals: bool) -> list[Gendered]:
    """All gendered words in order. Without `nominals` only pronouns count (singular *they* leaves nouns and names)."""
    gendered_words: list[Gendered] = []
    at = 0
    while at < len(words):
        item = _read_gendered(words, at, lexicon, nominals) or _read_glued(words[at], at, lexicon, nominals)
        if item is not None:
            gendered_words.append(item)
        at = item.end if item is not None else at + 1
    return gendered_words


def _read_gendered(words: Sequence[str], at: int, lexicon: Lexicon, nominals: bool) -> Gendered | None:
    word = words[at]
    lower = word.lower()
    if forms_of(lower):
        owns = lower == "her" and at + 1 < len(words) and words[at + 1].lower() in _OWNS
        return Gendered(at, at + 1, "pronoun", (word,), owns=owns)
    if not nominals:
        return None
    match = lexicon.nouns.swap_noun(words, at) if lexicon.nouns.may_start(lower) else None
    if match is not None and Reading.TITLE not in match.term.readings:
        certain = bool(match.term.readings & {Reading.ANY, Reading.NOUN, Reading.COMMON})
        noun = tuple(words[at : match.end])
        return Gendered(
            at, match.end, "noun", noun, match.term.replacement, match.term.gender, certain, match.term.plural
        )
    if lexicon.names.counterpart(word, proper=word.islower()) is not None:  # learners write *anna*
        return Gendered(at, at + 1, "name", (word,))
    return None


def _read_glued(word: str, at: int, lexicon: Lexicon, nominals: bool) -> Gendered | None:
    if word.isalpha():
        return None
    parts = _GLUE.fullmatch(word)
    if parts is None or not (parts[1] or parts[3]):
        return None
    item = _read_gendered((parts[2],), 0, lexicon, nominals)
    if any(_read_gendered((piece,), 0, lexicon, nominals) for piece in _WORDS.findall(parts[1])):
        return None  # Mr./Ms: half of it would be swapped
    return None if item is None else replace(item, start=at, end=at + 1, before=parts[1], after=parts[3])
