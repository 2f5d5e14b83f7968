"""A number becomes another one in the same form, near in size; what is not a quantity stays."""

from __future__ import annotations

import re
from random import Random

import pytest

from gec_fair.razor.baselines.crossaug import numbers
from gec_fair.razor.baselines.numbers import draw, ordinal_suffix, read_numbers, with_another_number

SEEDS = range(60)


def all_of(claim):
    return {with_another_number(claim, Random(seed)) for seed in SEEDS}


FORMS = [
    ("The city has 2,100 bridges.", r"The city has [12],\d\d0 bridges\.", 1_890, 2_310, "thousands keep their comma"),
    ("It sold 1,234,567 copies.", r"It sold 1,\d{3},\d{3} copies\.", 1_111_111, 1_358_024, "two commas"),
    ("She earned $5.50 an hour.", r"She earned \$\d\.\d\d an hour\.", 4.95, 6.05, "currency and two decimals"),
    ("It made €9 million.", r"It made €\d+ million\.", 6, 12, "a sign before, a word behind"),
    ("It grew by 7.5% in May.", r"It grew by \d\.\d% in May\.", 6.8, 8.2, "a share with a decimal"),
    ("About 98% agreed.", r"About \d+% agreed\.", 88, 100, "a share of a hundred"),
    ("It began in the 21st century.", r"It began in the \d\d(st|nd|rd|th) century\.", 18, 24, "an ordinal's ending"),
    ("He was born in 1998.", r"He was born in \d{4}\.", 1988, 2008, "a year moves by ten at most"),
    ("They toured in the 1990s.", r"They toured in the \d{3}0s\.", 1960, 2020, "a decade stays one"),
    ("She died on May 28, 1901.", r"She died on May \d+, \d{4}\.", 1, 28, "a day that the month has"),
    ("It is a 5km run.", r"It is an? \d+km run\.", 2, 8, "a unit without a space"),
    ("It has 300 seats.", r"It has \d\d0 seats\.", 270, 330, "one zero stays, and the number near"),
    ("It has 2 doors.", r"It has [2-9] doors\.", 3, 5, "two things never become one"),
    ("He won 10 medals.", r"He won \d+ medals\.", 7, 13, "three at least may be added"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "form", "least", "most", "why"), FORMS, ids=[row[4] for row in FORMS])
def test_a_number_keeps_its_form_and_stays_near(claim, form, least, most, why):
    negatives = all_of(claim)
    assert len(negatives) > 2
    assert claim not in negatives
    for negative in negatives:
        assert re.fullmatch(form, negative), negative
        old, new = (re.findall(r"\d[\d,]*(?:\.\d+)?", text) for text in (claim, negative))
        (changed,) = [b for a, b in zip(old, new, strict=True) if a != b]
        assert least <= float(changed.replace(",", "").rstrip(".")) <= most or "May" in claim, negative


AGREEMENT = [
    ("It has 1 bridge.", r"It has [234] bridges\.", "the noun"),
    ("Only 1 bridge was built.", r"Only [234] bridges were built\.", "and its verb"),
    ("An 8-year lease ended.", r"An? \d+-year lease ended\.", "the article"),
    ("He ran an 11 mile race.", r"He ran an? \d+ mile race\.", "the article in the middle"),
]


@pytest.mark.parametrize(("claim", "form", "why"), AGREEMENT, ids=[row[2] for row in AGREEMENT])
def test_what_stands_beside_it_agrees(claim, form, why):
    negatives = all_of(claim)
    for negative in negatives:
        assert re.fullmatch(form, negative), negative
        assert not re.search(r"\b[Aa] (8|11|18)\b|\b[Aa]n (4|5|6|7|9|10|12|13|14)\b", negative), negative


STAYS = [
    ("It began at 8:30.", "a time"),
    ("They won 3-2.", "a score"),
    ("He ruled 1815–1830.", "a range"),
    ("It runs on version 2.0.1.", "a version"),
    ("He flew an F-16.", "a name"),
    ("The B52s played.", "a name without a hyphen"),
    ("Agent 007 came back.", "a zero before it"),
    ("It has 1 big bridge.", "one of something, with a word between"),
    ("Rome is old.", "no number"),
]


@pytest.mark.parametrize(("claim", "why"), STAYS, ids=[row[1] for row in STAYS])
def test_no_quantity(claim, why):
    assert all_of(claim) == {None}


def test_ordinals():
    assert [f"{n}{ordinal_suffix(n)}" for n in (1, 2, 3, 4, 11, 12, 13, 21, 111, 122)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "122nd",
    ]  # fmt: skip


def test_every_number_draws_another_one():
    for value in range(2, 3000):
        claim = f"It has {value} parts."
        (number,) = read_numbers(claim)
        for seed in range(3):
            new = draw(number, claim, Random(f"{seed} {value}"))
            assert new != value
            assert new >= 2
            assert abs(new - value) <= max(value / 10, 10)


def test_the_seed_decides():
    claims = ["It has 2,100 bridges.", "He was born in 1998."]
    assert numbers(1)(claims) == numbers(1)(claims)
    assert any(numbers(seed)(claims) != numbers(1)(claims) for seed in range(2, 9))


def test_a_large_number_draws_at_once():
    new = with_another_number("It grossed $2,787,965,087 worldwide .", Random(0))
    assert new is not None
    value = int(new.split("$")[1].split()[0].replace(",", ""))
    assert 2_500_000_000 < value < 3_100_000_000
