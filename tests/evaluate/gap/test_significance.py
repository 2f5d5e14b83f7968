"""The bootstrap against its slow and obvious version, and against what must hold of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_fair.evaluate.gap.significance import gap
from gec_fair.evaluate.scoring.counts import Counts, total
from gec_fair.evaluate.scoring.resampled import estimate_with_p, f_scores, table
from gec_fair.stats.bootstrap import resample

COUNTS = st.builds(Counts, *[st.integers(0, 4)] * 3)
PAIRS = st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=12)


@given(PAIRS)
def test_vectorised_scores_are_those_of_counts(pairs):
    counts = table([[a for a, _ in pairs], [b for _, b in pairs]])
    assert f_scores(counts.sum(axis=0)).tolist() == [total(a for a, _ in pairs).f(), total(b for _, b in pairs).f()]


@given(PAIRS, st.integers(0, 99))
def test_a_resample_draws_whole_items_as_often_as_there_are(pairs, seed):
    items = len(pairs)
    marked = np.eye(items, dtype=np.int64)[:, :, None].repeat(3, axis=2)  # side k counts item k alone
    drawn = resample(marked, resamples=20, seed=seed)
    assert (drawn.sum(axis=1) == items).all()
    counts = table([[a for a, _ in pairs], [b for _, b in pairs]])
    slow = np.einsum("bi,isk->bsk", drawn[:, :, 0], counts)
    assert (resample(counts, resamples=20, seed=seed) == slow).all(), "the same seed draws the same items"


def test_many_resamples_in_pieces_are_the_same_as_at_once(monkeypatch):
    counts = table([[Counts(n % 3, n % 2, 1) for n in range(50)]])
    table_ = resample(counts, resamples=200)
    monkeypatch.setattr("gec_fair.stats.bootstrap._CELLS", 700)
    assert (resample(counts, resamples=200) == table_).all()


def test_no_difference_is_no_difference():
    same = [Counts(n % 3, n % 2, 1) for n in range(40)]
    estimate = gap(table([same, same]))
    assert (estimate.value, estimate.low, estimate.high, estimate.p) == (0, None, None, 1), "no interval of no width"


def test_nine_sentences_are_too_few_for_an_interval_and_a_p_value():
    orig, aug = [Counts(1, 0, 0), Counts(1, 0, 1)] * 5, [Counts(0, 1, 1), Counts(1, 0, 1)] * 5
    ten, nine = gap(table([orig, aug])), gap(table([orig[:9], aug[:9]]))
    assert None not in (ten.value, ten.low, ten.high, ten.p)
    assert nine.value is not None
    assert (nine.low, nine.high, nine.p) == (None, None, None)


def test_a_large_difference_is_seen_and_its_sign_kept():
    orig, aug = [Counts(3, 0, 1)] * 60, [Counts(1, 1, 3)] * 30 + [Counts(2, 0, 2)] * 30
    estimate = gap(table([orig, aug]))
    assert estimate.low < estimate.value < estimate.high < 0
    assert estimate.p < 0.001
    back = gap(table([aug, orig]))
    assert (back.value, back.p) == (-estimate.value, estimate.p)


def test_the_interval_covers_the_truth_as_often_as_it_says():
    """Twins with the same chance of being found: the true gap is 0, and 95 of 100 intervals hold it, give or take."""
    chance = np.random.default_rng(3)
    held = 0
    for n in range(120):
        sides = chance.binomial(2, 0.4, size=(2, 80))
        orig, aug = ([Counts(int(tp), int(tp) // 2, 2 - int(tp)) for tp in side] for side in sides)
        estimate = gap(table([orig, aug]), resamples=400, seed=n)
        held += estimate.low <= 0 <= estimate.high
    assert 105 <= held <= 120


def test_the_p_value_is_never_zero_and_the_interval_is_of_quantiles():
    estimate_ = estimate_with_p(0.5, np.linspace(0.4, 0.6, 1001), 1001)
    assert estimate_.p == pytest.approx(2 / 1002)
    assert (round(estimate_.low, 3), round(estimate_.high, 3)) == (0.405, 0.595)


def test_sides_of_unequal_length_are_no_twins():
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        table([[Counts()], []])
