"""Our resolver: every *he* and *she* finds its referent among the nominals of the text, or says that there is none.

    parse ─ nominals ─ referents by words and syntax ─ rows ─ first belief ─ rows ─ second belief ─ clusters

Pronouns with one referent form a cluster with its mentions. Pronouns without any are taken for one person per gender,
as long as they stand close together: *He got so mad that he left* is a cluster without a nominal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.people.links import chains, features, lexical, parse, text
from gec_fair.people.links.features import Rows
from gec_fair.people.links.lexical import Lexical
from gec_fair.people.links.mentions import Nominal
from gec_fair.people.links.ranker import Ranker, softmax
from gec_fair.people.links.resolver import Cluster, Mention
from gec_fair.people.links.text import Text

if TYPE_CHECKING:
    from spacy.tokens import Doc

RANKER = Path(__file__).with_name("ranker.npz")
LONG = 600
"""Words above which a text is resolved in pieces, each on its own, so that the cost stays linear. Chosen by hand."""
COLUMNS = features.NAMES + chains.NAMES
BATCH = 256
"""Texts that go through the trees together."""
NEAR = 5
"""Sentences over which pronouns of one gender without a nominal are still taken for one person. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A `Coref` over parsed docs; see the module."""

    ranker: Ranker
    lexical: Lexical

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        """Clusters of each text, by first mention. A text without *he* or *she* costs one look at its words."""
        clusters: list[list[Cluster]] = [[] for _ in docs]
        for first in range(0, len(docs), BATCH):
            batch = range(first, min(first + BATCH, len(docs)))
            pieces = [(n, start, piece) for n in batch for start, piece in _pieces(docs[n])]
            texts = [text.read(parse.read(piece), self.lexical) for _, _, piece in pieces]
            believed = zip(pieces, texts, beliefs(texts, self.ranker), strict=True)
            for (n, start, _), read, belief in believed:
                clusters[n] += [_move(cluster, start) for cluster in group(read, choose(read, belief))]
        return clusters

    def resolve(self, doc: Doc) -> list[Cluster]:
        """The clusters of one text."""
        return self.clusters([doc])[0]


def _pieces(doc: Doc) -> list[tuple[int, Doc]]:
    """A text, or the pieces of a long one, each with its first token's place; without those that have no pronoun."""
    pieces = [(0, doc)] if len(doc) <= LONG else [(start, doc[start:end].as_doc()) for start, end in windows(doc)]
    return [(start, piece) for start, piece in pieces if any(token.lower_ in lexical.PRONOUNS for token in piece)]


def _move(cluster: Cluster, by: int) -> Cluster:
    return tuple(Mention(m.start + by, m.end + by, m.head + by) for m in cluster) if by else cluster


@cache
def load_embedded() -> Embedded:
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


def beliefs(texts: Sequence[Text], ranker: Ranker) -> list[list[list[float]]]:
    """Per text and pronoun a probability for each candidate and, last, for none. Texts do not influence each other;
    all go through the trees at once, for that is where the time is."""
    first_rows = [[features.first_stage(text, pronoun) for pronoun in range(len(text.pronouns))] for text in texts]
    first = _per_text(ranker.first.score, first_rows, 0.0)
    second_rows = [chains.second_stage(text, belief) for text, belief in zip(texts, first, strict=True)]
    both = [
        [np.concatenate([early, late], axis=1) for early, late in zip(*rows, strict=True)]
        for rows in zip(first_rows, second_rows, strict=True)
    ]
    return _per_text(ranker.second.score, both, ranker.none_penalty)


def _per_text(score: Callable[[Rows], Rows], rows: Sequence[Sequence[Rows]], penalty: float) -> list[list[list[float]]]:
    flat = [row for text_rows in rows for row in text_rows]
    if not flat:
        return [[] for _ in rows]
    probabilities = iter(softmaxes(score(np.concatenate(flat)), flat, penalty))
    return [list(islice(probabilities, len(text_rows))) for text_rows in rows]


def softmaxes(scores: np.typing.NDArray[np.float32], groups: list[Rows], penalty: float) -> list[list[float]]:
    """Probabilities over the candidates of each group, whose last one (no antecedent) gets the `penalty`."""
    beliefs, start = [], 0
    for group in groups:
        pronoun_scores = scores[start : start + len(group)].copy()
        pronoun_scores[-1] -= penalty
        beliefs.append([float(value) for value in softmax(pronoun_scores)])
        start += len(group)
    return beliefs


def choose(text: Text, belief: list[list[float]]) -> list[int | None]:
    """The likeliest referent of each pronoun (None: none). A referent keeps one gender: the one believed more."""
    chosen: list[int | None] = []
    weight: dict[tuple[int | None, Gender | None], float] = defaultdict(float)
    for pronoun, candidates, weights in zip(text.pronouns, text.candidates, belief, strict=True):
        best = max(range(len(weights)), key=weights.__getitem__)
        entity = candidates[best] if best < len(candidates) else None
        chosen.append(entity)
        weight[entity, pronoun.gender] += weights[best]
    return [
        entity if weight[entity, pronoun.gender] >= max(weight[entity, gender] for gender in Gender) else None
        for entity, pronoun in zip(chosen, text.pronouns, strict=True)
    ]


def group(text: Text, chosen: list[int | None]) -> list[Cluster]:
    """Clusters of at least two mentions, each with a pronoun, by their first mention; no two share a mention."""
    heads = {m.head for e in chosen if e is not None and text.entities[e].relative for m in text.entities[e].mentions}
    members: dict[tuple[object, ...], list[Nominal]] = {}
    last: dict[Gender | None, tuple[int, int]] = {}
    for pronoun, number in zip(text.pronouns, chosen, strict=True):
        if number is not None:
            entity = text.entities[number]
            mentions = [m for m in entity.mentions if entity.relative or m.head not in heads]
            members.setdefault((number,), mentions).append(pronoun)
            continue
        gender, sent = pronoun.gender, text.parse.sent[pronoun.head]
        before, chain = last.get(gender, (sent, 0))
        chain += sent - before > NEAR
        last[gender] = (sent, chain)
        members.setdefault((gender, chain), []).append(pronoun)
    spans = [
        tuple(sorted(Mention(nominal.start, nominal.end, nominal.head) for nominal in cluster))
        for cluster in members.values()
        if len(cluster) > 1
    ]
    return sorted(spans)
