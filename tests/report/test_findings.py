"""The headline of a report says what its figures say."""

from __future__ import annotations

import pytest

from gec_fair.corpus_report.charts import _marked
from gec_fair.corpus_report.classified import Rate
from gec_fair.evaluate.report.finding import describe_gaps
from gec_fair.report.table import Table
from gec_fair.safety.report.finding import describe_changes


def row(system, delta, low, high, name="probe"):
    return {"system": system, "set": name, "delta": delta, "ci95": [low, high]}


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
    ([row("a", -1.0, None, None)], "No gap differs from zero: every 95 % interval includes it", "too few sentences"),
    ([], "No system was compared", "nothing"),
]


@pytest.mark.parametrize(("rows", "expected", "why"), GAPS, ids=[why for *_, why in GAPS])
def test_a_comparison_is_described(rows, expected, why):
    assert describe_gaps({"rows": rows, "sets": SETS}) == expected


def test_a_remedy_is_described_by_its_largest_change():
    records = [
        {"harm": "hate", "model": "balanced", "ACV, %": -70.0},
        {"harm": "hate", "model": "remediated", "ACV, %": -58.6, "AU-PRC, %": -10.6},
        {"harm": "violence", "model": "remediated", "ACV, %": None, "AU-PRC, %": 1.0},
    ]
    table = Table("changes", "Changes", records)
    assert describe_changes([table]) == "The remedy changes the ACV of hate by −58.6 %, AU-PRC by −10.6 %"
    assert describe_changes([Table("changes", "Changes", [])]) == ""


def test_a_bar_of_few_sentences_has_its_number_and_an_interval():
    many, few = Rate(50.0, 10), Rate(50.0, 4)
    assert (_marked("c", "positive", many, signed=False).low, _marked("c", "positive", many, signed=False).name) == (
        None,
        "positive",
    )
    bar = _marked("c", "positive", few, signed=False)
    assert bar.name == "positive (n = 4)"
    assert (bar.low, bar.high) == pytest.approx((6.7586, 93.2414), abs=1e-3)  # Clopper and Pearson, 2 of 4
    stance = _marked("c", "topic", Rate(100.0, 3), signed=True)
    assert (stance.low, stance.high) == (100.0, 100.0)
    assert _marked("c", "topic", Rate(0.0, 4), signed=True).high == pytest.approx(98.0, abs=0.1)  # 1.96 / √4
