"""The reader of *her* and *his*: short plain sentences, other pipelines, and the same answer in any company."""

from __future__ import annotations

from itertools import product

import pytest

from gec_fair.english import pipeline
from gec_fair.english.lexicons.paradigms import Form
from gec_fair.english.pronouns import likely_form
from gec_fair.people.forms import form_of

VERBS = "saw met heard called left found helped kept loved told asked watched took sent thanked painted".split()
NOUNS = "husband mother friend brother car bag phone house teacher sister dog room".split()
OBJECTS = "yesterday again politely twice , . to with because when in at before after".split()


@pytest.fixture(scope="module")
def nlp():
    return pipeline.load()


def forms(nlp, texts):
    docs = pipeline.tag(nlp, [text.split() for text in texts])
    return [next(form_of(token) for token in doc if token.lower_ in ("her", "his")) for doc in docs]


def test_her_before_a_plain_noun_is_a_possessive(nlp):
    texts = [f"{who} {verb} her {noun} ." for who in ("She", "Anna") for verb in VERBS for noun in NOUNS]
    wrong = [text for text, form in zip(texts, forms(nlp, texts), strict=True) if form is not Form.DETERMINER]
    assert len(wrong) <= len(texts) / 100, wrong


def test_her_before_what_nobody_owns_is_an_object(nlp):
    texts = [f"{who} {verb} her {word} it ." for who in ("He", "Anna") for verb in VERBS for word in OBJECTS]
    wrong = [text for text, form in zip(texts, forms(nlp, texts), strict=True) if form is not Form.ACCUSATIVE]
    assert len(wrong) <= len(texts) / 100, wrong


def test_the_words_around_decide_and_not_the_company(nlp):
    text = "Nobody gave her flowers , so she painted her room ."
    [alone] = pipeline.tag(nlp, [text.split()])
    [with_more] = pipeline.tag(nlp, [("It rained . " + text).split()])
    shift = len(with_more) - len(alone)
    for token in alone:
        if token.lower_ == "her":
            assert form_of(token) is form_of(with_more[token.i + shift])


SIGNS = "$ € £ ¥ ₹".split()
SUMS = [
    *(f"{sign}{space}9" for sign, space in product(SIGNS, ("", " "))),
    *("€ 2,500", "$ 3.50", "two", "21", "1998", "#old"),
]


@pytest.mark.parametrize("amount", SUMS)
def test_a_possessive_before_money_a_number_or_a_hashtag_stays_one(nlp, amount):
    texts = [
        f"{who} {verb} {whose} {amount} {noun} ."
        for who, whose in (("She", "her"), ("He", "his"))
        for verb, noun in (("lost", "deposits"), ("kept", "watches"), ("described", "fees"), ("raised", "offers"))
    ]
    wrong = [text for text, form in zip(texts, forms(nlp, texts), strict=True) if form is not Form.DETERMINER]
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("sign", SIGNS)
def test_somebody_who_is_given_money_is_an_object(nlp, sign):
    texts = [f"{verb} her {sign} 20 {end} ." for verb in ("They paid", "Give", "It cost") for end in ("", "an hour")]
    wrong = [text for text, form in zip(texts, forms(nlp, texts), strict=True) if form is not Form.ACCUSATIVE]
    assert len(wrong) <= 1, wrong


def test_without_a_parse_money_behind_her_is_given():
    assert likely_form("her", ("€", "20")) is Form.ACCUSATIVE
    assert likely_form("his", ("€", "20")) is Form.DETERMINER
