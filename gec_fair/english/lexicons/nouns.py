"""Which noun swaps with which.

    tokens    my  mother  -  in  -  law  is  a  chairwoman
                  └──── one term ─────┘         └ by rule: -woman ↔ -man
    swapped   my  father  -  in  -  law  is  a  chairman

A term is matched in lower case, longest first, with its hyphens attached (*mother-in-law*) or detached as GEC data has
them. A match says in which `readings` it holds; whether the word in the text has that reading is the caller's to find.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory, term_tokens
from gec_fair.errors import InputError

NOUN_COLUMNS = ("feminine", "masculine", "feminine_plural", "masculine_plural", "class", "direction", "reading")
DIRECTIONS = ("both", "f2m", "m2f")
RULE = {"woman": "man", "women": "men", "man": "woman", "men": "women"}
"""The compound rule: what ends in the left swaps to the right. Ordered: *-woman* is tried before *-man*."""
_MINIMUM_STEM = 2  # letters, chosen by hand


class Reading(Enum):
    """In which reading a term is gendered."""

    ANY = "any"  # wherever it stands: actress, Mr
    NOUN = "noun"  # common or proper noun, not a verb: to father, to man the boat
    ADJECTIVE = "adjective"  # adjective: female, maternal
    COMMON = "common"  # common noun, not a proper one: a god, but God; a postman, but Mr Newman
    TITLE = "title"  # directly before a proper noun: Miss Smith, Lord Byron


TITLE_ONLY = frozenset({Reading.TITLE})


@dataclass(frozen=True, slots=True)
class Term:
    """One word or multi-word term and what it swaps to; all lower-case, tokenised. It holds in any of `readings`."""

    words: tuple[str, ...]
    replacement: tuple[str, ...]
    gender: Gender
    kind: str
    readings: frozenset[Reading]
    plural: bool


@dataclass(frozen=True, slots=True)
class NounMatch:
    """`term` found at tokens `start` to `end` (half-open)."""

    start: int
    term: Term

    @property
    def end(self) -> int:
        """The first token after the noun."""
        return self.start + len(self.term.words)


@dataclass(frozen=True, slots=True)
class Nouns:
    """Gendered terms by their first token, fixed expressions by each of their tokens. Build with `Nouns.of`.

    `titles` are the terms whose only reading is before a name: *Lady Ann* ↔ *Lord Ann*, but *lady* ↔ *gentleman*.
    """

    terms: Mapping[tuple[str, ...], Term]
    titles: Mapping[tuple[str, ...], Term]
    exceptions: Mapping[str, str]
    """Word in -man or -men that is not a compound → why."""
    fixed: Mapping[tuple[str, ...], str]
    """Expression in which nothing is swapped → why."""
    company: Mapping[tuple[str, ...], frozenset[str]]
    """Term → words of which the text must hold one: a *groom* marries where there is a *bride* or a *wedding*."""
    _by_first: Mapping[str, tuple[Term, ...]] = field(repr=False)
    _fixed_by_word: Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]] = field(repr=False)

    @staticmethod
    def from_terms(
        terms: Sequence[Term],
        exceptions: Mapping[str, str] = MappingProxyType({}),
        fixed: Mapping[tuple[str, ...], str] = MappingProxyType({}),
        company: Mapping[tuple[str, ...], frozenset[str]] = MappingProxyType({}),
    ) -> Nouns:
        """Build the nouns from terms. If several terms have the same words and kind of reading, the last counts."""
        titles = {term.words: term for term in terms if term.readings == TITLE_ONLY}
        others = {term.words: term for term in terms if term.readings != TITLE_ONLY}
        by_first: dict[str, list[Term]] = {}
        for term in sorted((titles | others).values(), key=lambda term: -len(term.words)):
            by_first.setdefault(term.words[0], []).append(term)
        by_word: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        for phrase in sorted(fixed):
            for place, word in enumerate(phrase):
                by_word.setdefault(word, []).append((place, phrase))
        return Nouns(
            others,
            titles,
            exceptions,
            fixed,
            company,
            {word: tuple(terms) for word, terms in by_first.items()},
            {word: tuple(terms) for word, terms in by_word.items()},
        )

    @property
    def noun_tokens(self) -> frozenset[str]:
        """Every lower-cased token that can start a listed term. Compounds by rule are not in it: see `may_start`."""
        return frozenset(self._by_first)

    def may_start(self, word: str) -> bool:
        """Whether a match can start at this lower-cased token; cheap, and never wrong when it says no."""
        return word in self._by_first or "-" in word or word.endswith(("man", "men"))

    def gender(self, word: str) -> Gender | None:
        """The gender of a lower-cased word that is a term by itself; None for another word."""
        term = self.terms.get((word,)) or self.titles.get((word,))
        return None if term is None else term.gender

    def swap_noun(self, words: Sequence[str], i: int, *, before_name: bool = False) -> NounMatch | None:
        """The longest gendered term that starts at token `i`, whatever its case; None if there is none, if the word
        is an exception (*German*) or inside a fixed expression (*mother tongue*, *bachelor 's degree*).

        `before_name`: the caller knows that a name follows, so that a title row goes first (*Sir Ian* → *Dame Ian*,
        but *Dear Sir* → *Dear Madam*)."""
        word = words[i].lower()
        title = self.titles.get((word,))
        if title and before_name:
            return None if self.is_fixed(words, i, 1) else NounMatch(i, title)
        for term in self._by_first.get(word, ()):
            if _stands_at(term.words, words, i):
                stays = self.is_fixed(words, i, len(term.words)) or not self._has_company(term, words)
                return None if stays else NounMatch(i, term)
        compound_term = self.compound(word)
        return None if compound_term is None or self.is_fixed(words, i, 1) else NounMatch(i, compound_term)

    def _has_company(self, term: Term, words: Sequence[str]) -> bool:
        needed = self.company.get(term.words)
        return needed is None or not needed.isdisjoint(word.lower() for word in words)

    def is_fixed(self, words: Sequence[str], i: int, length: int = 1) -> bool:
        """Whether token `i` lies in a fixed expression that is at least as long as a match of `length` tokens there.

        `swap_noun` asks it itself; ask it before swapping a name: *San Francisco*, *Big Ben*.
        """
        return any(
            len(phrase) >= length and i >= place and _stands_at(phrase, words, i - place)
            for place, phrase in self._fixed_by_word.get(words[i].lower(), ())
        )

    def compound(self, word: str) -> Term | None:
        """A lower-cased word that is not a row of the table, swapped by rule; None if no rule applies.

        *-woman ↔ -man*, *-women ↔ -men*, unless the word is an exception; and *ex-wife*, *step-sister*,
        *father-daughter*: the last part of a hyphenated word is a gendered noun, its other gendered nouns follow.
        """
        if word in self.exceptions or (word,) in self.terms:
            return None
        if "-" in word.strip("-"):
            return self._find_hyphenated(word)
        for ending, replacement in RULE.items():
            stem = word.removesuffix(ending)
            if stem != word:
                return _compound(word, stem + replacement, ending) if _is_stem(stem) else None
        return None

    def _find_hyphenated(self, word: str) -> Term | None:
        parts = word.split("-")
        swaps = [self.terms.get((part,)) or self.compound(part) for part in parts]
        last = swaps[-1]
        if last is None or len(last.replacement) != 1 or Reading.TITLE in last.readings:
            return None
        new = [
            swap.replacement[0] if swap is not None and len(swap.replacement) == 1 else part
            for part, swap in zip(parts, swaps, strict=True)
        ]
        return Term((word,), ("-".join(new),), last.gender, last.kind, last.readings, last.plural)


def read_nouns(path: Path) -> list[Term]:
    """The terms of one table in both directions, with their plurals, in every tokenisation."""
    rows = read_table(path, NOUN_COLUMNS)
    return [variant for row in rows for term in row_terms(row) for variant in _tokenisations(term)]


@cache
def masculine_plurals() -> Mapping[str, frozenset[str]]:
    """The plurals that the shipped table has for each masculine noun; one noun may have several."""
    plurals: dict[str, frozenset[str]] = {}
    for row in read_table(shipped_directory() / "nouns.tsv", NOUN_COLUMNS):
        _, masculine, _, plural, *_ = row.cells
        if masculine and plural:
            plurals[masculine] = plurals.get(masculine, frozenset()) | {plural}
    return plurals


def row_terms(row: Row) -> Iterable[Term]:
    """The terms of one row, as it is tokenised there; InputError with file:line for a row that is none."""
    feminine, masculine, feminine_plural, masculine_plural, kind, direction, reading = row.cells
    known = {member.value: member for member in Reading}
    if bool(feminine) != bool(masculine) or bool(feminine_plural) != bool(masculine_plural):
        raise InputError(f"{row.where}: a word stands without its counterpart; fill the cell, or clear the other one")
    if not (feminine or feminine_plural) or not kind:
        raise InputError(f"{row.where}: a row needs a feminine word, a masculine word and a class; fill the cells")
    if direction not in DIRECTIONS:
        raise InputError(f"{row.where}: direction is {', '.join(DIRECTIONS)}, not {direction!r}; correct the cell")
    if not known.keys() >= {*reading.split("|")}:
        names = ", ".join(known)
        raise InputError(f"{row.where}: reading is one or several (with |) of {names}, not {reading!r}; correct it")
    readings = frozenset(known[name] for name in reading.split("|"))
    for she, he, plural in ((feminine, masculine, False), (feminine_plural, masculine_plural, True)):
        her_words, his_words = tuple(she.split()), tuple(he.split())
        if not her_words:
            continue
        if direction != "m2f":
            yield Term(her_words, his_words, Gender.FEMININE, kind, readings, plural)
        if direction != "f2m":
            yield Term(his_words, her_words, Gender.MASCULINE, kind, readings, plural)


def _tokenisations(term: Term) -> Iterable[Term]:
    yield term
    detached = _detach(term.words)
    if detached != term.words:
        yield Term(detached, _detach(term.replacement), term.gender, term.kind, term.readings, term.plural)


def _detach(words: tuple[str, ...]) -> tuple[str, ...]:
    """*mother-in-law* as GEC tokenisers may have it: mother - in - law."""
    return term_tokens(" ".join(words))[-1]


def _stands_at(phrase: tuple[str, ...], words: Sequence[str], i: int) -> bool:
    if len(phrase) == 1:
        return phrase[0] == words[i].lower()
    return i + len(phrase) <= len(words) and all(words[i + k].lower() == part for k, part in enumerate(phrase))


def _compound(word: str, replacement: str, ending: str) -> Term:
    gender = Gender.FEMININE if ending.startswith("wo") else Gender.MASCULINE
    return Term((word,), (replacement,), gender, "compound", frozenset({Reading.COMMON}), ending.endswith("men"))


@lru_cache(maxsize=10_000)
def _is_stem(stem: str) -> bool:
    """Whether somebody may be called a man of it: a noun or adjective, *-s* between them or not (*sportsman*)."""
    from lemminflect import getAllLemmas

    if len(stem) < _MINIMUM_STEM or not stem.isalpha():
        return False
    return any(getAllLemmas(word, upos) for word in (stem, stem.removesuffix("s")) for upos in ("NOUN", "ADJ"))
