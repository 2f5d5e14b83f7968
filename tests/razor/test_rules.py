"""The embedded rewriter: one thing changes, the meaning stays; where that is not sure, nothing."""

from __future__ import annotations

import pytest

from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.rules import Rules

RULES = Rules()


def rewritings(text):
    return [candidate.text for candidate in RULES.propose([Document("1", "a", text)], [0])[0]]


CHANGED = [
    ("Rome is not able to win .", "Rome is unable to win .", "an affix that denies"),
    ("Fred was not unhappy.", "Fred was happy.", "the other way"),
    ("He did not obey the law .", "He disobeyed the law .", "a verb, in the helper's tense"),
    ("She does not remember it .", "She forgets it .", "in the third person"),
    ("They don't remember it.", "They forget it.", "without its helper in one word"),
    (
        "The film was released in 2011.",
        "In 2011, the film was released.",
        "a time comes first; the article is lower-case",
    ),
    ("Anna was born in 1998 .", "In 1998 , Anna was born .", "a name keeps its capital; marks stay apart"),
    ("Tim Burton directed Batman in 1989.", "Batman was directed by Tim Burton in 1989.", "active to passive"),
    ("The committee elects two members.", "Two members are elected by the committee.", "number of the new subject"),
    ("Batman was directed by Tim Burton.", "Tim Burton directed Batman.", "passive to active"),
    ("These songs are performed by a choir.", "A choir performs these songs.", "the new subject's number"),
    ("He was born in 2011 .", "In 2011 , he was born .", "a pronoun is lower-case behind it"),
    (
        "Hourglass is performed by a singer-songwriter.",
        "A singer-songwriter performs Hourglass.",
        "hyphens stay closed",
    ),
    ("Two persons saw a tiny house.", "Two individuals saw a tiny house.", "a synonym, in the same number"),
]


@pytest.mark.parametrize(("text", "expected", "why"), CHANGED, ids=[row[2] for row in CHANGED])
def test_rewritten(text, expected, why):
    assert expected in rewritings(text)


UNCHANGED = [
    ("The Old Harbour is known by no other name .", "*no other name knows it*"),
    ("Few critics saw the film .", "of whom is said how many"),
    ("Songs of the Sea stars an actor .", "nobody is starred by a film"),
    ("All children did not obey .", "which need not be that none did"),
    ("It was a sloop-of-war .", "a part of a word"),
    ("He was a (tiny) man .", "what stands within marks"),
    ("Rome is not very able .", "not very able is not unable"),
    ("It is not hot .", "what is not hot need not be cold"),
    ("He did not win .", "who did not win need not have lost"),
    ("He did not tie the rope .", "and did not untie it"),
    ("She loves him .", "a pronoun's case would change"),
    ("The box contains apples .", "a verb that has no good passive"),
    ("The show took place .", "an expression"),
    ("Tim directed Batman and wrote it .", "two predicates"),
    ("He refers to it .", "a verb with a word that goes with it"),
    ("Someone was killed by 1990 .", "a time is nobody"),
    ("Person is one .", "what has a capital may be a name"),
    ("Anna sang . Ben slept .", "two sentences"),
    ("", "nothing"),
]


@pytest.mark.parametrize(("text", "why"), UNCHANGED, ids=[row[1] for row in UNCHANGED])
def test_left_alone(text, why):
    assert rewritings(text) == []


def test_a_denial_goes_together_with_another_change():
    rewritten = rewritings("The song was not available in 1998 .")
    assert "In 1998 , the song was unavailable ." in rewritten
    assert "In 1998 , the song was not available ." in rewritten


def test_it_proposes_the_same_however_often_it_is_asked():
    documents = [Document(str(n), "a", "The film was released in 2011.") for n in range(3)]
    first, *others = RULES.propose(documents, [0, 1, 0])
    assert first
    assert others == [first, first]
    assert not RULES.draws
    assert RULES.version.startswith("rules:en_")
