"""Composites, Pearson and canonical correlation: closed forms, scikit-learn's, and what chance gives."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cross_decomposition import CCA

from gec_fair.errors import InputError
from gec_fair.lmbias.agreement import canonical, pearson
from gec_fair.lmbias.composite import BIAS, PERFORMANCE, composite
from gec_fair.lmbias.suites.figures import Figure


def accuracy(suite, value, part="mean of 5 paradigms"):
    return Figure(suite, part, "accuracy, %", value, 100)


def test_composites_are_means_of_those_that_were_run_and_say_which():
    figures = [
        accuracy("blimp_fast_babylm", 70.0),
        accuracy("blimp_fast_babylm", 99.0, "over pairs"),
        accuracy("blimp_supplement_fast", 60.0),
        Figure("crows", "all", "stereotype preferred, %", 58.0, 1508),
        Figure("crows", "gender", "stereotype preferred, %", 90.0, 262),
        Figure("stereoset", "overall", "SS", 54.0, 2),
        Figure("stereoset", "overall", "LMS", 80.0, 2),
    ]
    scores = composite(figures)
    assert (scores.performance, scores.bias) == (65.0, 56.0)
    assert scores.list_parts(PERFORMANCE) == "BLiMP, BLiMP supplement"
    assert scores.list_parts(BIAS) == "CrowS-Pairs, StereoSet"
    assert composite([figure.as_json() for figure in figures]) == scores
    assert composite([*figures, accuracy("my-EWoK", 50.0)]).performance == 60.0
    assert (composite([]).performance, composite([]).bias) == (None, None)


NAMES = [
    ("blimp_filtered_babylm", "BLiMP", "a public suite"),
    ("my-BLiMP", "BLiMP", "a folder that says so"),
    ("supplement_filtered", "BLiMP supplement", "BabyLM's name of the folder"),
    ("blimp_supplement", "BLiMP supplement", "the supplement before BLiMP"),
    ("ewok_fast", "EWoK", "EWoK's own folder"),
    ("entity_tracking", None, "the paper's performance leaves it out"),
    ("pronouns", None, "a folder or a plug-in of another name"),
]


@pytest.mark.parametrize(("suite", "part", "why"), NAMES, ids=[row[2] for row in NAMES])
def test_a_suite_of_minimal_pairs_counts_by_its_name(suite, part, why):
    assert composite([accuracy(suite, 70.0)]).parts == ({part: 70.0} if part else {})


def test_pearson_has_its_interval_and_none_where_there_is_nothing_to_tell():
    one = np.array([1.0, 2.0, 3.0, 5.0, 4.0])
    rho = pearson(one, 2 * one + 1)
    assert rho.value == pytest.approx(1.0)
    assert pearson(one[:3], one[:3]).value is None
    assert pearson(np.ones(5), one).value is None
    noisy = pearson(one, np.array([1.0, 3.0, 2.0, 5.0, 5.0]))
    assert noisy.low < noisy.value < noisy.high


@pytest.mark.parametrize("seed", range(4))
def test_the_first_canonical_correlation_is_sklearns(seed):
    draw = np.random.default_rng(seed)
    one = draw.normal(size=(7, 2))
    second = one @ draw.normal(size=(2, 2)) + draw.normal(size=(7, 2))
    left, right = CCA(1, max_iter=20_000, tol=1e-12).fit_transform(one, second)
    theirs = np.corrcoef(left[:, 0], right[:, 0])[0, 1]
    assert canonical(one, second).rho == pytest.approx(theirs, abs=1e-6)


def test_eight_methods_of_two_models_agree_by_chance_as_often_as_the_p_says():
    draw = np.random.default_rng(0)
    results = [canonical(draw.normal(size=(6, 2)), draw.normal(size=(6, 2))) for _ in range(60)]  # 720 orders each
    assert 0.3 < np.mean([result.p for result in results]) < 0.7  # uniform
    one = draw.normal(size=(8, 2))
    eight = canonical(one, draw.normal(size=(8, 2)))
    assert (round(eight.chance[0], 1), 0.85 < eight.chance[1] < 0.97) == (0.7, True)
    same = canonical(one, one @ np.array([[2.0, 1.0], [0.0, 1.0]]))
    assert same.rho == pytest.approx(1.0)
    assert same.p == pytest.approx(
        29 / 40_320
    )  # this order, and the 28 that swap two rows: some direction is theirs too
    with pytest.raises(InputError, match="at least two methods more"):
        canonical(one[:3], one[:3])
