"""The embedded rewriter: numbers, dates, antonyms and synonyms change, and the meaning stays."""

from __future__ import annotations

import pytest

from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.rules import Rules

RULES = Rules()


def rewritings(text):
    return [candidate.text for candidate in RULES.propose([Document("1", "a", text)], [0])[0]]


CHANGED = [
    ("About 50% of the boats sank.", "About 50 percent of the boats sank.", "percent in words"),
    ("About 50 percent of the boats sank.", "About 50% of the boats sank.", "percent as a sign"),
    ("She owns 3 boats.", "She owns three boats.", "a number in words"),
    ("She owns three boats.", "She owns 3 boats.", "a number in figures"),
    ("Anna was born on May 4, 1998.", "Anna was born on 4 May 1998.", "the day first"),
    ("Anna was born on 4 May 1998 .", "Anna was born on May 4, 1998 .", "the month first"),
    ("Anna sang on May 4.", "Anna sang on 4 May.", "without a year"),
    ("Anna sang on 4 May.", "Anna sang on May 4.", "and back"),
    ("Anna was born in May 1998.", "Anna was born in May of 1998.", "of between month and year"),
    ("Anna was born in May of 1998.", "Anna was born in May 1998.", "nothing between them"),
    ("Anna was born in 1998.", "Anna was born in the year 1998.", "the year"),
    ("In the year 1998, Anna sang.", "In 1998, Anna sang.", "without the year"),
    ("Rome is not able to win .", "Rome is unable to win .", "one word for two"),
    ("They aren't able to win.", "They are unable to win.", "also of a short form"),
    ("Fred was not unhappy.", "Fred was happy.", "the other way"),
    ("Rome was unable to win.", "Rome was not able to win.", "two words for one"),
    ("Two kids saw a film.", "Two kids saw a movie.", "a noun"),
    ("Two kids saw a film.", "Two children saw a film.", "a plural"),
    ("Two kids saw a film.", "Two children saw a movie.", "all changes together"),
    ("He purchased a boat.", "He bought a boat.", "a verb in its form"),
    ("They rarely sing.", "They seldom sing.", "an adverb"),
    ("He sat next to the stove.", "He sat beside the stove.", "an expression"),
    ("An enormous boat sank.", "A huge boat sank.", "the article follows"),
    ("Somebody is singing.", "Someone is singing.", "a capital at the beginning"),
    ("It is a TV show.", "It is a television show.", "an abbreviation"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "why"), CHANGED, ids=[row[2] for row in CHANGED])
def test_rewritten(text, expected, why):
    assert expected in rewritings(text)


UNCHANGED = [
    ("The two women sing.", "behind a determiner"),
    ("Two or three women sing.", "one number beside another"),
    ("Pitch Perfect 2 centers on a group.", "a part of a name"),
    ("8 men and eight women sing.", "figures and words side by side"),
    ("A boat of 5 meters, or 6, sank.", "another number in the text"),
    ("It ran from May 4, 1998 to May 9, 1999.", "two dates in one form"),
    ("It was on in 1998-99.", "a year that goes on"),
    ("It was shown in 1998, 1999 and 2000.", "several years"),
    ("It was shown in 1998 World Cups.", "a year that belongs to a name"),
    ("He is not happy or rich .", "a denial of two"),
    ("All children were not able to swim .", "which need not be that none were"),
    ("The plan is not legal in some states .", "which it may be in others"),
    ("Is he not able to swim ?", "a question"),
    ("Rome is not very able .", "not very able is not unable"),
    ("Soup is not hot .", "what is not hot need not be cold"),
    ("Rome is able to win .", "not unable would be odd"),
    ("It is the least frequently used boat.", "a comparison"),
    ("He acts in film and television.", "a noun without a determiner"),
    ("Owls (2005 film) is good.", "a title's addition"),
    ("He is a film director.", "a part of a compound"),
    ("He is a film-maker.", "a part of a word"),
    ("She is fighting for purchasing power.", "a participle before its noun"),
    ("It was concealed from him.", "a verb with a word that goes with it"),
    ("Movie is a song.", "what has a capital may be a name"),
    ("", "nothing"),
]


@pytest.mark.parametrize(("text", "why"), UNCHANGED, ids=[row[1] for row in UNCHANGED])
def test_left_alone(text, why):
    assert rewritings(text) == []


def test_a_long_text_takes_no_more_candidates_than_a_short_one():
    texts = rewritings("Two kids saw a movie on the couch . " * 120)
    assert len(texts) <= 24
    assert "kid" not in texts[-1]


def test_it_proposes_the_same_however_often_it_is_asked():
    documents = [Document(str(n), "a", "The film was released in 2011.") for n in range(3)]
    first, *others = RULES.propose(documents, [0, 1, 0])
    assert first
    assert others == [first, first]
    assert not RULES.draws
    assert RULES.version.startswith("rules:0.")
