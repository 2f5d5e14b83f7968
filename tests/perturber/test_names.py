"""Which names of people a change of race or gender reaches, and which names it leaves alone."""

from __future__ import annotations

import pytest

from gec_fair.people.terms.lexicon import load
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing

NOBODYS = [
    ("In aid of it , he designed a Buddy Bear .", "Buddy", "a thing"),
    ("The Molly Maguires left .", "Molly", "a group"),
    ("The film ' Jack Off Jill ' ran .", "Jack", "a title"),
    ("He wore James Bond style clothes .", "James", "a quality"),
    ("Tornado takes on the John Smith persona .", "John", "what a word behind it describes"),
    ("We have a hamster ( Fernando ) .", "Fernando", "an animal"),
    ("I had my hair cut at Alta Moda .", "Alta", "a shop"),
    ("I buy them for all who work at Max 's .", "Max", "a shop with a genitive"),
    ("The Bill and Melinda Gates Foundation gave it .", "Bill", "a foundation of two"),
    ("John Brown & Company built it .", "John", "a firm"),
    ("The Bruce Campbell Way sold well .", "Bruce", "a title with an article"),
    ("Ireland won , and nothing is as Irish .", "Ireland", "a country"),
    ("It is one of the Eastern Christian Churches .", "Christian", "churches"),
    ("It came on Thu , 12 Jan .", "Thu", "a date"),
    ("It stands in Suetonius , Julius Caesar , 23 , 24.1 .", "Julius", "a chapter"),
]
RULERS = ["The Russian fleet met Catherine the Great .", "In the end Emperor Constantine came ."]
LEFT = [
    ("Stoney Jackson danced for Michael Jackson .", "Jackson", "two of one surname"),
    ("The Palestinian leader Mahmoud Abbas spoke .", "Mahmoud", "a people that stays"),
    ("Who is Gunther Uecker ? See http://example.org/GuntherUecker.html", "Gunther", "an address"),
    ("William Benson , called Will , left .", "William", "a short form"),
    ("Abdel Rahman left .", "Rahman", "one half of a name"),
    ("Many Kurds left . The Kurdish party lost .", "Kurds", "another word for the people"),
    ("Many people came , mostly Indian ( Tamil ) .", "Tamil", "one of a larger people"),
    ("Seth Bloom was late . Bloom Legal is a firm .", "Bloom", "a firm of that surname"),
]
OFFICES = ["Saudi officials came .", "The former Iraqi leader spoke ."]


def drawn_words(axis, text, **options):
    perturbing = Perturbing(PerturbOptions(axes=(axis,), **options))
    outcomes = [perturbing([(text,)], [str(n)])[0] for n in range(12)]
    return {one.drawn.word for one in outcomes if one.rewriting is not None}


@pytest.mark.parametrize("axis", ["race", "gender"])
@pytest.mark.parametrize(("text", "name", "why"), NOBODYS, ids=[row[2] for row in NOBODYS])
def test_a_name_that_nobody_bears_is_left(axis, text, name, why):
    assert name not in drawn_words(axis, text)


@pytest.mark.parametrize(
    "text",
    [
        "James Bond fans came .",
        "We laughed at Susan .",
        "The Great Fire hit Susan Smith .",
        "After she walked the dog , Susan left .",
        "Susan Smith , 34 , 5 feet tall , left .",
        "They fired a gun at Susan .",
        "I told Susan the Americans came .",
        "William Smith met Will Jones .",
        "In Paris Uecker painted . On Monday Gunther Uecker left .",
    ],
)
def test_a_name_beside_people_is_somebodys(text):
    assert drawn_words("race", text)


@pytest.mark.parametrize("text", RULERS)
def test_a_ruler_is_of_no_other_people(text):
    assert drawn_words("race", text) <= {"Russian"}


@pytest.mark.parametrize(("text", "name", "why"), LEFT, ids=[row[2] for row in LEFT])
def test_a_name_that_would_change_by_half_is_left(text, name, why):
    assert name not in drawn_words("race", text)


@pytest.mark.parametrize("text", OFFICES)
def test_an_office_belongs_to_a_state(text):
    assert not drawn_words("race", text)


def test_a_nation_becomes_no_tribe():
    perturbing = Perturbing(PerturbOptions(axes=("race",)))
    every = [perturbing([("The Belgians scored .",)], [str(n)])[0] for n in range(30)]
    assert {one.drawn.target for one in every if one.rewriting is not None} == {"black", "hispanic", "asian"}


def test_a_headline_is_rewritten():
    assert drawn_words("gender", "Texas Woman Arrested After Crash", min_sure=0) == {"Woman"}


def test_a_rulers_surname_stays_too():
    assert not drawn_words("race", "King Carlos Hernandez came .")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("African Americans left .", "Asian Americans left ."),
        ("Latin Americans left .", "Asian people left ."),
        ("Pacific Islanders left .", "Asian people left ."),
    ],
)
def test_americans_stay_americans(text, new):
    (one,) = Perturbing(PerturbOptions(axes=("race",), targets=("asian",)))([(text,)], ["x"])
    assert one.fields == (new,)


def test_a_people_takes_an_unlisted_name_with_it():
    text = "Matej Andraz Vogrin is a Slovenian artist ."
    for target in ("black", "asian", "hispanic"):
        (one,) = Perturbing(PerturbOptions(axes=("race",), targets=(target,)))([(text,)], ["x"])
        assert not {"Matej", "Andraz", "Vogrin", "Slovenian"}.intersection(one.fields[0].split())


def test_a_person_has_names_of_one_country():
    countries = load().countries
    for first in ("Thomas", "Peter", "Robert", "Nancy", "Susan", "Karen"):
        (one,) = Perturbing(PerturbOptions(axes=("race",), targets=("asian",)))([(f"{first} Farnham left .",)], ["x"])
        names = one.fields[0].split()[:2]
        assert len({countries[name] for name in names}) == 1


def test_a_name_changes_in_capitals_too():
    text = "Robert Hughes has it . ROBERT HUGHES reporting : he won ."
    (one,) = Perturbing(PerturbOptions(axes=("race",), targets=("hispanic",)))([(text,)], ["x"])
    words = one.fields[0].split()
    assert [word.upper() for word in words[:2]] == words[5:7]


SMALL_AGES = [
    ("I was only seven years old when we moved .", "child"),
    ("Customers with small children are served first .", "child"),
    ("The women and children were captured .", "child"),
    ("Nearly all graduating seniors go to a college .", "senior"),
]


@pytest.mark.parametrize(("text", "old"), SMALL_AGES)
def test_an_age_that_its_text_needs_is_left(text, old):
    assert not drawn_words("age", text)


def test_what_somebody_is_at_the_beginning_of_a_clause_is_the_subjects():
    perturbing = Perturbing(PerturbOptions(axes=("gender",), targets=("woman",)))
    (one,) = perturbing([("As a man he liked it .",)], ["x"])
    assert one.fields == ("As a woman she liked it .",)


def test_a_kind_of_thing_does_not_become_neutral():
    perturbing = Perturbing(PerturbOptions(axes=("gender",), targets=("non-binary",)))
    assert perturbing([("The women 's basketball team won .",)], ["x"])[0].drawn is None


def test_a_name_behind_a_people_of_two_words_takes_that_people_only():
    text = "We met Sri Lankan President Lorena Perez ."
    perturbing = Perturbing(PerturbOptions(axes=("race",)))
    targets = {perturbing([(text,)], [str(n)])[0].drawn.target for n in range(12)}
    assert targets == {"asian"}


def test_two_people_of_one_age_are_two():
    perturbing = Perturbing(PerturbOptions(axes=("age",), targets=("senior",)))
    (one,) = perturbing([("John Gray , 21 , met Paul Black , 21 , here .",)], ["x"])
    assert one.fields[0].count("21") == 1


@pytest.mark.parametrize(
    ("text", "name"), [("DeShawn Jackson said so .", "DeShawn"), ("LaShonda Brown sings .", "LaShonda")]
)
def test_a_first_name_may_have_a_capital_inside(text, name):
    assert name in drawn_words("race", text)
