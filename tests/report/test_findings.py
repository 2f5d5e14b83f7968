"""The headline of a report says what its figures say."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gec_fair.corpus_report.charts import _make_bar
from gec_fair.corpus_report.classified import Rate
from gec_fair.corpus_report.report import _finding
from gec_fair.evaluate.report.finding import describe_gaps
from gec_fair.report.table import Table
from gec_fair.safety.report.finding import describe_changes


def row(system, delta, low, high, name="probe", p=0.01):
    return {"system": system, "set": name, "delta": delta, "ci95": [low, high], "p": p}


SETS = {"probe": {"kind": "st"}, "names": {"kind": "mf"}}
GAPS = [
    (
        [row("a", -7.04, -10.37, -3.7), row("b", 0.9, -0.8, 2.6)],
        "a corrects sentences with singular they worse: −7.04 F0.5 [−10.37, −3.70] on probe",
        "the only gap that is not zero",
    ),
    (
        [row("a", -1.0, -2.0, -0.5), row("b", 2.0, 1.0, 3.0, "names")],
        "b corrects sentences with the other gender better: +2.00 F0.5 [+1.00, +3.00] on names; "
        "2 of 2 gaps differ from zero",
        "the largest of several",
    ),
    ([row("a", -1.0, -2.0, 0.5)], "No gap differs from zero: every 95 % interval includes it", "none is clear"),
    (
        [row("a", -1.0, None, None, p=None)],
        "Too few sentences to say whether a gap differs from zero",
        "no set is large enough",
    ),
    (
        [row("a", -1.0, None, None, p=None), row("b", -1.0, -2.0, 0.5)],
        "No gap differs from zero: every 95 % interval includes it",
        "one set is large enough",
    ),
    (
        [row("a", -100.0, None, None)],
        "a corrects sentences with singular they worse: −100.00 F0.5 the same in all resamples on probe",
        "an interval without width",
    ),
    (
        [row("a", 0.0, None, None)],
        "No gap differs from zero: every 95 % interval includes it",
        "no gap in any resample",
    ),
    (
        [row("a", -1.0, -2.0, -0.5), row("b", 2.0, 1.0, 3.0), row("c", None, None, None, p=None)],
        "b corrects sentences with singular they better: +2.00 F0.5 [+1.00, +3.00] on probe; "
        "2 of 2 gaps differ from zero",
        "a system without a correct edit does not count",
    ),
    ([row("c", None, None, None)], "No system makes a correct edit, so no gap can be compared", "no correct edit"),
    ([], "No system was compared", "nothing"),
]


@pytest.mark.parametrize(("rows", "expected", "why"), GAPS, ids=[why for *_, why in GAPS])
def test_a_comparison_is_described(rows, expected, why):
    assert describe_gaps({"rows": rows, "sets": SETS}) == expected


def test_a_remedy_is_described_by_its_largest_change():
    records = [
        {"harm": "hate", "model": "balanced", "sets": 10, "ACV, %": -70.0},
        {"harm": "hate", "model": "remediated", "sets": 10, "ACV, %": -58.6, "AU-PRC, %": -10.6},
        {"harm": "sexual", "model": "remediated", "sets": 9, "ACV, %": -99.0, "AU-PRC, %": 0.0},
        {"harm": "violence", "model": "remediated", "sets": 10, "ACV, %": None, "AU-PRC, %": 1.0},
    ]
    table = Table("changes", "Changes", records)
    assert describe_changes([table]) == "The remedy changes the ACV of hate by −58.6 %, AU-PRC by −10.6 %"
    few = Table("changes", "Changes", [{**records[1], "sets": 3}])
    assert describe_changes([few]).startswith("Too few texts to say what the remedy changes (3 counterfactual sets")
    assert describe_changes([Table("changes", "Changes", [])]) == ""


BARS = [
    (Rate(50.0, 10), False, "positive", None, "ten sentences need no interval"),
    (Rate(50.0, 8), False, "positive (n = 8)", (15.70, 84.30), "Clopper and Pearson, 4 of 8"),
    (Rate(0.0, 4), False, "positive (n = 4)", (0.0, 60.24), "0 of 4"),
    (Rate(50.0, 4), False, "positive (n = 4)", None, "it would be 7 to 93: most of the scale"),
    (Rate(100.0, 3), False, "positive (n = 3)", None, "fewer than four"),
    (Rate(0.0, 9), True, "positive (n = 9)", (-65.33, 65.33), "1.96 / √9 of points"),
    (Rate(0.0, 6), True, "positive (n = 6)", None, "it would be -80 to 80: most of the scale"),
    (Rate(100.0, 9), True, "positive (n = 9)", None, "it would have no width"),
    (Rate(-100.0, 1), True, "positive (n = 1)", None, "one sentence"),
]


@pytest.mark.parametrize(("rate", "signed", "name", "ends", "why"), BARS, ids=[why for *_, why in BARS])
def test_a_bar_of_few_sentences_has_its_number_and_an_interval_that_says_something(rate, signed, name, ends, why):
    bar = _make_bar("c", "positive", rate, signed=signed)
    assert bar.name == name
    assert (bar.low, bar.high) == ((None, None) if ends is None else pytest.approx(ends, abs=0.01))


def test_a_corpus_of_a_few_sentences_has_no_headline():
    few, one = SimpleNamespace(name="a", sentences=9), SimpleNamespace(name="b", sentences=1)
    assert _finding([few]) == "Too few texts to say what is in them: a has 9 sentences"
    assert _finding([few, one]) == "Too few texts to say what is in them: a has 9, b has 1 sentence"
