"""A pronoun and its possible referents as the columns of the ranker read them: places, roles and rivals."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from gec_fair.people.links.entities import Entity
from gec_fair.people.links.mentions import Nominal, role
from gec_fair.people.links.parse import Parse
from gec_fair.people.links.text import SUBJECTS, Text

ARGUMENTS = frozenset({"subject", "passive", "object", "oblique", "agent"})
# Roles in the order in which a referent's prominence falls.
RANK = {
    "subject": 5,
    "passive": 5,
    "predicate": 4,
    "object": 3,
    "oblique": 2,
    "agent": 2,
    "possessor": 1,
    "modifier": 1,
}
FAR = 9  # sentences or steps that mean "absent near"


@dataclass(frozen=True, slots=True)
class PronounView:
    """A pronoun in its text; `last` and `following` are its neighbours among the pronouns of its gender, `same`."""

    text: Text
    parse: Parse
    p: Nominal
    sent: int
    clause: int
    path: list[int]
    same: list[Nominal]
    at: int
    last: Nominal | None
    following: Nominal | None
    owned: str  # role of what the pronoun owns
    candidates: list[int]
    heads: list[int]  # of the candidates' last mentions before the pronoun, in order
    sentences: list[int]  # of these heads
    same_heads: list[int]
    counts: list[int]  # of the candidates' mentions, in order


@dataclass(frozen=True, slots=True)
class PairView:
    """A pronoun and one referent. `up`, `down`: steps from pronoun and mention to the lowest word above both."""

    v: PronounView
    parse: Parse
    p: Nominal
    number: int
    entity: Entity
    m: Nominal
    before: bool
    first: Nominal
    later: Nominal | None
    second: Nominal | None  # the last mention but one before the pronoun
    sent: int
    m_sent: int
    m_clause: int
    low: int
    high: int
    up: int
    down: int
    earlier: int
    count: int
    subjects: int
    same_governor: bool
    in_sentence: int  # of the heads up to the mention, those of its sentence
    rivals: Rivals


@dataclass(frozen=True, slots=True)
class Rivals:
    """How a referent stands among the other candidates that look like people of a fitting gender."""

    number: int
    likely: int
    nearer: int
    prominent: int  # nearer in the order of Hobbs's search: by sentence, subjects first
    mentioned: int
    subjects: int
    person: float  # minus that of the best candidate


def view(text: Text, pronoun: int) -> PronounView:
    """A pronoun, by its number, in its text."""
    parse, p, candidates = text.parse, text.pronouns[pronoun], text.candidates[pronoun]
    same = [q for q in text.pronouns if q.gender == p.gender]
    at = next(place for place, q in enumerate(same) if q.head == p.head)
    before = [_last_before(text.entities[number], p) for number in candidates]
    heads = sorted(m.head for m in before if m is not None)
    return PronounView(
        text,
        parse,
        p,
        parse.sent[p.head],
        parse.clause[p.head],
        parse.above(p.head),
        same,
        at,
        last=same[at - 1] if at else None,
        following=same[at + 1] if at + 1 < len(same) else None,
        owned=role(parse, p.governor)[0] if p.role == "possessor" else "",
        candidates=candidates,
        heads=heads,
        sentences=[parse.sent[head] for head in heads],
        same_heads=[q.head for q in same],
        counts=sorted(len(text.entities[number].mentions) for number in candidates),
    )


def pairs(v: PronounView) -> list[PairView]:
    """The pronoun with each of its candidates, in their order."""
    parse, p = v.parse, v.p
    nearest = [_nearest(v.text.entities[number], p) for number in v.candidates]
    views = []
    for number, (m, before), rivals in zip(v.candidates, nearest, _rivals(v, nearest), strict=True):
        mentions = v.text.entities[number].mentions
        m_sent = parse.sent[m.head]
        earlier = sum(mention.head < p.head for mention in mentions)
        up, down = _paths(v.path, parse.above(m.head)) if m_sent == v.sent else (FAR, FAR)
        views.append(
            PairView(
                v,
                parse,
                p,
                number,
                v.text.entities[number],
                m,
                before,
                mentions[0],
                later=next((mention for mention in mentions if mention.head > p.head), None),
                second=mentions[earlier - 2] if earlier > 1 else None,
                sent=v.sent,
                m_sent=m_sent,
                m_clause=parse.clause[m.head],
                low=min(m.head, p.head),
                high=max(m.head, p.head),
                up=up,
                down=down,
                earlier=earlier,
                count=len(mentions),
                subjects=sum(mention.role in SUBJECTS for mention in mentions),
                same_governor=m.governor == p.governor and m_sent == v.sent,
                in_sentence=bisect_right(v.heads, m.head) - bisect_left(v.sentences, m_sent),
                rivals=rivals,
            )
        )
    return views


def _last_before(entity: Entity, pronoun: Nominal) -> Nominal | None:
    return next((mention for mention in reversed(entity.mentions) if mention.head < pronoun.head), None)


def _nearest(entity: Entity, pronoun: Nominal) -> tuple[Nominal, bool]:
    """The mention that the pronoun is seen with, and whether it stands before it."""
    before = _last_before(entity, pronoun)
    if before is not None:
        return before, True
    return next((mention for mention in entity.mentions if mention.head > pronoun.head), entity.mentions[-1]), False


def _rivals(v: PronounView, nearest: list[tuple[Nominal, bool]]) -> list[Rivals]:
    sent, entities = v.parse.sent, [v.text.entities[number] for number in v.candidates]
    near = [v.p.head - m.head if before else 1000 + m.head for m, before in nearest]
    hobbs = [
        100 * (v.sent - sent[m.head] if before else 20 + sent[m.head]) - 10 * RANK.get(m.role, 0) + m.head / 1000
        for m, before in nearest
    ]
    subject = [before and m.role in SUBJECTS for m, before in nearest]
    people = [k for k, e in enumerate(entities) if e.person >= 0.5 and e.likely in (None, v.p.gender)]  # as in training
    likely = sum(entity.likely == v.p.gender for entity in entities)
    best = max((entity.person for entity in entities), default=0.0)
    nearness, prominence = sorted(near[j] for j in people), sorted(hobbs[j] for j in people)
    mentions = sorted(len(entities[j].mentions) for j in people)
    near_subjects = sorted(near[j] for j in people if subject[j])
    return [
        Rivals(
            len(people) - (k in people),
            likely - (entity.likely == v.p.gender),
            nearer=bisect_left(nearness, near[k]),
            prominent=bisect_left(prominence, hobbs[k]),
            mentioned=len(people) - bisect_right(mentions, len(entity.mentions)),
            subjects=bisect_left(near_subjects, near[k]),
            person=entity.person - best,
        )
        for k, entity in enumerate(entities)
    ]


def _paths(left: list[int], right: list[int]) -> tuple[int, int]:
    """Steps from each of two words up to the lowest word above both."""
    steps = {token: step for step, token in enumerate(left)}
    for down, token in enumerate(right):
        if token in steps:
            return steps[token], down
    return FAR, FAR
