"""What the second stage sees besides: what the first thought of the other pronouns, so that chains keep their referent.

    [Ann]_e came late . [She]_q was tired , and [her]_p car was cold .      last_belief: how much q looked like e

Beliefs are per pronoun a probability for each candidate and, last, for none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log1p

import numpy as np

from gec_fair.people.links.features import Rows, disjoint
from gec_fair.people.links.text import SUBJECTS, Text

NONE = -1  # the place of "no referent" among the candidates
UNKNOWN = -1.0  # there is no such pronoun
Belief = dict[int, float]


@dataclass(frozen=True, slots=True)
class Chain:
    """The pronouns around one pronoun, by their beliefs: those of its gender before and after it, the last and next of
    these, those of its clause, those that cannot be the same person (*he told him*), and those of the other gender."""

    belief: Belief
    before: list[Belief]
    after: list[Belief]
    last: Belief | None
    last_subject: Belief | None
    following: Belief | None
    clause: list[Belief]
    disjoint: list[Belief]
    subjects: list[Belief]
    others: list[Belief]
    words_back: float
    same_role: bool
    order: list[float]  # own probabilities of candidates, highest first
    total: Belief  # sum over the pronouns of the gender
    best_total: float


COLUMNS: Mapping[str, Callable[[Chain, int], float]] = {
    "belief": lambda c, e: c.belief[e],
    "belief_rank": lambda c, e: c.order.index(c.belief[e]) if e != NONE else 0,
    "belief_lead": lambda c, e: c.belief[e] - max((v for x, v in c.belief.items() if x not in (e, NONE)), default=0.0),
    "belief_none": lambda c, e: c.belief[NONE],
    "before_sum": lambda c, e: sum(belief.get(e, 0.0) for belief in c.before),
    "after_sum": lambda c, e: sum(belief.get(e, 0.0) for belief in c.after),
    "last_belief": lambda c, e: _weight(c.last, e),
    "last_best": lambda c, e: _is_best(c.last, e),
    "last_none": lambda c, e: c.last[NONE] if c.last is not None else 0.5,
    "last_highest": lambda c, e: max(c.last.values()) if c.last is not None else 0.0,
    "last_words": lambda c, e: c.words_back,
    "last_same_role": lambda c, e: c.same_role,
    "last_subject": lambda c, e: _weight(c.last_subject, e),
    "following_belief": lambda c, e: _weight(c.following, e),
    "following_best": lambda c, e: _is_best(c.following, e),
    "clause_belief": lambda c, e: _highest(c.clause, e),
    "disjoint_belief": lambda c, e: _highest(c.disjoint, e),
    "subject_belief": lambda c, e: _highest(c.subjects, e),
    "mean": lambda c, e: c.total[e] / max(len(c.before) + len(c.after), 1),
    "share_of_best": lambda c, e: c.total[e] / c.best_total,
    "other_gender": lambda c, e: max((belief.get(e, 0.0) for belief in c.others), default=0.0) if e != NONE else 0.0,
}
NAMES = tuple(COLUMNS)


def second_stage(text: Text, beliefs: list[list[float]]) -> list[Rows]:
    """Per pronoun the columns to append to its first-stage rows."""
    rows = zip(text.candidates, beliefs, strict=True)
    maps = [dict(zip([*candidates, NONE], belief, strict=True)) for candidates, belief in rows]
    links = []
    for pronoun, candidates in enumerate(text.candidates):
        chain = _chain(text, pronoun, maps)
        figures = [[column(chain, entity) for column in COLUMNS.values()] for entity in [*candidates, NONE]]
        links.append(np.array(figures, dtype=np.float32))
    return links


def _chain(text: Text, pronoun: int, maps: list[Belief]) -> Chain:
    p, pronouns, clause = text.pronouns[pronoun], text.pronouns, text.parse.clause
    same = {k for k, q in enumerate(pronouns) if q.gender == p.gender and k != pronoun}
    apart = {k for k in same if disjoint(pronouns[k], p)}
    subjects = {k for k in same if pronouns[k].role in SUBJECTS}
    near, earlier = same - apart, set(range(pronoun))
    last, following = max(near & earlier, default=None), min(near - earlier, default=None)
    belief_of: dict[int | None, Belief] = dict(enumerate(maps))
    before, after = _pick(maps, same & earlier), _pick(maps, same - earlier)
    total = {entity: sum(belief.get(entity, 0.0) for belief in (*before, *after)) for entity in maps[pronoun]}
    return Chain(
        maps[pronoun],
        before,
        after,
        last=belief_of.get(last),
        last_subject=belief_of.get(max(near & earlier & subjects, default=None)),
        following=belief_of.get(following),
        clause=[maps[k] for k in near if clause[pronouns[k].head] == clause[p.head]],
        disjoint=_pick(maps, apart),
        subjects=_pick(maps, subjects),
        others=_pick(maps, set(range(len(pronouns))) - same - {pronoun}),
        words_back=log1p(p.head - pronouns[last].head) if last is not None else 6.0,
        same_role=last is not None and pronouns[last].role == p.role,
        order=sorted((value for entity, value in maps[pronoun].items() if entity != NONE), reverse=True),
        total=total,
        best_total=max(total.values()) or 1.0,
    )


def _pick(maps: list[Belief], places: set[int]) -> list[Belief]:
    return [maps[place] for place in sorted(places)]


def _weight(belief: Belief | None, entity: int) -> float:
    return UNKNOWN if belief is None else belief.get(entity, 0.0)


def _is_best(belief: Belief | None, entity: int) -> bool:
    return belief is not None and max(belief, key=belief.__getitem__) == entity


def _highest(beliefs: list[Belief], entity: int) -> float:
    return max((belief.get(entity, 0.0) for belief in beliefs), default=UNKNOWN)
