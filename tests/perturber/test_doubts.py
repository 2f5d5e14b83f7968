"""What the rule perturber does not rewrite, for a person would be left half rewritten."""

from __future__ import annotations

import pytest

from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing

HALVES = [
    (
        "Australian woman claims they held her . Anna , an Australian woman , says they held her .",
        "woman",
        "said twice",
    ),
    ("A few guys were at the table , and some guy told us to leave .", "guys", "another number"),
    ("Sheikh Hassan was arrested .", "Hassan", "a title of men alone"),
    ("Women give birth more easily with it , and pregnancy is safe .", "Women", "of one gender alone"),
    ("The fathers must be named in it . A father is not always known .", "fathers", "another number"),
]
DISTINCT = [
    ("Mr. Smith met Mr. Jones .", "two men, told apart by their names"),
    ("The tall man met the short man .", "two men, told apart by their looks"),
    ("John lost his keys . Bob laughed at him .", "him is not Bob"),
    ("Anna lost her keys and called her mother .", "one woman, and her mother"),
    ("William B. Farnham was an American film actor .", "an initial behind a first name"),
    ("Rebecca De Marsay is an American actress .", "a particle behind a first name"),
]


@pytest.fixture(scope="module")
def genders():
    return Perturbing(PerturbOptions(axes=("gender",)))


@pytest.mark.parametrize(("text", "word", "why"), HALVES, ids=[row[2] for row in HALVES])
def test_a_half_rewritten_person_is_left(genders, text, word, why):
    every = [genders([(text,)], [str(n)])[0] for n in range(20)]
    assert word not in {one.drawn.word for one in every if one.rewriting is not None}


@pytest.mark.parametrize(("text", "why"), DISTINCT, ids=[row[1] for row in DISTINCT])
def test_people_who_are_told_apart_are_rewritten(genders, text, why):
    assert genders([(text,)], ["x"])[0].drawn is not None


AGES = [
    ("The children may swim , but keep the little ones away .", "said again"),
    ("The pool is for adults only , kids are not allowed .", "set against another age"),
    ("The boy's mother took him to school .", "of children alone"),
    ("The infant was born at noon .", "of children alone"),
    ("Born in 1928 , he won it at the age of 40 .", "with a year of birth"),
    ("At a school in town a boy raised his hand .", "of children alone"),
    ("A girl left , for the other girls had gone .", "one of several"),
    ("Children as young as six work there .", "how young"),
    ("The park is child friendly .", "for whom it is made"),
    ("He was a mere boy then .", "low for what is told"),
]


@pytest.mark.parametrize(("text", "why"), AGES, ids=[row[1] + str(n) for n, row in enumerate(AGES)])
def test_an_age_that_the_text_says_again_is_left(text, why):
    perturbing = Perturbing(PerturbOptions(axes=("age",), targets=("senior", "middle-aged", "child")))
    assert {perturbing([(text,)], [str(n)])[0].rewriting for n in range(10)} == {None}


NAMES = [
    (
        "Gunther Uecker paints . Uecker was born in Wendorf .",
        "hispanic",
        2,
        "a rare surname changes, wherever it stands",
    ),
    ("David Glen Eisley is a singer .", "asian", 1, "all first names and the surname"),
]


@pytest.mark.parametrize(("text", "target", "times", "why"), NAMES, ids=[row[3] for row in NAMES])
def test_a_full_name_changes_whole(text, target, times, why):
    (one,) = Perturbing(PerturbOptions(axes=("race",), targets=(target,)))([(text,)], ["x"])
    old = text.split(" is ")[0].split(" paints")[0].split()
    new = one.fields[0].split()
    assert not set(old) & set(new)
    assert new.count(new[len(old) - 1]) == times


def test_white_and_black_americans_share_surnames():
    (one,) = Perturbing(PerturbOptions(axes=("race",), targets=("black",)))([("Jim Smith called .",)], ["x"])
    assert one.fields[0].endswith(" Smith called .")
    assert one.drawn.word == "Jim"


@pytest.mark.parametrize(
    ("text", "new"),
    [("A young nurse held the lamp .", "A nurse held the lamp ."), ("She is old .", "She is old .")],
)
def test_an_adult_of_no_stated_age_has_no_adjective(text, new):
    (one,) = Perturbing(PerturbOptions(axes=("age",), targets=("adult",)))([(text,)], ["x"])
    assert one.fields == (new,)


def test_a_name_changes_wherever_the_person_has_it():
    text = "Queen Victoria was lonely . Victoria lived with her mother ."
    perturbing = Perturbing(PerturbOptions(axes=("gender",), targets=("man",), min_sure=0))
    texts = [perturbing([(text,)], [str(n)])[0].fields[0] for n in range(10)]
    assert any("Victoria" not in rewritten for rewritten in texts)
    assert not any(rewritten.count("Victoria") == 1 for rewritten in texts)
