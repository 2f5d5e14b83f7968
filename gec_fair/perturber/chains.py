"""Who is one person in a text: the tokens that change together.

    Anna Smith lost her keys . Miss Smith found them .        Anna Smith her Miss Smith

Two words are one person's by a coreference cluster (of each mention its head and what is one with it: a name's parts, a
title, an adjective; not who possesses it), as a subject and what it is said to be (*he is an actor*), as the same name,
and as a noun or adjective that each of two fields has once (*A man plays. / A man is playing.*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby, pairwise
from typing import TYPE_CHECKING

from gec_fair.english.coref.lexical import TITLES
from gec_fair.perturber.words import Found

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from gec_fair.english.coref import Cluster

_NOMINAL = frozenset({"NN", "NNP"})
_PROPER = frozenset({"NNP", "NNPS"})
_DESCRIBES = frozenset({"NN", "NNS", "JJ"})
_SAME = frozenset({"compound", "flat", "flat:name", "amod", "appos", "nn"})


@dataclass(frozen=True)
class Chains:
    """Of one text. `borders`: the tokens at which its second and further fields begin."""

    doc: Doc
    clusters: Sequence[Cluster] = ()
    borders: Sequence[int] = ()

    def of(self, word: Found) -> frozenset[int]:
        """The tokens of a word's chain, its own among them."""
        chain = set(range(word.start, word.end))
        while more := [link for link in self._links if link & chain and not link <= chain]:
            chain.update(*more)
        return frozenset(chain)

    @cached_property
    def _links(self) -> Sequence[set[int]]:
        mentions = [{i for mention in cluster for i in _one_with(self.doc, mention.start, mention.end, mention.head)}
                    for cluster in self.clusters]  # fmt: skip
        return [*mentions, *_predicates(self.doc), *_names(self.doc), *_across(self.doc, self.borders)]


def _one_with(doc: Doc, start: int, end: int, head: int) -> Iterator[int]:
    yield head
    for token in doc[start:end]:
        above: Token = token
        while above.i != head and above.dep_ in _SAME and start <= above.head.i < end and above.head != above:
            above = above.head
        if above.i == head:
            yield token.i


def _predicates(doc: Doc) -> Iterator[set[int]]:
    for token in doc:
        if token.tag_ in _NOMINAL and any(child.dep_ == "cop" for child in token.children):
            yield from ({child.i, token.i} for child in token.children if child.dep_ in ("nsubj", "nsubj:outer"))
        elif token.dep_ == "attr":  # ClearNLP
            yield from ({child.i, token.i} for child in token.head.children if child.dep_ == "nsubj")


def _names(doc: Doc) -> Iterator[set[int]]:
    """Each name with its title, and two that may be one person's: *Anna Smith … Anna*, *Mr. Smith … Smith*; not *Mr.
    Smith* and *Mr. Jones*, *Mr. Smith* and *Mrs. Smith*, *John Smith* and *Bob Smith*."""
    by_word: dict[str, list[_Name]] = {}
    for proper, run in groupby(doc, key=lambda token: token.tag_ in _PROPER):
        name = _Name.of(run) if proper else None
        if name is not None:
            yield name.places
            for word in name.words:
                by_word.setdefault(word, []).append(name)
    for names in by_word.values():
        yield from (one.places | other.places for one, other in combinations(names, 2) if one.may_be(other))


@dataclass(frozen=True, slots=True)
class _Name:
    """Proper nouns beside each other."""

    places: set[int]
    words: frozenset[str]
    titles: frozenset[str]
    """The genders of the titles before it."""

    @classmethod
    def of(cls, run: Iterable[Token]) -> _Name:
        tokens = list(run)
        titles = [token for token in tokens[:-1] if token.lower_ in TITLES]
        words = frozenset(token.text for token in tokens if token not in titles)
        genders = frozenset(gender for token in titles if (gender := TITLES[token.lower_]) is not None)
        return cls({token.i for token in tokens}, words, genders)

    def may_be(self, other: _Name) -> bool:
        return len(self.titles | other.titles) < 2 and (self.words <= other.words or other.words <= self.words)


def _across(doc: Doc, borders: Sequence[int]) -> Iterator[set[int]]:
    """Words of two fields that say the same of one person, as two sentences about one picture do."""
    edges = [0, *borders, len(doc)]
    fields = [_once(doc[first:last]) for first, last in pairwise(edges)] if borders else []
    for one, other in combinations(fields, 2):
        yield from ({one[word], other[word]} for word in one.keys() & other.keys())


def _once(field: Iterable[Token]) -> dict[str, int]:
    """Nouns and adjectives that a field has once, and where."""
    found: dict[str, list[int]] = {}
    for token in field:
        if token.tag_ in _DESCRIBES:
            found.setdefault(token.lower_, []).append(token.i)
    return {word: places[0] for word, places in found.items() if len(places) == 1}
