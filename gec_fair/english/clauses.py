"""The finite verbs of a clause: its first auxiliary or copula, or its head, and conjuncts that share its subject."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gec_fair.english import inflect, pipeline
from gec_fair.english.labels import FINITE_VERBS, NOUNS, OBJECTS, SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Token

ANY_SUBJECT = SUBJECTS | {"csubj", "csubj:pass", "csubj:outer", "csubjpass", "expl"}
AUXILIARIES = frozenset({"aux", "aux:pass", "auxpass", "cop"})
OF_A_NOUN = frozenset({"det", "amod", "nmod:poss", "poss", "nummod", "compound", "case"})
_CORRELATIVES = frozenset(["either", "neither", "both"])
_SO = frozenset(["so", "nor", "neither"])
SURELY = 0.98
"""The tagger's probability from which on a word with *-s* is a verb (docs/benchmarks.md, verbs that agree)."""


def is_copula(token: Token) -> bool:
    """*be* before what somebody is; parsers also take *he was eighteen* for a passive."""
    return token.dep_ == "cop" or (token.dep_ in AUXILIARIES and token.lemma_ == "be" and not is_verb(token.head))


def is_verb(token: Token) -> bool:
    """Whether the tagger takes it for a verb."""
    return token.tag_.startswith("VB")


def likely_verb(token: Token) -> float:
    """The tagger's probability of a verb with *-s*."""
    likely = pipeline.likelihood(token, "VBZ")
    return float(token.tag_ == "VBZ") if likely is None else likely


def is_known_verb(token: Token) -> bool:
    """Whether it is an inflected form of a verb that the dictionary has."""
    return inflect.verb_lemma(token.text) != token.lower_


def is_subject(token: Token) -> bool:
    """Whether the token is the subject of a clause (active, passive or outer)."""
    return token.dep_ in SUBJECTS


def join_hyphen(head: Token) -> Token:
    """*he re - reads*: the verb behind the prefix that a tokeniser cut off."""
    after = head.doc[head.i + 1 : head.i + 3]
    is_prefix = len(after) == 2 and after[0].text == "-" and not is_verb(head) and after[1].tag_ == "VBZ"
    return after[1] if is_prefix else head


def clause_verbs(head: Token, subject: Token | None = None) -> Iterator[Token]:
    """The verb of a clause and those of conjuncts that share its subject."""
    verb = finite_verb(head, subject)
    if verb is not None:
        yield verb
    for child in head.children:
        if _shares_subject(child, head):
            yield from clause_verbs(child)


def finite_verb(head: Token, subject: Token | None = None) -> Token | None:
    """The agreeing word of a clause: its first auxiliary or copula, or its head; None for a clause without one.

    UD hangs two clauses on one head: *the point is that he was late, it was when he was late*. The verb of an inner
    subject stands behind it, or right before it.
    """
    helpers = [child for child in head.children if child.dep_ in AUXILIARIES and not has_subject(child)]
    outer = [
        child for child in head.children if subject is not None and child.dep_ in ANY_SUBJECT and child.i < subject.i
    ]
    if subject is not None and outer:
        later = [child for child in helpers if child.i > subject.i]
        is_question = outer[0].dep_ != "nsubj:outer"  # *what on earth is she doing*
        helpers = later or [child for child in helpers if is_question and child.i == subject.i - 1]
    word = helpers[0] if helpers else head
    return word if word.tag_ in FINITE_VERBS or is_mistagged(word) else None


def is_bare_plural(word: Token) -> bool:
    """Whether a word tagged as a plural noun has no determiner or adjective, and may be a verb with *-s*."""
    return (
        word.tag_ == "NNS"
        and inflect.is_singular(word.text)
        and not any(
            child.i < word.i and child.dep_ in OF_A_NOUN and child.lower_ not in _CORRELATIVES
            for child in word.children
        )
    )


def is_mistagged(word: Token) -> bool:
    """*she sings and dances, she either calls or texts*: a bare plural noun with a subject, or beside such a verb, is a
    verb, whatever the tagger says; so is an object behind a comma or *and* (*she wins , smiles and waves*)."""
    if not is_bare_plural(word):
        return False
    if any(child.dep_ in SUBJECTS and child.tag_ == "PRP" and child.i < word.i for child in word.children):
        return True
    head = word.head
    if word.dep_ == "conj":
        return head != word and (head.tag_ == "VBZ" or is_mistagged(head))
    is_joined = word.i > 0 and (word.nbor(-1).text == "," or word.nbor(-1).tag_ == "CC") and head.i < word.i - 1
    return word.dep_ in OBJECTS and is_joined and head.tag_ == "VBZ"


def _shares_subject(conjunct: Token, head: Token) -> bool:
    """Whether a conjunct is a finite clause without its own subject. Behind a comma parsers call it parataxis, too."""
    verb = finite_verb(conjunct)
    if conjunct.i < head.i or verb is None or is_of_another(verb) or (verb.tag_ == "VBZ" and verb.text.istitle()):
        return False
    if conjunct.dep_ in OBJECTS:
        return is_mistagged(conjunct)
    is_sure = verb.tag_ == "VBZ" and likely_verb(verb) >= SURELY
    is_verb = is_sure or verb.tag_ != "VBZ" or is_known_verb(verb)  # not *among bonnets and britches*
    is_parataxis = conjunct.dep_ == "parataxis" and is_sure and not is_aside_clause(conjunct)
    return is_verb and (conjunct.dep_ == "conj" or is_parataxis) and not has_subject(conjunct)


def is_aside_clause(clause: Token) -> bool:
    """*he forgot, is what I mean*"""
    return clause.dep_ == "parataxis" and any(child.dep_ == "cop" for child in clause.children)


def is_of_another(verb: Token) -> bool:
    """*he smokes, and so does his wife*: the subject stands behind the verb, whatever the parser calls it. *He is kind,
    and so is loved* has none."""
    if not 0 < verb.i < len(verb.doc) - 1 or verb.nbor(-1).lower_ not in _SO:
        return False
    return verb.nbor().tag_ in NOUNS | {"DT", "PRP", "PRP$"}


def has_subject(predicate: Token) -> bool:
    """Whether it has a subject; an expletive or a clause counts."""
    return any(child.dep_ in ANY_SUBJECT for child in predicate.children)
