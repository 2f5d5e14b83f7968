"""First names that the table does not list: found where the text says their gender, and left where it does not."""

import pytest

import gec_fair as gf
from gec_fair.english import pipeline
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.people.first_names import first_names
from gec_fair.people.people import people_in

F, M = Gender.FEMININE, Gender.MASCULINE


def tagged(text):
    (doc,) = pipeline.tag(pipeline.load(), [text.split()])
    return doc


@pytest.mark.parametrize(
    ("text", "name", "gender"),
    [
        ("Oluwaseun lost his keys on the way to school .", "Oluwaseun", M),
        ("Yesterday Oluwaseun lost his keys .", "Oluwaseun", M),
        ("Ngozi says that she is tired .", "Ngozi", F),
        ("I live with my aunt Ngozi .", "Ngozi", F),
        ("I know a boy called Oluwaseun .", "Oluwaseun", M),
        ("Her name is Ngozi .", "Ngozi", F),
        ("She is Ngozi .", "Ngozi", F),
        ("Miss Ngozi teaches us .", "Ngozi", F),
        ("Ngozi saw him in the park .", "Ngozi", None),  # trap: somebody else
        ("Oluwaseun and Peter lost his keys .", "Oluwaseun", None),  # trap: two people
        ("Peter told Oluwaseun that he was late .", "Oluwaseun", None),  # trap: Peter may be meant
        ("Mr. and Mrs. Oluwaseun came .", "Oluwaseun", None),  # trap: a couple's surname
        ("Oluwaseun said : \" She is late . \"", "Oluwaseun", None),  # trap: behind a quotation mark
        ("Oluwaseun met his friend and she smiled .", "Oluwaseun", None),  # trap: two genders
        ("Oluwaseun likes tea .", "Oluwaseun", None),  # trap: no gender said
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
    (pair,) = gf.augment([("My aunt Ngozi lose her keys .", "My aunt Ngozi lost her keys .")], "fm")
    source, target = pair.source.split(), pair.target.split()
    assert source[2] == target[2] != "Ngozi"
    assert source[4] == target[4] == "his"
    assert lexicon.load().names.gender(target[2]) is M
    assert target[2][0] == "N"


def test_the_same_name_is_swapped_alike_in_every_text():
    first, second = gf.rewrite(["My aunt Ngozi lost her keys .", "Her name is Ngozi ."], "fm")
    assert first.split()[2] == second.split()[3] != "Ngozi"
    assert "Ngozi" in gf.rewrite(["My aunt Ngozi lost her keys ."], "fm", names="keep")[0]


@pytest.mark.parametrize(
    "text",
    [
        "Anna and Tom said they love it .",
        "Anna 's parents said they are proud .",
        "The team met Anna and they won .",
        "Tom asked Anna if they could leave .",
        "We met Anna , and they left .",
        "Anna forgot their keys , and she was sad .",
        "They met Anna .",
    ],
)
def test_a_they_that_may_be_somebody_elses_leaves_names_alone(text):
    (doc,) = pipeline.tag(pipeline.load_shared(), [text.split()])
    assert not any(people_in(doc).goes_by_they(token.i) for token in doc)
