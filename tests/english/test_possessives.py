"""What stands behind a word that owns something, in the way of the writer."""

import re

import pytest

import gec_fair as gf
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.english import pipeline
from gec_fair.english.possessives import leaves_s_out, mark_behind, new_mark, possessive, unclear_mark

MARKS = [
    ("'", "James", "Jennifer", False, "'s", "a name that does not end in s"),
    ("'s", "James", "Jennifer", False, "'s", "the same, from the other style"),
    ("'", "James", "Frances", False, "'", "the writer leaves the s out"),
    ("'s", "Thomas", "Frances", False, "'s", "the writer writes it"),
    ("'s", "Anna", "James", False, "'s", "a writer of whom nothing is known"),
    ("'", "actress", "actor", False, "'s", "a noun in s"),
    ("'", "ladies", "gentlemen", True, "'s", "a plural that does not end in s"),
    ("'s", "gentlemen", "ladies", True, "'", "a plural in s"),
    ("'", "girls", "boys", True, "'", "two plurals in s"),
    ("'s", "men", "women", True, "'s", "two that do not end so"),
    ("’", "James", "Jennifer", False, "’s", "the writer's apostrophe"),
    ("’s", "gentlemen", "ladies", True, "’", "the writer's apostrophe, alone"),
    ("'", "JAMES", "JENNIFER", False, "'S", "capitals"),
    ("'S", "GENTLEMEN", "LADIES", True, "'", "capitals that go"),
    ("'", "Max", "Anna", False, "'s", "some leave it out behind x and z"),
    ("'", "Alice", "Anna", False, "'s", "and behind ce"),
    ("'", "Chinese", "Black people", True, "'s", "and behind a people in se"),
    ("'s", "ladies", "gentlemen", True, "'s", "an error stays"),
    ("'", "gentlemen", "ladies", True, "'", "another"),
    ("'", "actor", "actress", False, "'", "another, or a quotation mark"),
]


@pytest.mark.parametrize(
    ("mark", "old", "new", "is_plural", "expected"), [r[:5] for r in MARKS], ids=[r[5] for r in MARKS]
)
def test_the_mark_follows_the_new_word(mark, old, new, is_plural, expected):
    assert new_mark(mark, old, new, is_plural=is_plural) == expected


OWNERS = [(word, False) for word in ("James", "Anna", "actress", "actor", "boss")]
OWNERS += [(word, True) for word in ("ladies", "gentlemen", "girls", "children")]


@pytest.mark.parametrize("is_bare", [False, True])
@pytest.mark.parametrize(("old", "many"), OWNERS)
@pytest.mark.parametrize(("new", "also_many"), OWNERS)
def test_the_way_back_gives_the_old_mark(old, many, new, also_many, is_bare):
    if many is also_many:
        mark = possessive(old, is_plural=many, is_bare=is_bare)
        swapped = new_mark(mark, old, new, is_plural=many, is_bare=is_bare)
        assert swapped == possessive(new, is_plural=many, is_bare=is_bare)
        assert new_mark(swapped, new, old, is_plural=many, is_bare=is_bare) == mark


@pytest.fixture(scope="module")
def tagged():
    return lambda text: next(pipeline.tag(pipeline.load_shared(), [text.split()]))


PLACES = [
    ("James ' brother", 1, "'", "a name"),
    ("The ladies ’ room", 2, "’", "another apostrophe"),
    ("My boss ' wife", 2, "'", "tagged as a quotation mark, without its other half"),
    ("The boys ' and girls ' school", 2, "'", "of two"),
    ("The actor 's dress", 2, "'s", "with an s"),
    ("He called her ' the actress ' and left", 6, "", "a closing quotation mark"),
    ("He is one of the ' ladies ' .", 7, "", "the same at the end"),
    ("It is James ' , not Agnes ' .", 3, "'", "one of two, before a sign"),
    ("He likes ' James ' .", 4, "", "quotation marks; the first is behind a verb in s"),
    ("The boss ' wife hates the waitress ' husband", 7, "'", "of two behind nouns in s"),
    ("She told the actress ' go home ' .", 4, "", "a quotation begins with a verb"),
    ("The actress ' Diva ' sang", 2, "", "an opening quotation mark"),
    ("' James ' is here '", 2, "", "the end of a quotation inside a sentence"),
    ("' James ' , she said , ' is here '", 2, "", "the same before a sign"),
    ("She called ' James ' brother", 4, "", "the only sign that closes the quotation"),
    ("' James ' songs beat ' Thomas ' ones", 2, "", "another quotation begins behind"),
    ("' James ' brother is here , ' she said", 2, "'", "a possessive in a quotation that ends later"),
    ("The ' actress ' dress '", 3, "'", "the same in a title"),
    ("‘ James ’ is here ’", 2, "", "a typographic sign"),
    ("‘ James ’ brother is here , ’ she said", 2, "’", "the same, a possessive"),
    ("' James ' loves are few , ' she said", 2, "", "unclear: a noun or a verb"),
    ("It is Bess ' .", 3, "'", "nothing behind that could be quoted, whatever the name is tagged as"),
    ("' It is Bess ' .", 4, "", "the same where a quotation is open"),
    ("Were the ' 90s Charles ' best years ?", 5, "'", "a year is no quotation"),
    ("It was ' 69 , and James ' car broke", 7, "'", "another"),
    ("The actress sang", 2, "", "another word"),
    ("The actress", 2, "", "the end of the text"),
]


@pytest.mark.parametrize(("text", "end", "mark"), [row[:3] for row in PLACES], ids=[row[3] for row in PLACES])
def test_a_mark_is_told_from_a_quotation_mark(tagged, text, end, mark):
    assert mark_behind(tagged(text), end, is_plural=False) == mark


@pytest.mark.parametrize(
    ("text", "end", "word"),
    [
        ("' James ' loves are few , ' she said", 2, "James'"),
        ("' James ' very old car broke , ' she said", 2, "James'"),
        ("' James ' book and the boys ' room , ' she said", 2, "James'"),
        ("My car is red but James ' is blue", 6, "James'"),
        ("' James ' is here '", 2, ""),
        ("James ' brother", 1, ""),
        ("The actress", 2, ""),
    ],
)
def test_a_mark_that_may_be_both_is_unclear(tagged, text, end, word):
    assert unclear_mark(tagged(text), [end]) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'James' is here'", "'Jennifer' is here'"),
        ("'The actress' is here'", "'The actor' is here'"),
        ("He called 'James' brother.", "She called 'Jennifer' sister."),
        ("'James' brother is here,' she said.", "'Jennifer's sister is here,' he said."),
        ("'James' loves are few,' she said.", "'James' loves are few,' she said."),
    ],
)
def test_a_quotation_is_rewritten_raw_and_tokenised_or_left(text, expected):
    assert str(gf.rewrite([text], "fm")[0]) == expected
    spaced = re.sub(r"(['.,])", r" \1 ", text.replace("'s", "’s")).replace("’s", " 's").split()
    wanted = re.sub(r"(['.,])", r" \1 ", expected.replace("'s", "’s")).replace("’s", " 's").split()
    (rewritten,) = Rewriter(Options("fm"), tokenised=True)([" ".join(spaced)])
    assert rewritten.split() == wanted


def test_the_way_of_the_writer_is_seen_in_names_and_nouns_in_s(tagged):
    assert leaves_s_out(tagged("Anna 's car and Charles ' bike ."))
    assert not leaves_s_out(tagged("Anna 's car , the girls ' bikes and Charles 's cat ."))
