"""A noun before a sentence's subject that says who the subject is.

    The son of a farmer , Thomas …     A widow at thirty , she …     While still a girl , Anna …     Born the son of …
    As a boy , his family …            Mother of two Anna Smith …

A parser rarely links the two: it calls the noun a second subject, a measure or the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from gec_fair.english.labels import ADJECTIVES, COMMON_NOUNS, FINITE_VERBS, NOUNS, POSSESSIVES, PROPER_NOUNS, SUBJECTS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.perturber.words.sentences import ENDS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEFORE = ADJECTIVES | {"CD", "RB", "RBR", "RBS", "HYPH"}
_DETERMINERS = word_list("indefinite_articles") | {"the"}
_OPENERS = _DETERMINERS | word_list("conjunctions_of_a_fronted_noun") | word_list("participles_before_what_somebody_is")
_PRONOUNS = word_list("pronouns_of_a_subject_or_owner")
_OPENS = frozenset(['"', "“", "``", "‘", "'"])
_LONGEST = 25
"""Tokens of what stands before the subject."""


def fronted(doc: Doc) -> Iterator[set[int]]:
    """Each such noun with the first token of the subject."""
    starts = [0, *(token.i + 1 for token in doc if token.text in ENDS)]
    for start in starts:
        noun = _noun_after(doc, start)
        subject = None if noun is None else _subject_after(noun)
        if noun is not None and subject is not None:
            yield {noun.i, subject.i}
    yield from _parents(doc)


def _noun_after(doc: Doc, start: int) -> Token | None:
    """The noun of the sentence's first phrase, if only its determiner and qualities stand before it."""
    for token in doc[start : start + _LONGEST]:
        if token.tag_ in NOUNS:
            run = list(takewhile(lambda following: following.tag_ in NOUNS, doc[token.i : token.i + _LONGEST]))
            noun, after = run[-1], doc[run[-1].i + 1 : run[-1].i + 2].text
            is_owner = after in ("'s", "’s", "'", "’")  # the king's son, Thomas
            is_called = token.i == start and after == ","  # Girl, she is crazy.
            return None if noun.tag_ not in COMMON_NOUNS or is_owner or is_called else noun
        if token.tag_ not in _BEFORE and token.lower_ not in _OPENERS and token.text not in _OPENS:
            return None
    return None


def _subject_after(noun: Token) -> Token | None:
    """A name or a pronoun behind the first comma, if no verb of a clause stands before it."""
    doc = noun.doc
    for token in doc[noun.i + 1 : noun.i + _LONGEST]:
        if token.tag_ in FINITE_VERBS or token.text in ENDS or token.dep_ == "conj":
            return None
        if token.text == ",":
            subject = doc[token.i + 1] if token.i + 1 < len(doc) else None
            is_subject = subject is not None and subject.dep_ in SUBJECTS | POSSESSIVES  # not *A lady, Jane!*
            is_person = subject is not None and (subject.tag_ in PROPER_NOUNS or subject.lower_ in _PRONOUNS)
            return subject if is_subject and is_person else None
    return None


def _parents(doc: Doc) -> Iterator[set[int]]:
    """*Mother of two Anna Smith, father-of-three Tom*: the noun and the name."""
    for token in doc[:-3]:
        if token.tag_ not in NOUNS:
            continue
        after = [following for following in doc[token.i + 1 : token.i + 7] if following.tag_ != "HYPH"]
        match [(following.lower_, following.tag_) for following in after[:3]]:
            case [("of", _), (_, "CD"), (_, tag)] if tag in PROPER_NOUNS:
                yield {token.i, after[2].i}
