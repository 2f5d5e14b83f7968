"""A number becomes another one in the same form, near in size; what is not a quantity stays."""

from __future__ import annotations

import re

import pytest

from gec_fair.razor.baselines.crossaug import numbers

SEEDS = range(60)


def all_of(claim):
    return {numbers(seed)([claim])[0] for seed in SEEDS}


FORMS = [
    ("The city has 2,100 bridges.", r"The city has [12],\d\d0 bridges\.", 1_890, 2_310, "thousands keep their comma"),
    ("It sold 1,234,567 copies.", r"It sold 1,\d{3},\d{3} copies\.", 1_111_111, 1_358_024, "two commas"),
    ("She earned $5.50 an hour.", r"She earned \$\d\.\d\d an hour\.", 4.95, 6.05, "currency and two decimals"),
    ("It made €9 million.", r"It made €\d+ million\.", 6, 12, "a sign before, a word behind"),
    ("It grew by 7.5% in May.", r"It grew by \d\.\d% in May\.", 6.8, 8.2, "a share with a decimal"),
    ("About 98% agreed.", r"About \d+% agreed\.", 89, 100, "a share of a hundred"),
    ("It began in the 21st century.", r"It began in the \d\d(st|nd|rd|th) century\.", 18, 24, "an ordinal's ending"),
    ("He was born in 1998.", r"He was born in \d{4}\.", 1988, 2008, "a year moves by ten at most"),
    ("She died on May 28, 1901.", r"She died on May \d+, \d{4}\.", 25, 1911, "a day that the month has"),
    ("She died on April 30.", r"She died on April \d+\.", 27, 30, "the last day of a month"),
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
        assert least <= float(changed.replace(",", "").rstrip(".")) <= most, negative
        if "May" in claim:
            assert int(re.search(r"\d+", negative)[0]) not in (29, 30, 31, 32), negative


STAYS = [
    ("It began at 8:30.", "a time"),
    ("They won 3-2.", "a score"),
    ("He ruled 1815–1830.", "a range"),
    ("It runs on version 2.0.1.", "a version"),
    ("He flew an F-16.", "a name"),
    ("The B52s played.", "a name without a hyphen"),
    ("They toured in the 1990s.", "a decade"),
    ("It is 5km long.", "a unit without a space"),
    ("An 8-year lease ended.", "an article, which would have to agree"),
    ("He ran a 7 mile race.", "an article within the claim"),
    ("Agent 007 came back.", "a zero before it"),
    ("It has 1 bridge.", "one of something, whose noun would have to agree"),
    ("Rome is old.", "no number"),
]


@pytest.mark.parametrize(("claim", "why"), STAYS, ids=[row[1] for row in STAYS])
def test_no_quantity(claim, why):
    assert all_of(claim) == {None}


def test_ordinals_have_their_endings():
    endings = {"1": "st", "2": "nd", "3": "rd"}
    for value in range(1, 130):
        for seed in range(5):
            digits, ending = re.search(r"(\d+)([a-z]+)", numbers(seed)([f"The {value}th came."])[0]).groups()
            assert int(digits) >= 1
            assert ending == ("th" if digits[-2:] in ("11", "12", "13") else endings.get(digits[-1], "th")), digits


def test_every_number_draws_another_one():
    for value in range(2, 3000):
        for seed in range(3):
            new = int(re.search(r"\d+", numbers(seed)([f"It has {value} parts."])[0])[0])
            assert new != value
            assert new >= 2
            assert abs(new - value) <= max(value / 10, 10)


def test_the_seed_decides():
    claims = ["It has 2,100 bridges.", "He was born in 1998."]
    assert numbers(1)(claims) == numbers(1)(claims)
    assert any(numbers(seed)(claims) != numbers(1)(claims) for seed in range(2, 9))


def test_a_large_number_stays_near():
    (new,) = numbers()(["It grossed $2,787,965,087 worldwide ."])
    value = int(new.split("$")[1].split()[0].replace(",", ""))
    assert 2_500_000_000 < value < 3_100_000_000
