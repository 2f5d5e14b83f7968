"""First names that the table does not list: found where the text says their gender, and left where it does not."""

import pytest

import gec_fair as gf
from gec_fair.english import pipeline
from gec_fair.english.lexicons import lexicon
from gec_fair.english.paradigms import Gender
from gec_fair.people.first_names import first_names

F, M = Gender.FEMININE, Gender.MASCULINE


def tagged(text):
    (doc,) = pipeline.tag(pipeline.load(), [text.split()])
    return doc


@pytest.mark.parametrize(
    ("text", "name", "gender"),
    [
        ("Ondrolf lost his keys on the way to school .", "Ondrolf", M),
        ("Yesterday Ondrolf lost his keys .", "Ondrolf", M),
        ("Velmira says that she is tired .", "Velmira", F),
        ("I live with my aunt Velmira .", "Velmira", F),
        ("I know a boy called Ondrolf .", "Ondrolf", M),
        ("Her name is Velmira .", "Velmira", F),
        ("She is Velmira .", "Velmira", F),
        ("Miss Velmira teaches us .", "Velmira", F),
        ("Velmira saw him in the park .", "Velmira", None),  # trap: somebody else
        ("Ondrolf and Peter lost his keys .", "Ondrolf", None),  # trap: two people
        ("Peter told Ondrolf that he was late .", "Ondrolf", None),  # trap: Peter may be meant
        ("Mr. and Mrs. Ondrolf came .", "Ondrolf", None),  # trap: a couple's surname
        ("Ondrolf said : \" She is late . \"", "Ondrolf", None),  # trap: behind a quotation mark
        ("Ondrolf met his friend and she smiled .", "Ondrolf", None),  # trap: two genders
        ("Ondrolf likes tea .", "Ondrolf", None),  # trap: no gender said
    ],
)  # fmt: skip
def test_the_gender_of_a_name_is_what_the_text_says(text, name, gender):
    names = {token.text: gender for token, gender in first_names(tagged(text), lexicon.load()).items()}
    assert names.get(name) is gender


@pytest.mark.parametrize("text", ["Marty lost his keys .", "The Attorney Peter Barrett lost his keys ."])
def test_unisex_names_and_titles_are_left_alone(text):
    names = {token.text for token in first_names(tagged(text), lexicon.load())}
    assert names.isdisjoint({"Marty", "Attorney"})


def test_an_unlisted_name_and_its_pronoun_change_together():
    (pair,) = gf.augment([("My aunt Velmira lose her keys .", "My aunt Velmira lost her keys .")], "fm")
    source, target = pair.source.split(), pair.target.split()
    assert source[2] == target[2] != "Velmira"
    assert source[4] == target[4] == "his"
    assert lexicon.load().names.gender(target[2]) is M
    assert target[2][0] == "V"


def test_the_same_name_is_swapped_alike_in_every_text():
    first, second = gf.rewrite(["My aunt Velmira lost her keys .", "Her name is Velmira ."], "fm")
    assert first.split()[2] == second.split()[3] != "Velmira"
    assert "Velmira" in gf.rewrite(["My aunt Velmira lost her keys ."], "fm", names="keep")[0]
