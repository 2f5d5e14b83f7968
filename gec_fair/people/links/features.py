"""What the ranker's first stage sees of a pronoun and a possible referent: one row of numbers, none of them the gender.

    Ann told [Mary]_m that [she]_p had won .     sentences_back 0, m_object 1, subject_above 0, subjects_between 0, …

The tables below are the columns: a name and how it is read from a view. `p` is the pronoun, `m` the referent's nearest
mention before it (the first one after it, if there is none), `entity` the referent itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import log1p
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.english.lexicons.paradigms import Form
from gec_fair.people.links import lexical as words
from gec_fair.people.links.mentions import Nominal
from gec_fair.people.links.text import SUBJECTS, Text
from gec_fair.people.links.views import ARGUMENTS, FAR, RANK, PairView, PronounView, pairs, view

Rows: TypeAlias = NDArray[np.float32]


PRONOUN_COLUMNS: Mapping[str, Callable[[PronounView], float]] = {
    "p_subject": lambda v: v.p.role in SUBJECTS,
    "p_object": lambda v: v.p.role == "object",
    "p_oblique": lambda v: v.p.role in ("oblique", "agent"),
    "p_owner": lambda v: v.p.role == "possessor",
    "p_reflexive": lambda v: v.p.form is Form.REFLEXIVE,
    "p_depth": lambda v: v.parse.depth[v.p.head],
    "p_starts": lambda v: v.p.head == 0 or v.parse.sent[v.p.head - 1] != v.sent,
    "p_sentence": lambda v: min(v.sent, 6),
    "p_quoted": lambda v: v.parse.quoted[v.p.head],
    "p_says": lambda v: v.parse.lemma[v.p.governor] in words.COMMUNICATION,
    "p_relative": lambda v: v.parse.dep[v.clause].startswith("acl"),
    "p_adverbial": lambda v: v.parse.dep[v.clause].startswith("advcl"),
    "p_complement": lambda v: v.parse.dep[v.clause] in ("ccomp", "xcomp"),
    "p_owns_subject": lambda v: v.owned in SUBJECTS,
    "p_owns_object": lambda v: v.owned == "object",
    "candidates": lambda v: len(v.candidates),
    "sentences": lambda v: min(v.parse.sent[-1] + 1, 12),
    "pronouns": lambda v: min(len(v.same), 12),
    "other_pronouns": lambda v: min(len(v.text.pronouns) - len(v.same), 12),
    "words_before": lambda v: log1p(v.p.head),
    "last_sentences": lambda v: v.sent - v.parse.sent[v.last.head] if v.last else FAR,
    "last_same_clause": lambda v: v.last is not None and v.parse.clause[v.last.head] == v.clause,
    "following_sentences": lambda v: v.parse.sent[v.following.head] - v.sent if v.following else FAR,
    "pronouns_before": lambda v: min(v.at, 9),
}

_ROLES = ("subject", "passive", "object", "oblique", "agent", "modifier", "possessor", "predicate", "compound")


def _has_role(name: str) -> Callable[[PairView], float]:
    return lambda v: v.m.role == name


PAIR_COLUMNS: Mapping[str, Callable[[PairView], float]] = {
    # how far
    "cataphoric": lambda v: not v.before,
    "sentences_back": lambda v: v.sent - v.m_sent,
    "words_back": lambda v: log1p(v.high - v.low),
    "rank_back": lambda v: len(v.v.heads) - bisect_right(v.v.heads, v.m.head) if v.before else 12,
    "rank_in_sentence": lambda v: v.in_sentence - 1 if v.before else 0,
    "same_sentence": lambda v: v.m_sent == v.sent,
    # the mention
    **{f"m_{name}": _has_role(name) for name in _ROLES},
    "parallel": lambda v: RANK.get(v.m.role, 0) == RANK.get(v.p.role, 0),
    "m_rank": lambda v: RANK.get(v.m.role, 0),
    "m_depth": lambda v: v.parse.depth[v.m.head],
    "m_joined": lambda v: v.m.is_coordinated,
    "m_shared": lambda v: v.m.shared,
    "m_quoted": lambda v: v.parse.quoted[v.m.head],
    "same_quote": lambda v: v.parse.quoted[v.m.head] == v.parse.quoted[v.p.head],
    "m_title": lambda v: bool(v.m.title),
    "m_name_length": lambda v: len(v.m.name),
    "m_starts": lambda v: v.m.start == 0 or v.parse.sent[v.m.start - 1] != v.m_sent,
    "m_says": lambda v: v.m.role in SUBJECTS and v.parse.lemma[v.m.governor] in words.COMMUNICATION,
    "m_main_clause": lambda v: v.parse.dep[v.m_clause] == "root",
    "m_of_pronoun": lambda v: v.m.possessor >= 0 and v.parse.lower[v.m.possessor] in words.PRONOUNS,
    "m_of_last_pronoun": lambda v: v.v.last is not None and v.m.possessor == v.v.last.head,
    "m_of_subject": lambda v: v.m.role == "possessor" and v.parse.dep[v.m.governor].startswith("nsubj"),
    "m_relative_clause": lambda v: any(v.parse.dep[child] == "acl:relcl" for child in v.parse.children[v.m.head]),
    "definite": lambda v: v.m.definite,
    "indefinite": lambda v: v.m.indefinite,
    "owned": lambda v: v.m.possessor >= 0,
    # mention and pronoun in the tree
    "same_clause": lambda v: v.m_clause == v.v.clause,
    "same_governor": lambda v: v.same_governor,
    "coargument": lambda v: v.same_governor and v.m.role in ARGUMENTS and v.p.role in ARGUMENTS,
    "subject_above": lambda v: v.m.role in SUBJECTS and v.m_sent == v.sent and v.m.governor in v.v.path,
    "clause_subject": lambda v: v.m.role in SUBJECTS and v.m.governor == v.v.clause and v.m_sent == v.sent,
    "conjunct_subject": lambda v: (
        v.m.role in SUBJECTS and v.parse.dep[v.v.clause] == "conj" and v.parse.head[v.v.clause] == v.m.governor
    ),
    "previous_subject": lambda v: v.m.role in SUBJECTS and v.sent - v.m_sent == 1,
    "of_clause": lambda v: v.m.governor == v.v.clause,
    "m_above": lambda v: v.m.head in v.v.path,
    "path_up": lambda v: v.up,
    "path_down": lambda v: v.down,
    "clauses_apart": lambda v: abs(v.parse.depth[v.m.head] - v.parse.depth[v.p.head]),
    # *She asked [Ann] to help [her]*: the object of *asked* is the subject of *help*, so it is not *her*
    "controls": lambda v: (
        v.m.role == "object"
        and v.p.role in ARGUMENTS
        and v.parse.dep[v.p.governor] == "xcomp"
        and v.parse.head[v.p.governor] == v.m.governor
    ),
    # *[Her] name was [Ann]*
    "names_p": lambda v: (
        v.p.role == "possessor" and v.parse.lemma[v.p.governor] == "name" and v.parse.head[v.p.governor] == v.m.head
    ),
    # between and beside them
    "subjects_between": lambda v: _between(v.v.text.subjects, v.low, v.high),
    "mentions_between": lambda v: _between(v.v.heads, v.low, v.high),
    "pronouns_between": lambda v: min(_between(v.v.same_heads, v.low, v.high), 6),
    "since_last_pronoun": lambda v: v.v.last is not None and v.m.head > v.v.last.head,
    # *he told [Bob]*: another pronoun of the gender is an argument beside the mention, so the two are two people
    "with_pronoun": lambda v: (
        v.m.role in ARGUMENTS
        and any(q.governor == v.m.governor and q.role in ARGUMENTS for q in v.v.same if q.head != v.p.head)
    ),
    # the referent
    "named": lambda v: v.entity.named,
    "full_name": lambda v: len(v.entity.full),
    "gender_settled": lambda v: v.entity.gender is not None,
    "gender_likely": lambda v: v.entity.likely == v.p.gender,
    "gender_unlikely": lambda v: v.entity.likely not in (None, v.p.gender),
    "person": lambda v: v.entity.person,
    "mentions": lambda v: min(v.count, 6),
    "mentions_before": lambda v: min(v.earlier, 6),
    "mentions_after": lambda v: min(v.count - v.earlier, 6),
    "mention_share": lambda v: v.count / v.v.counts[-1],
    "mention_rank": lambda v: len(v.v.counts) - bisect_right(v.v.counts, v.count),
    "in_sentences": lambda v: len({v.parse.sent[mention.head] for mention in v.entity.mentions}),
    "order": lambda v: v.number,
    "first_in_text": lambda v: v.number == 0,
    "in_first_sentence": lambda v: v.parse.sent[v.first.head] == 0,
    "first_a_subject": lambda v: v.first.role in SUBJECTS,
    "ever_a_subject": lambda v: v.subjects > 0,
    "subject_before": lambda v: any(x.role in SUBJECTS and x.head < v.p.head for x in v.entity.mentions),
    "subject_share": lambda v: v.subjects / v.count,
    "second_back": lambda v: v.sent - v.parse.sent[v.second.head] if v.second else 12,
    "later_sentences": lambda v: v.parse.sent[v.later.head] - v.sent if v.later else FAR,
    "later_subject": lambda v: v.later is not None and v.later.role in SUBJECTS,
    "later_same_sentence": lambda v: v.later is not None and v.parse.sent[v.later.head] == v.sent,
    "owned_by_p": lambda v: any(mention.possessor == v.p.head for mention in v.entity.mentions),
    # among its rivals
    "rivals": lambda v: v.rivals.number,
    "rivals_likely": lambda v: v.rivals.likely,
    "rivals_nearer": lambda v: v.rivals.nearer,
    "rivals_prominent": lambda v: v.rivals.prominent,
    "rivals_mentioned": lambda v: v.rivals.mentioned,
    "rivals_subjects": lambda v: v.rivals.subjects,
    "rivals_person": lambda v: v.rivals.person,
}

NAMES = ("none", *PRONOUN_COLUMNS, *PAIR_COLUMNS)


def first_stage(text: Text, pronoun: int) -> Rows:
    """Rows for a pronoun by its number, (candidates + 1, columns): the last is for "no referent here"."""
    v = view(text, pronoun)
    shared = [column(v) for column in PRONOUN_COLUMNS.values()]
    rows = [[0.0, *shared, *[column(pair) for column in PAIR_COLUMNS.values()]] for pair in pairs(v)]
    rows.append([1.0, *shared, *[0.0] * len(PAIR_COLUMNS)])
    return np.array(rows, dtype=np.float32)


def disjoint(first: Nominal, second: Nominal) -> bool:
    """Two arguments of one verb are two people, unless one is a reflexive: *he told him*."""
    both = first.role in ARGUMENTS and second.role in ARGUMENTS and first.governor == second.governor
    return both and Form.REFLEXIVE not in (first.form, second.form)


def _between(places: Sequence[int], low: int, high: int) -> int:
    """How many of the sorted places lie between two others."""
    return bisect_left(places, high) - bisect_right(places, low)
