"""Which verbs agree with a given subject, over a dependency parse with UD or ClearNLP labels.

    UD        he/nsubj → doctor, is/cop → doctor          ClearNLP   he/nsubj → is, doctor/attr → is
    both      does/aux he/nsubj → know                    both       who/nsubj → knows/relcl → she

The verb that agrees is the first auxiliary or copula of the clause, or its head when there is none; conjuncts that
share the subject agree too, and so does the verb of a relative clause whose *who* stands for the pronoun. What words
alone decide (*he is*, *so does he*) is decided by them, for a parser may fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from gec_fair.english import inflect
from gec_fair.english.labels import RELATIVE_CLAUSES, SUBJECTS
from gec_fair.english.lexicons.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

ANY_SUBJECT = SUBJECTS | {"csubj", "csubj:pass", "csubj:outer", "csubjpass", "expl"}
_AUXILIARY = frozenset({"aux", "aux:pass", "auxpass", "cop"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
ADVERBS = word_list("adverbs_before_a_verb")
_OPENERS = word_list("clause_openers") | {'"', ""}
_OR = word_list("alternatives")
_NOT = word_list("not_and_contraction")
_WHO = word_list("relative_pronouns")


def is_copula(token: Token) -> bool:
    """*be* before what somebody is; parsers also take *he was eighteen* for a passive."""
    return token.dep_ == "cop" or (token.dep_ in _AUXILIARY and token.lemma_ == "be" and not _is_verb(token.head))


def _is_verb(token: Token) -> bool:
    return token.tag_.startswith("VB")


def agreeing(subject: Token, *, nominative: bool = True) -> list[Token]:
    """Finite verbs whose form depends on `subject`, in text order, past tenses and modals included.

    *went* is among them although it shows no agreement: the source of a GEC pair may have *goes* in its place.
    For a pronoun that is not a subject, or no nominative (*his is the red one*), only relative clauses are looked at
    (*him who knows*).
    """
    verbs = [verb for clause in _relative_clauses(subject) for verb in _clause_verbs(clause)]
    if nominative and not _cleft(subject):
        verbs += _clause_verbs(subject.head, subject) if subject.dep_ in SUBJECTS else ()
        words = [token.text for token in subject.doc]
        verbs += (subject.doc[i] for i in coordinated_places(words, subject.i) if inflect.is_closed_singular(words[i]))
    return sorted(set(verbs), key=lambda t: t.i)


def coordinated_places(words: Sequence[str], at: int) -> list[int]:
    """Where a verb of the subject at `at` would stand, by the words alone: after it, adverbs skipped, or before it in
    a question or inversion (*so does he*). A form of *be, have, do* in such a place agrees whatever the parse says."""
    places: list[int] = []
    after = at + 1
    while after < len(words) and words[after].lower() in ADVERBS:
        after += 1
    if after < len(words):
        places.append(after)
    before = at - 1
    if before > 0 and words[before].lower() in _NOT:
        before -= 1
    if before >= 0 and (words[before - 1].lower() if before else "") in _OPENERS:
        places.append(before)
    return places


def left_behind(subject: Token, changed: Collection[int]) -> bool:
    """Whether some verb may agree with a nominative subject and is not among those `changed`, whatever the parse says:
    the subject is coordinated (*neither he nor she*), has no verb, or a third person's verb of its sentence has no
    subject."""
    around = [token.lower_ for token in subject.doc[max(0, subject.i - 1) : subject.i + 2]]
    if not _OR.isdisjoint(around) or (subject.dep_ in SUBJECTS and not agreeing(subject)):
        return True
    return any(_lacks_subject(verb) for verb in subject.sent if verb.tag_ == "VBZ" and verb.i not in changed)


def _lacks_subject(verb: Token) -> bool:
    clause = verb.head if verb.dep_ in _AUXILIARY else verb
    return not any(child.dep_ in ANY_SUBJECT for child in clause.children)


def _cleft(subject: Token) -> bool:
    """*it is he who knows*: the verb agrees with *it*, whatever the parser calls the pronoun."""
    return any(
        child.lower_ == "it" and child.i < subject.i and child.dep_ in ANY_SUBJECT for child in subject.head.children
    )


def is_subject(token: Token) -> bool:
    """Whether the token is the subject of a clause (active, passive or outer)."""
    return token.dep_ in SUBJECTS


def _clause_verbs(head: Token, subject: Token | None = None) -> Iterator[Token]:
    verb = _finite(head, subject)
    if verb is not None:
        yield verb
    for child in head.children:
        if _shares_subject(child, head):
            yield from _clause_verbs(child)
        elif _finite(child) is None:
            for stray in _strays(child):
                yield from _clause_verbs(stray)


def _strays(word: Token) -> Iterator[Token]:
    """*she likes to play and likes to sing*: nothing with *-s* is coordinated with an infinitive, or with a noun as in
    *takes the bike and rides along*, whatever the parser says; it belongs to the clause above. Beside a plural noun it
    may be one itself (*courses and stays abroad*)."""
    if word.tag_ == "NNS":
        return
    for child in word.children:
        verb = _finite(child)
        if verb is None:
            yield from _strays(child)
        elif child.dep_ == "conj" and child.i > word.i and verb.tag_ == "VBZ" and not _has_subject(child):
            yield child


def _finite(head: Token, subject: Token | None = None) -> Token | None:
    """The agreeing word of a clause: its first auxiliary or copula, or its head; None for a clause without one.

    In *the point is that he was late* UD hangs the outer copula on *late* as well: it is not the inner subject's.
    """
    helpers = [child for child in head.children if child.dep_ in _AUXILIARY]
    outer = next((child for child in head.children if child.dep_ == "nsubj:outer"), None)
    if outer is not None and subject is not None and outer != subject:
        copula = next((n for n, child in enumerate(helpers) if child.dep_ == "cop" and child.i > outer.i), -1)
        helpers = helpers[copula + 1 :]
    word = helpers[0] if helpers else head
    return word if word.tag_ in _FINITE or _mistagged(word) else None


def _mistagged(word: Token) -> bool:
    """*she sings and dances*: a bare plural noun beside a verb is that verb's conjunct, whatever the tagger says."""
    return (
        word.tag_ == "NNS"
        and word.dep_ == "conj"
        and word.head.tag_ == "VBZ"
        and not any(child.i < word.i and child.dep_ not in ("cc", "punct") for child in word.children)
        and inflect.is_singular(word.text)
    )


def _shares_subject(conjunct: Token, head: Token) -> bool:
    """Whether a conjunct is a finite clause without its own subject."""
    if conjunct.dep_ != "conj" or conjunct.i < head.i or _finite(conjunct) is None:
        return False
    return not _has_subject(conjunct)


def _has_subject(predicate: Token) -> bool:
    return any(child.dep_ in ANY_SUBJECT for child in predicate.children)


def _relative_clauses(pronoun: Token) -> Iterator[Token]:
    for clause in pronoun.children:
        if clause.dep_ in RELATIVE_CLAUSES and any(
            child.dep_ in SUBJECTS and child.lower_ in _WHO for child in clause.children
        ):
            yield clause
