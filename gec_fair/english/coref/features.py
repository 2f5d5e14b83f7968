"""What the ranker sees of a pronoun and a possible referent: one row of numbers, named, none of them the gender.

    Ann told [Mary]_e that [she]_p had won .    sentences_back 0, same_clause 0, role object, subjects_between 0, …

Rows come in two stages. The first looks at words and parse; the second adds what the first thought of the other
pronouns of that gender, so that a chain of pronouns keeps its referent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log1p
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.english.coref import lexical as words
from gec_fair.english.coref.entities import Entity, entities
from gec_fair.english.coref.lexical import Lexical
from gec_fair.english.coref.mentions import NAME, PRONOUN, Nominal, nominals, role
from gec_fair.english.coref.parse import Parse
from gec_fair.english.paradigms import Form

Rows: TypeAlias = NDArray[np.float32]
MOST_CANDIDATES = 24
ARGUMENTS = frozenset({"subject", "passive", "object", "oblique", "agent"})
SUBJECTS = frozenset({"subject", "passive"})
ROLE_NAMES = ("subject", "passive", "object", "oblique", "agent", "modifier", "possessor", "predicate", "compound")
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

NAMES_1 = (
    # the pronoun
    "none", "p_subject", "p_object", "p_oblique", "p_owner", "p_reflexive", "p_depth", "p_starts", "p_sentence", "p_quoted",
    "p_says", "p_clause_relative", "p_clause_adverbial", "p_clause_complement", "p_owned_subject", "p_owned_object",
    # the text
    "candidates", "sentences", "pronouns", "others", "words_before",
    # the other pronouns of that gender, without a decision
    "last_pronoun_sentences", "last_pronoun_same_clause", "next_pronoun_sentences", "pronouns_before",
    # the nearest mention of the referent before (else after) the pronoun
    "cataphoric", "sentences_back", "words_back", "rank_back", "rank_in_sentence", "same_sentence",
    *("m_" + name for name in ROLE_NAMES),
    "same_role", "m_rank", "m_depth", "m_joined", "m_shared", "m_quoted", "m_same_quote", "m_title", "m_name_length",
    "m_starts", "m_says", "m_root_clause", "m_owner_is_pronoun", "m_owner_is_last",
    "same_clause", "same_governor", "coargument", "subject_above", "governs", "m_above", "path_up", "path_down",
    "clauses_apart", "subjects_between", "mentions_between", "m_after_last_pronoun", "pronouns_since", "with_pronoun",
    "clause_subject", "last_subject", "m_controls", "conjunct_subject",
    # the referent
    "named", "gender_known", "likely", "unlikely", "names_p", "person", "definite", "indefinite", "owned", "mentions", "mentions_before", "mentions_after",
    "mention_share", "sentences_with", "first", "first_sentence", "first_in_text", "subject_before", "any_subject", "subject_share",
    "next_sentences", "next_subject", "next_same_sentence", "full_name", "second_back", "first_role_subject", "relative_who", "topic_rank", "m_possessor_of_subject",
    # the referent among its rivals: people whose likely gender does not clash
    "rivals", "rivals_likely", "rank_people", "rank_hobbs", "rank_mentions", "rank_subjects", "best_person",
    "owned_by_p",
)  # fmt: skip
NAMES_2 = (
    "s1", "s1_rank", "s1_gap", "s1_none", "before_sum", "after_sum", "last_s1", "last_best", "last_none", "last_words",
    "last_role_same", "next_s1", "next_best", "clause_s1", "disjoint_s1", "all_share", "best_share", "subject_s1", "other_gender",
    "last_subject_s1", "last_decided",
)  # fmt: skip
NAMES = NAMES_1 + NAMES_2


@dataclass(slots=True)
class Text:
    """One text, read: its pronouns and referents, and for every pronoun the candidates in order of first mention."""

    parse: Parse
    pronouns: list[Nominal]
    entities: list[Entity]
    nominals: list[Nominal]
    subjects: list[int]
    candidates: list[list[int]] = field(default_factory=list)


def read(parse: Parse, lexical: Lexical) -> Text:
    found = nominals(parse, lexical)
    pronouns = [nominal for nominal in found if nominal.kind == PRONOUN]
    text = Text(parse, pronouns, [], found, [])
    if pronouns:
        text.entities = [entity for entity in entities(parse, found) if entity.person >= 0.1]
        text.subjects = [nominal.head for nominal in found if nominal.role in SUBJECTS]
        text.candidates = [_candidates(text, pronoun) for pronoun in pronouns]
    return text


def _candidates(text: Text, pronoun: Nominal) -> list[int]:
    """Referents of no other gender that do not own themselves (*his mother* is not *he*), the nearest if many."""
    fit = [
        place
        for place, entity in enumerate(text.entities)
        if entity.gender in (None, pronoun.gender) and not _owns(pronoun, entity.mentions)
    ]
    if len(fit) > MOST_CANDIDATES:
        near = {place: min(_cost(mention, pronoun) for mention in text.entities[place].mentions) for place in fit}
        fit = sorted(sorted(fit, key=near.__getitem__)[:MOST_CANDIDATES])
    return fit


def _owns(pronoun: Nominal, mentions: list[Nominal]) -> bool:
    """*his mother* is not *he*; but *his brother, Tobin* may be two people whom the parse made one."""
    owned = [mention.possessor == pronoun.head for mention in mentions]
    return any(owned) and (owned[0] or not any(mention.kind == NAME for mention in mentions))


def _cost(mention: Nominal, pronoun: Nominal) -> int:
    """Distance in words; what follows is three times as far as what precedes."""
    return pronoun.head - mention.head if mention.head < pronoun.head else 3 * (mention.head - pronoun.head)


def first_stage(text: Text, which: int) -> list[list[float]]:
    """Rows for pronoun number `which`: one per candidate and, last, one for "no referent here"."""
    parse, pronoun = text.parse, text.pronouns[which]
    shared = _pronoun_row(text, which)
    before = [(entity, _last_before(text.entities[entity], pronoun)) for entity in text.candidates[which]]
    recency = sorted((m.head for _, m in before if m is not None), reverse=True)
    most = max((len(text.entities[e].mentions) for e in text.candidates[which]), default=1)
    path = parse.above(pronoun.head)
    rows = [
        shared + _candidate_row(text, which, entity, mention, recency, most, path) + rivalry
        for (entity, mention), rivalry in zip(before, _rivalry(text, pronoun, before), strict=True)
    ]  # fmt: skip
    rows.append([1.0, *shared[1:], *[0.0] * (len(NAMES_1) - len(shared))])
    return rows


def _last_before(entity: Entity, pronoun: Nominal) -> Nominal | None:
    found = None
    for mention in entity.mentions:
        if mention.head >= pronoun.head:
            break
        found = mention
    return found


def _pronoun_row(text: Text, which: int) -> list[float]:
    parse, p = text.parse, text.pronouns[which]
    sent = parse.sent[p.head]
    clause = parse.clause[p.head]
    label = parse.dep[clause]
    same = [q for q in text.pronouns if q.gender == p.gender]
    at = same.index(p)
    last = same[at - 1] if at else None
    following = same[at + 1] if at + 1 < len(same) else None
    owned = role(parse, p.governor)[0] if p.role == "possessor" else ""
    return [
        0.0, p.role in SUBJECTS, p.role == "object", p.role in ("oblique", "agent"), p.role == "possessor",
        p.form is Form.REFLEXIVE, parse.depth[p.head], p.head == 0 or parse.sent[p.head - 1] != sent, min(sent, 6),
        parse.quoted[p.head], parse.lemma[p.governor] in words.COMMUNICATION, label.startswith("acl"),
        label.startswith("advcl"), label in ("ccomp", "xcomp"), owned in SUBJECTS, owned == "object",
        len(text.candidates[which]), min(parse.sent[-1] + 1, 12), min(len(same), 12), min(len(text.pronouns) - len(same), 12),
        log1p(p.head),
        sent - parse.sent[last.head] if last else 9, bool(last and parse.clause[last.head] == clause),
        parse.sent[following.head] - sent if following else 9, min(at, 9),
    ]  # fmt: skip


def _candidate_row(
    text: Text, which: int, number: int, before: Nominal | None, recency: list[int], most: int, path: list[int]
) -> list[float]:
    parse, p, entity = text.parse, text.pronouns[which], text.entities[number]
    mentions = entity.mentions
    m = before or next((mention for mention in mentions if mention.head > p.head), mentions[-1])
    later = next((mention for mention in mentions if mention.head > p.head), None)
    sent, m_sent = parse.sent[p.head], parse.sent[m.head]
    low, high = (m.head, p.head) if m.head < p.head else (p.head, m.head)
    clause, m_clause = parse.clause[p.head], parse.clause[m.head]
    count = len(mentions)
    earlier = sum(mention.head < p.head for mention in mentions)
    subjects = sum(mention.role in SUBJECTS for mention in mentions)
    since = [q for q in text.pronouns if q.gender == p.gender and low < q.head < high]
    lasts = [q.head for q in text.pronouns if q.gender == p.gender and q.head < p.head]
    same_governor = m.governor == p.governor and m_sent == sent
    coargument = same_governor and m.role in ARGUMENTS and p.role in ARGUMENTS
    up, down = _paths(path, parse.above(m.head)) if m_sent == sent else (9, 9)
    subject_above = m.role in SUBJECTS and m_sent == sent and m.governor in path
    owner = parse.lower[m.possessor] if m.possessor >= 0 else ""
    with_pronoun = any(
        q.governor == m.governor and q.role in ARGUMENTS and m.role in ARGUMENTS and q.gender == p.gender
        for q in text.pronouns if q is not p
    )  # fmt: skip
    in_sentence = [head for head in recency if parse.sent[head] == m_sent]
    second = mentions[earlier - 2] if earlier > 1 else None
    first = mentions[0]
    clause_subject = m.role in SUBJECTS and m.governor == clause and m_sent == sent
    return [
        before is None, sent - m_sent, log1p(high - low), recency.index(m.head) if before else 12,
        len(in_sentence) - 1 - in_sentence.index(m.head) if before else 0, m_sent == sent,
        *(m.role == name for name in ROLE_NAMES),
        (m.role in SUBJECTS) == (p.role in SUBJECTS) and RANK.get(m.role, 0) == RANK.get(p.role, 0), RANK.get(m.role, 0),
        parse.depth[m.head], m.joined, m.shared, parse.quoted[m.head], parse.quoted[m.head] == parse.quoted[p.head],
        bool(m.title), len(m.name), m.start == 0 or parse.sent[m.start - 1] != m_sent,
        m.role in SUBJECTS and parse.lemma[m.governor] in words.COMMUNICATION, parse.dep[m_clause] == "root",
        owner in words.PRONOUNS, bool(lasts) and m.possessor == lasts[-1],
        m_clause == clause, same_governor, coargument, subject_above, m.governor == clause, m.head in path, up, down,
        abs(parse.depth[m.head] - parse.depth[p.head]), sum(low < head < high for head in text.subjects),
        sum(low < head < high for head in recency), bool(lasts) and m.head > lasts[-1], min(len(since), 6), with_pronoun,
        clause_subject, m.role in SUBJECTS and sent - m_sent == 1, _controls(parse, m, p),
        m.role in SUBJECTS and parse.dep[clause] == "conj" and parse.head[clause] == m.governor,
        entity.named, entity.gender is not None, entity.likely == p.gender, entity.likely not in (None, p.gender),
        _names(parse, m, p), entity.person, m.definite, m.indefinite, m.possessor >= 0,
        min(count, 6), min(earlier, 6), min(count - earlier, 6), count / most,
        len({parse.sent[mention.head] for mention in mentions}), number, parse.sent[first.head] == 0, number == 0,
        any(mention.role in SUBJECTS and mention.head < p.head for mention in mentions), bool(subjects), subjects / count,
        parse.sent[later.head] - sent if later else 9, bool(later and later.role in SUBJECTS),
        bool(later and parse.sent[later.head] == sent), len(entity.full), sent - parse.sent[second.head] if second else 12,
        first.role in SUBJECTS, any(parse.dep[child] == "acl:relcl" for child in parse.children[m.head]),
        sum(len(text.entities[other].mentions) > count for other in text.candidates[which]),
        m.role == "possessor" and parse.dep[m.governor].startswith("nsubj"),
    ]  # fmt: skip


def _rivalry(text: Text, p: Nominal, before: list[tuple[int, Nominal | None]]) -> list[list[float]]:
    """Per candidate its ranks among those that look like people: by nearness, by nearness with subjects first (in the
    spirit of Hobbs's search), by number of mentions, by nearness among subjects."""
    sent = text.parse.sent
    keys: list[tuple[float, ...]] = []
    for number, mention in before:
        entity = text.entities[number]
        m = mention or next((m for m in entity.mentions if m.head > p.head), entity.mentions[-1])
        back = sent[p.head] - sent[m.head] if mention else 20 + sent[m.head]
        near = p.head - m.head if mention else 1000 + m.head
        keys.append((near, back * 100 - 10 * RANK.get(m.role, 0) + (m.head / 1000), -len(entity.mentions)))
    people = [
        text.entities[number].person >= 0.5 and text.entities[number].likely in (None, p.gender) for number, _ in before
    ]
    likely = sum(text.entities[number].likely == p.gender for number, _ in before)
    best = max((text.entities[number].person for number, _ in before), default=0.0)
    subject = [bool(m and m.role in SUBJECTS) for _, m in before]
    rows = []
    for k, (number, _) in enumerate(before):
        others = [j for j in range(len(before)) if j != k and people[j]]
        ranks = [sum(keys[j][axis] < keys[k][axis] for j in others) for axis in range(3)]
        ahead = sum(subject[j] and keys[j][0] < keys[k][0] for j in others)
        entity = text.entities[number]
        owned = any(mention.possessor == p.head for mention in entity.mentions)
        rivals = [len(others), likely - (entity.likely == p.gender), *ranks, ahead, entity.person - best, owned]
        rows.append([float(value) for value in rivals])
    return rows


def _paths(one: list[int], two: list[int]) -> tuple[int, int]:
    """Steps from each of two words up to the lowest word above both."""
    steps = {token: step for step, token in enumerate(one)}
    for down, token in enumerate(two):
        if token in steps:
            return steps[token], down
    return 9, 9


def _controls(parse: Parse, m: Nominal, p: Nominal) -> bool:
    """*She asked [Ann] to help [her]*: the object of *asked* is the subject of *help*, so it is not *her*."""
    clause = p.governor
    return (
        p.role in ARGUMENTS and parse.dep[clause] == "xcomp" and parse.head[clause] == m.governor and m.role == "object"
    )


def _names(parse: Parse, m: Nominal, p: Nominal) -> bool:
    """*[Her] name was [Ann]*."""
    name = p.governor
    return p.role == "possessor" and parse.lemma[name] == "name" and parse.head[name] == m.head


def second_stage(text: Text, belief: list[list[float]]) -> list[list[list[float]]]:
    """What the first stage believes (per pronoun: a probability per candidate, then none) as columns to append: per
    pronoun a row per candidate, then none."""
    maps = [dict(zip([*text.candidates[k], -1], belief[k], strict=True)) for k in range(len(text.pronouns))]
    return [_belief_rows(text, which, belief[which], maps) for which in range(len(text.pronouns))]


def _belief_rows(text: Text, which: int, own: list[float], maps: list[dict[int, float]]) -> list[list[float]]:
    p = text.pronouns[which]
    mine = text.candidates[which]
    same = [k for k, q in enumerate(text.pronouns) if q.gender == p.gender and k != which]
    other = [k for k, q in enumerate(text.pronouns) if q.gender != p.gender]
    before = [k for k in same if k < which]
    after = [k for k in same if k > which]
    clause = text.parse.clause[p.head]
    in_clause = [k for k in same if text.parse.clause[text.pronouns[k].head] == clause]
    disjoint = [k for k in in_clause if _disjoint(text.pronouns[k], p)]
    last = max((k for k in before if k not in disjoint), default=None)
    following = min((k for k in after if k not in disjoint), default=None)
    last_subject = max((k for k in before if text.pronouns[k].role in SUBJECTS and k not in disjoint), default=None)
    order = sorted(own[:-1], reverse=True)
    totals = {e: sum(maps[k].get(e, 0.0) for k in same) for e in [*mine, -1]}
    best_total = max(totals.values(), default=0.0) or 1.0
    rows = []
    for entity, value in zip([*mine, -1], own, strict=True):
        rival = max((v for e, v in zip(mine, own, strict=False) if e != entity), default=0.0)
        rows.append([
            value, order.index(value) if entity >= 0 else 0, value - rival, own[-1],
            sum(maps[k].get(entity, 0.0) for k in before), sum(maps[k].get(entity, 0.0) for k in after),
            _of(maps, last, entity), _best(maps, last, entity), maps[last][-1] if last is not None else 0.5,
            log1p(p.head - text.pronouns[last].head) if last is not None else 6.0,
            last is not None and text.pronouns[last].role == p.role,
            _of(maps, following, entity), _best(maps, following, entity),
            max((maps[k].get(entity, 0.0) for k in in_clause if k not in disjoint), default=-1.0),
            max((maps[k].get(entity, 0.0) for k in disjoint), default=-1.0),
            totals[entity] / max(len(same), 1), totals[entity] / best_total,
            max((maps[k].get(entity, 0.0) for k in same if text.pronouns[k].role in SUBJECTS), default=-1.0),
            max((maps[k].get(entity, 0.0) for k in other), default=0.0) if entity >= 0 else 0.0,
            _of(maps, last_subject, entity), max(maps[last].values()) if last is not None else 0.0,
        ])  # fmt: skip
    return rows


def _of(maps: list[dict[int, float]], which: int | None, entity: int) -> float:
    return -1.0 if which is None else maps[which].get(entity, 0.0)


def _best(maps: list[dict[int, float]], which: int | None, entity: int) -> bool:
    return which is not None and max(maps[which], key=maps[which].__getitem__) == entity


def _disjoint(one: Nominal, two: Nominal) -> bool:
    """Two arguments of one verb are two people, unless one is a reflexive: *he told him*."""
    return (
        one.governor == two.governor and one.role in ARGUMENTS and two.role in ARGUMENTS
        and Form.REFLEXIVE not in (one.form, two.form)
    )  # fmt: skip
