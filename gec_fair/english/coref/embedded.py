"""Our resolver: every *he* and *she* finds its referent among the nominals of the text, or says that there is none.

    parse ─ nominals ─ referents by words and syntax ─ rows ─ first belief ─ rows ─ second belief ─ clusters

Pronouns with one referent form a cluster with its mentions. Pronouns without any are taken for one person per gender,
as long as they stand close together: *He got so mad that he left* is a cluster without a nominal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.english.coref import Cluster, Mention, chains, features, lexical, parse, text
from gec_fair.english.coref.features import Rows
from gec_fair.english.coref.lexical import Lexical
from gec_fair.english.coref.mentions import Nominal
from gec_fair.english.coref.ranker import Ranker, softmax
from gec_fair.english.coref.text import Text

if TYPE_CHECKING:
    from spacy.tokens import Doc

RANKER = Path(__file__).with_name("ranker.npz")
LONG = 600
"""Words above which a text is resolved in pieces, each on its own, so that the cost stays linear."""
COLUMNS = features.NAMES + chains.NAMES
_OTHER: dict[str | None, str] = {lexical.MASCULINE: lexical.FEMININE, lexical.FEMININE: lexical.MASCULINE}
NEAR = 5
"""Sentences over which pronouns of one gender without a nominal are still taken for one person."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A `Coref` over parsed docs; see the module."""

    ranker: Ranker
    lexical: Lexical

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        return [self.resolve(doc) for doc in docs]

    def resolve(self, doc: Doc) -> list[Cluster]:
        """The clusters of one text, by first mention. A text without *he* or *she* costs one look at its words."""
        if not any(token.lower_ in lexical.PRONOUNS for token in doc):
            return []
        if len(doc) <= LONG:
            read = text.read(parse.read(doc), self.lexical)
            return group(read, choose(read, beliefs(read, self.ranker)))
        return [
            tuple(Mention(m.start + start, m.end + start, m.head + start) for m in cluster)
            for start, end in windows(doc)
            for cluster in self.resolve(doc[start:end].as_doc())
        ]


@cache
def embedded() -> Embedded:
    """The shipped ranker over the shipped lexicons; read once."""
    return Embedded(Ranker.load(RANKER, COLUMNS), lexical.load())


def windows(doc: Doc) -> list[tuple[int, int]]:
    """Token spans of whole sentences, together at most LONG words each; a longer sentence is cut."""
    cuts, last = [0], 0
    for border in [*(token.i for token in doc if token.is_sent_start), len(doc)]:
        while border - cuts[-1] > LONG:
            cuts.append(last if last > cuts[-1] else cuts[-1] + LONG)
        last = border
    return list(pairwise([*cuts, len(doc)]))


def beliefs(text: Text, ranker: Ranker) -> list[list[float]]:
    """Per pronoun a probability for each of its candidates and, last, for none."""
    if not text.pronouns:
        return []
    one = [features.first_stage(text, which) for which in range(len(text.pronouns))]
    first = softmaxes(ranker.first.score(np.concatenate(one)), one, 0.0)
    two = chains.second_stage(text, first)
    rows = np.concatenate([np.concatenate(one), np.concatenate(two)], axis=1)
    return softmaxes(ranker.second.score(rows), one, ranker.none_penalty)


def softmaxes(scores: np.typing.NDArray[np.float32], groups: list[Rows], penalty: float) -> list[list[float]]:
    found, start = [], 0
    for group in groups:
        own = scores[start : start + len(group)].copy()
        own[-1] -= penalty
        found.append([float(value) for value in softmax(own)])
        start += len(group)
    return found


def choose(text: Text, belief: list[list[float]]) -> list[int | None]:
    """The likeliest referent of each pronoun (None: none). A referent keeps one gender: the one believed more."""
    chosen: list[int | None] = []
    weight: dict[tuple[int | None, str | None], float] = defaultdict(float)
    for pronoun, candidates, own in zip(text.pronouns, text.candidates, belief, strict=True):
        best = max(range(len(own)), key=own.__getitem__)
        entity = candidates[best] if best < len(candidates) else None
        chosen.append(entity)
        weight[entity, pronoun.gender] += own[best]
    return [
        entity if weight[entity, pronoun.gender] >= weight[entity, _OTHER[pronoun.gender]] else None
        for entity, pronoun in zip(chosen, text.pronouns, strict=True)
    ]


def group(text: Text, chosen: list[int | None]) -> list[Cluster]:
    """Clusters of at least two mentions, each with a pronoun, by their first mention; no two share a mention."""
    taken = {m.head for e in chosen if e is not None and text.entities[e].relative for m in text.entities[e].mentions}
    members: dict[tuple[object, ...], list[Nominal]] = {}
    last: dict[str, tuple[int, int]] = {}
    for pronoun, number in zip(text.pronouns, chosen, strict=True):
        if number is not None:
            entity = text.entities[number]
            own = [m for m in entity.mentions if entity.relative or m.head not in taken]
            members.setdefault((number,), own).append(pronoun)
            continue
        gender, sent = str(pronoun.gender), text.parse.sent[pronoun.head]
        before, chain = last.get(gender, (sent, 0))
        chain += sent - before > NEAR
        last[gender] = (sent, chain)
        members.setdefault((gender, chain), []).append(pronoun)
    found = [
        tuple(sorted(Mention(nominal.start, nominal.end, nominal.head) for nominal in cluster))
        for cluster in members.values()
        if len(cluster) > 1
    ]
    return sorted(found)
