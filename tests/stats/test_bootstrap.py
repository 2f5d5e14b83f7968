"""Laws of the bootstrap, and scipy's as its reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import gec_fair
from gec_fair.errors import UsageError
from gec_fair.stats import bootstrap
from gec_fair.stats.bootstrap import draw_seeds, estimate, percentiles, resample, resample_mean, weights
from gec_fair.stats.estimate import Kind
from gec_fair.stats.shares import share

NUMBERS = st.lists(st.integers(-50, 50), min_size=1, max_size=30)


@given(NUMBERS, st.integers(0, 99))
def test_the_interval_holds_the_value_of_symmetric_data(numbers, seed):
    values = np.array([*numbers, *(-number for number in numbers)])
    sums = resample(values, resamples=400, seed=seed)
    estimate_ = estimate(0.0, sums.astype(float), len(values))
    assert estimate_.low is None or estimate_.low <= estimate_.value <= estimate_.high


@given(NUMBERS, st.integers(0, 99))
def test_the_same_seed_gives_the_same_bytes(numbers, seed):
    values = np.array(numbers)
    for draw in (resample, lambda values, **options: resample_mean(values.astype(float), **options)):
        assert draw(values, resamples=30, seed=seed).tobytes() == draw(values, resamples=30, seed=seed).tobytes()


@given(st.integers(-50, 50), st.integers(0, 99))
def test_one_item_is_its_own_resample(number, seed):
    assert set(resample(np.array([number]), resamples=30, seed=seed)) == {number}
    assert set(resample_mean(np.array([float(number)]), resamples=30, seed=seed)) == {number}


def test_no_items_have_sums_of_zero():
    assert resample(np.zeros((0, 2, 3), dtype=np.int64), resamples=5).tolist() == np.zeros((5, 2, 3)).tolist()


def test_no_data_have_no_value_and_no_interval():
    assert estimate(np.nan, np.array([1.0, 2.0]), 0).figures() == {"value": None, "low": None, "high": None, "n": 0}


VAIN = [
    (9, [0.0, 1.0], None, (None, None, None), "fewer than ten items"),
    (10, [0.0, 1.0], None, (0.025, 0.975, 0.5), "ten"),
    (20, [0.0, 1.0], 9, (None, None, None), "fewer than ten on the smaller side"),
    (20, [0.5, 0.5], None, (None, None, 0.5), "resamples that are alike"),
    (20, [np.nan, np.nan], None, (None, None, 0.5), "resamples without data"),
]


@pytest.mark.parametrize(("n", "resampled", "least", "expected", "why"), VAIN, ids=[row[-1] for row in VAIN])
def test_an_interval_and_a_p_value_that_say_nothing_are_left_out(n, resampled, least, expected, why):
    figure = estimate(0.5, np.array(resampled), n, p=0.5, least=least)
    assert (figure.value, figure.low, figure.high, figure.p) == pytest.approx((0.5, *expected))


def test_every_bootstrap_interval_of_the_package_is_made_here():
    package = Path(gec_fair.__file__).parent
    places = {
        path.relative_to(package).as_posix() for path in package.rglob("*.py") if "percentiles(" in path.read_text()
    }
    assert places == {"stats/bootstrap.py", "stats/shares.py"}


def test_resamples_without_data_are_left_out_of_the_interval():
    resampled = np.array([np.nan, *np.linspace(0, 1, 101)])
    assert percentiles(resampled) == pytest.approx((0.025, 0.975))


def test_items_of_a_cluster_are_drawn_together():
    clusters = np.array([0, 0, 1, 2, 2, 2])
    (block,) = weights(3, resamples=50, seed=1, clusters=clusters)
    (by_cluster,) = weights(3, resamples=50, seed=1)
    assert block.shape == (50, 6)
    assert (block == by_cluster[:, clusters]).all()
    assert (by_cluster.sum(axis=1) == 3).all()


def test_blocks_do_not_change_the_draws(monkeypatch):
    values = np.arange(40)
    at_once = resample(values, resamples=300, seed=2), resample_mean(values.astype(float), resamples=300, seed=2)
    monkeypatch.setattr(bootstrap, "_CELLS", 500)
    in_blocks = resample(values, resamples=300, seed=2), resample_mean(values.astype(float), resamples=300, seed=2)
    for one, second in zip(at_once, in_blocks, strict=True):
        assert one.tobytes() == second.tobytes()


def test_the_mean_is_drawn_one_item_at_a_time_as_the_slow_version_does():
    values = np.random.default_rng(0).random(50)
    chance = np.random.Generator(np.random.PCG64(7))
    slow = [values[chance.integers(50, size=50)].mean() for _ in range(100)]
    assert resample_mean(values, resamples=100, seed=7).tolist() == slow


def test_one_seed_is_drawn_always_and_streams_draw_apart():
    figures = np.random.default_rng(0).random((200, 1))
    assert draw_seeds(figures, seed=0).tolist() == figures[:, 0].tolist()
    several = np.random.default_rng(0).random((200, 4))
    first, second = draw_seeds(several, seed=0), draw_seeds(several, seed=0, stream=1)
    assert first.tolist() != second.tolist()
    assert ((several.min(axis=1) <= first) & (first <= several.max(axis=1))).all()


@pytest.mark.parametrize(("resamples", "seed"), [(0, 0), (-1, 0), (10, -1)])
def test_impossible_draws_are_refused(resamples, seed):
    with pytest.raises(UsageError, match="give a positive number, and a seed of 0 or more"):
        weights(3, resamples=resamples, seed=seed)


@pytest.mark.parametrize("n", [30, 200])
def test_the_interval_is_scipys_within_monte_carlo_error(n):
    values = np.random.default_rng(n).integers(0, 10, n)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", random_state=1)
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    for drawn in (resample(values, resamples=20_000) / n, resample_mean(values.astype(float), resamples=20_000)):
        assert percentiles(drawn) == pytest.approx(tuple(theirs.confidence_interval), abs=0.03 * width)


SHARES = [
    (0, 0, None, Kind.BOOTSTRAP, "no items"),
    (0, 22, 0.0, Kind.CLOPPER_PEARSON, "no hits"),
    (22, 22, 100.0, Kind.CLOPPER_PEARSON, "hits alone"),
    (1, 1, 100.0, Kind.CLOPPER_PEARSON, "one item"),
    (5, 20, 25.0, Kind.BOOTSTRAP, "some hits"),
]


@pytest.mark.parametrize(("hits", "n", "value", "kind", "why"), SHARES, ids=[why for *_, why in SHARES])
def test_a_share_names_its_kind(hits, n, value, kind, why):
    estimate_ = share(hits, n, resamples=500)
    assert (estimate_.value, estimate_.n, estimate_.kind) == (value, n, kind)
    assert estimate_.value is None or estimate_.low <= estimate_.value <= estimate_.high


def test_the_interval_of_a_share_is_that_of_its_items():
    drawn = 100 * resample(np.array([1] * 30 + [0] * 70), resamples=20_000) / 100
    estimate_ = share(30, 100, resamples=20_000)
    assert (estimate_.low, estimate_.high) == pytest.approx(percentiles(drawn), abs=1.0)
