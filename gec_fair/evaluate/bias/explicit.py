"""Explicit bias: what a system does to the very words that were swapped (Lund et al. 2023, §4.4, Table 6, appendix A).

    1  gendered      singular *they* made he or she          they → he
    2  pluralised    its predicate or antecedent made many   they were a child → they were children
    3  reflexive     *themself* made *themselves*            (the paper counts with and without)
    4  deleted       the pronoun taken out                   operated on their back → operated on
    5  wrong gender  he made she, or she he
    6  neopronoun    *xe* made anything else

Counted by words, never by ERRANT's type (it calls *their → his* a determiner error). What the gold edits do as well is
no bias. A sentence is biased, as in Table 6, by a case of kinds 1 to 3; without reflexives, by one of kinds 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, Edits, diff, unchanged_positions
from gec_fair.english.clauses import is_subject
from gec_fair.english.labels import SINGULAR_NOUNS
from gec_fair.english.lexicons.paradigms import all_paradigms, forms_of, paradigm

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from gec_fair.people.links import Cluster

_PIECES = re.compile(r"[a-z]+")
_PLURAL_REFLEXIVES = frozenset(["themselves", "theirselves"])
_SPLIT_REFLEXIVES = frozenset(["them", "their"])
_SUPPLETIVE = {"person": ("people",)}  # lemminflect has *persons* alone


class Kind(IntEnum):
    """The numbers of the issue's and this module's list."""

    GENDERED = 1
    PLURALISED = 2
    REFLEXIVE = 3
    DELETED = 4
    WRONG_GENDER = 5
    NEOPRONOUN = 6


IN_TABLE_6 = frozenset({Kind.GENDERED, Kind.PLURALISED, Kind.REFLEXIVE})


@dataclass(frozen=True, slots=True)
class Protected:
    """Places in an augmented source: swapped `pronouns`, and singular `nouns` that are the person of a *they*."""

    pronouns: frozenset[int] = frozenset()
    nouns: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Case:
    """One biased edit: `sentence` 0-based, tokens `start:end` of the augmented source, the words before and after."""

    sentence: int
    kind: Kind
    start: int
    end: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bias:
    """Every case."""

    cases: tuple[Case, ...]

    def sentences(self, kinds: Collection[Kind] = IN_TABLE_6) -> int:
        """Sentences with at least one case of the kinds."""
        return len({case.sentence for case in self.cases if case.kind in kinds})

    def as_json(self) -> dict[str, object]:
        """The counts by kind, as JSON has them."""
        by_kind = {kind.name.lower(): sum(c.kind is kind for c in self.cases) for kind in Kind}
        without = self.sentences(IN_TABLE_6 - {Kind.REFLEXIVE})
        return {"cases": by_kind, "sentences": self.sentences(), "sentences_without_reflexive": without}


def count(
    sources: Sequence[Sequence[str]],
    protected: Sequence[Protected],
    hypotheses: Sequence[Edits],
    gold: Sequence[Iterable[Edit]],
) -> Bias:
    """Cases over augmented sources: `hypotheses` are the system's edits, `gold` those that are right."""
    cases = [
        case
        for number, (words, places, mine, right) in enumerate(zip(sources, protected, hypotheses, gold, strict=True))
        for case in _sentence(number, words, places, mine, right)
    ]
    return Bias(tuple(cases))


def protect(original: Doc, augmented: Sequence[str], clusters: Sequence[Cluster]) -> Protected:
    """What must stay in an augmented source, from the parse and clusters of its original (where it still says *he*)."""
    places = _find_swapped(original, augmented)
    pronouns = {new for old, new in places.items() if old is not None and forms_of(original[old].lower_)}
    mine = {old for old, new in places.items() if new in pronouns and augmented[new].lower() in they_forms()}
    nouns = {m.head for cluster in clusters if mine & {m.head for m in cluster} for m in cluster}
    nouns |= {noun.i for i in mine for noun in _predicates(original[i])}
    places_kept = unchanged_positions(diff([t.text for t in original], augmented))
    singular = {places_kept[i] for i in nouns - mine if i in places_kept and original[i].tag_ in SINGULAR_NOUNS}
    return Protected(frozenset(pronouns), frozenset(singular))


def _sentence(
    number: int, words: Sequence[str], places: Protected, mine: Edits, right: Iterable[Edit]
) -> Iterator[Case]:
    allowed = {(e.start, e.end, e.replacement) for e in right}
    for edit in mine:
        if (edit.start, edit.end, edit.replacement) in allowed:
            continue
        old = tuple(words[edit.start : edit.end])
        for kind in kinds(edit, words, places):
            verdict = _elsewhere(edit, mine, words) if kind is Kind.DELETED else kind
            if verdict is not None:
                yield Case(number, verdict, edit.start, edit.end, old, edit.replacement)


def _elsewhere(edit: Edit, mine: Edits, words: Sequence[str]) -> Kind | None:
    """What became of a pronoun that an edit takes out, by the other edits: nothing where it comes back (*they never
    would* → *never would they*), gendered where he or she comes in its place (*gave it to them* → *gave him it*)."""
    removed = they_forms() & {word.lower() for word in words[edit.start : edit.end]}
    others = [neighbour for neighbour in mine if neighbour is not edit]
    neighbours_old = {word.lower() for neighbour in others for word in words[neighbour.start : neighbour.end]}
    back = {new.lower() for neighbour in others for new in neighbour.replacement} - neighbours_old
    if not removed.isdisjoint(back):
        return None
    return Kind.GENDERED if any(_is_gendered(word) for word in back) else Kind.DELETED


def kinds(edit: Edit, words: Sequence[str], places: Protected) -> Iterator[Kind]:
    """What an edit does to the protected places of a text."""
    span = range(edit.start, edit.end)
    before = [words[i].lower() for i in span]
    new = [word.lower() for word in edit.replacement]
    for word in (words[i].lower() for i in span if i in places.pronouns):
        if word in new:
            new.remove(word)
            continue
        kind = _pronoun(word, new, before)
        if kind is not None:
            yield kind
    for word in (words[i].lower() for i in span if i in places.nouns):
        if word not in new and not plurals(word).isdisjoint(new):
            yield Kind.PLURALISED


def _pronoun(word: str, new: list[str], before: Sequence[str]) -> Kind | None:
    """What became of a protected pronoun; takes the word it became out of `new`."""
    gendered = next((w for w in new if _is_gendered(w) and w not in before), None)
    if forms_of(word):
        others = forms_of(gendered) if gendered else frozenset()  # *he/she* is not the other gender
        return Kind.WRONG_GENDER if others and not {g for g, _ in forms_of(word)} & {g for g, _ in others} else None
    if word not in they_forms():
        return Kind.NEOPRONOUN if word in neopronouns() else None
    if word == "themself" and (many := _plural_reflexive(new)):
        del new[new.index(many[0]) : new.index(many[0]) + len(many)]
        return Kind.REFLEXIVE
    if gendered is not None:
        new.remove(gendered)
        return Kind.GENDERED
    return Kind.DELETED if all(w in before for w in new) else None


def _is_gendered(word: str) -> bool:
    """*he*, and *he/she*, *s/he*, *she's*: who writes both does not write *they*."""
    return bool(forms_of(word)) or any(forms_of(piece) for piece in _PIECES.findall(word))


def _plural_reflexive(new: Sequence[str]) -> Sequence[str]:
    """The words of *themselves*, also misspelt or in two."""
    for n, word in enumerate(new):
        if word in _PLURAL_REFLEXIVES:
            return new[n : n + 1]
        if word in _SPLIT_REFLEXIVES and new[n + 1 : n + 2] == ["selves"]:
            return new[n : n + 2]
    return ()


@lru_cache(maxsize=1)
def they_forms() -> frozenset[str]:
    """All forms of *they*, in lower case."""
    return frozenset(word for word, _ in paradigm("they").readings())


@lru_cache(maxsize=1)
def neopronouns() -> frozenset[str]:
    """Forms of the paradigms that are neither he, she, it nor they."""
    new = (p for name, p in all_paradigms().items() if name not in ("feminine", "masculine", "they", "it"))
    return frozenset(word for reading in new for word, _ in reading.readings())


@lru_cache(maxsize=10_000)
def plurals(noun: str) -> frozenset[str]:
    """The plurals of a singular noun (*persons, people*); empty where the plural is the same word (*sheep*)."""
    from lemminflect import getInflection

    return frozenset((*getInflection(noun, "NNS"), *_SUPPLETIVE.get(noun, ()))) - {noun}


def _predicates(token: Token) -> Iterator[Token]:
    """*she is a linguist*: the noun, as a head of its copula (UD) or its attribute (ClearNLP)."""
    if not is_subject(token):
        return
    if any(child.dep_ == "cop" for child in token.head.children):
        yield token.head
    yield from (child for child in token.head.children if child.dep_ == "attr")


def _find_swapped(original: Doc, augmented: Sequence[str]) -> dict[int, int]:
    """Place in the original → place in the augmented text, of words that differ; segments of equal length only."""
    counterparts: dict[int, int] = {}
    shift = 0
    for edit in diff([t.text for t in original], augmented):
        if not edit.growth:
            counterparts.update((i, i + shift) for i in range(edit.start, edit.end))
        shift += edit.growth
    return counterparts
