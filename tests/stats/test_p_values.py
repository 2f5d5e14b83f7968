"""p-values against scipy's tests and against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gec_fair.stats.p_values import of_discordant, of_permutations, of_resamples

RESAMPLES = [
    (np.zeros(99), 1.0, "no difference"),
    (np.ones(99), 2 / 100, "all on one side, and never 0"),
    (np.array([-1.0] * 9 + [1.0] * 90), 20 / 100, "one in eleven on the other side"),
]


@pytest.mark.parametrize(("resampled", "expected", "why"), RESAMPLES, ids=[why for *_, why in RESAMPLES])
def test_a_p_value_of_resamples(resampled, expected, why):
    assert of_resamples(resampled) == pytest.approx(expected)
    assert of_resamples(-resampled) == of_resamples(resampled)


def test_a_p_value_of_permutations_counts_equal_statistics():
    permuted = np.array([0.0, 1.0, 2.0, 2.0 - 1e-12])
    assert of_permutations(2.0, permuted, tolerance=1e-9) == 0.5
    assert of_permutations(2.0, permuted, tolerance=0.0) == 0.25


@settings(deadline=None)  # the first call imports statsmodels
@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemars_exact_test_is_the_binomial_test(first, second):
    theirs = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert of_discordant(first, second) == pytest.approx(theirs)
