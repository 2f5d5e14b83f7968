"""Over seeds: the mean, and ± of the kind that was asked for."""

from __future__ import annotations

from statistics import stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gec_fair.errors import UsageError
from gec_fair.stats.estimate import Kind
from gec_fair.stats.seeds import columns, half_width, list_seeds

SEEDS = st.lists(st.floats(0, 100), min_size=2, max_size=10)


@pytest.mark.parametrize("seeds", [0, -1, (), (1, 0, 1), (-1,)])
def test_seeds_that_cannot_be_meant_are_refused(seeds):
    with pytest.raises(UsageError, match=r"seeds (is|has)"):
        list_seeds(seeds)


def test_a_number_of_seeds_counts_from_0():
    assert (list_seeds(3), list_seeds((4, 2))) == ((0, 1, 2), (4, 2))


@settings(deadline=None)  # the first call imports scipy
@given(SEEDS)
def test_students_interval_is_scipys(values):
    if stdev(values) > 1e-9:
        low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert half_width(values, Kind.STUDENT) == pytest.approx((high - low) / 2)


@given(SEEDS)
def test_standard_deviations_are_of_a_sample(values):
    for kind, times in ((Kind.ONE_SD, 1), (Kind.TWO_SD, 2)):
        assert half_width(values, kind) == pytest.approx(times * np.std(values, ddof=1), abs=1e-9)


@pytest.mark.parametrize("kind", [Kind.STUDENT, Kind.TWO_SD, Kind.ONE_SD])
def test_fewer_than_two_seeds_have_no_interval(kind):
    assert half_width([3.0], kind) is None
    assert half_width([], kind) is None


def test_an_interval_that_is_not_over_seeds_is_refused():
    with pytest.raises(ValueError, match="not an interval over seeds"):
        half_width([1.0, 2.0], Kind.BOOTSTRAP)


CELLS = [
    ([1.0, 2.0, 4.0], {"x": 7 / 3, "x_pm": pytest.approx(3.79458, abs=1e-4)}, "several seeds"),
    ([1.0], {"x": 1.0}, "one seed"),
    ([], {"x": None}, "no seed"),
    ([1.0, None], {"x": None}, "a seed without a figure"),
    ([1.0, float("nan")], {"x": None}, "a seed whose figure is not a number"),
]


@pytest.mark.parametrize(("values", "expected", "why"), CELLS, ids=[why for *_, why in CELLS])
def test_cells_of_a_record(values, expected, why):
    assert columns("x", values) == expected
