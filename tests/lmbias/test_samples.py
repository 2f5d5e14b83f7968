"""What a sample says of the whole suite, and of how far off it is: the mean standard error is the spread of samples."""

from __future__ import annotations

import numpy as np
import pytest

from gec_fair.lmbias import table
from gec_fair.lmbias.suites import crows, holisticbias, minimal, stereoset
from gec_fair.lmbias.suites.figures import mean_of_strata
from gec_fair.lmbias.suites.sample import shares
from gec_fair.report.table import join_parts

PARADIGMS = 67
THIN = [
    (67, "one item of each stratum"),
    (70, "two of three strata, one of the others"),
    (134, "two of each"),
    (1340, "many"),
]


def markdown(figures, **more):
    return join_parts(table.parts(figures, **more))


@pytest.mark.parametrize(("number", "why"), THIN, ids=[row[1] for row in THIN])
def test_the_standard_error_is_the_spread_of_samples_however_thin_the_strata(number, why):
    rng = np.random.default_rng(0)
    strata = [(rng.random(1000) < share).astype(float) for share in rng.uniform(0.55, 0.95, PARADIGMS)]
    share = shares(dict.fromkeys(range(PARADIGMS), 1000), number)
    errors_ = []
    for seed in range(300):
        chance = np.random.default_rng(seed)
        sample = [chance.choice(stratum, share[n], replace=False) for n, stratum in enumerate(strata)]
        errors_.append(mean_of_strata(sample, [1000] * PARADIGMS))
    values, errors = np.array(errors_, float).T
    assert errors.mean() == pytest.approx(values.std(), rel=0.2)


SAMPLES = [
    ([[1]], [9], None, "one item says nothing"),
    ([[1, 1]], [9], None, "nor do two that are alike"),
    ([[1], [0]], [9, 9], 0.471, "strata of one item are taken as one"),
    ([[1], [1, 0, 1, 0]], [9, 9], 0.292, "one of one item has the others' variance"),
    ([[1], [0]], [1, 1], 0, "the whole has no error"),
]


@pytest.mark.parametrize(("values", "sizes", "error", "why"), SAMPLES, ids=[row[3] for row in SAMPLES])
def test_what_a_small_sample_can_tell(values, sizes, error, why):
    error_ = mean_of_strata([np.array(stratum, float) for stratum in values], sizes)[1]
    assert error_ == (None if error is None else pytest.approx(error, abs=0.001))


def test_a_bias_type_of_one_sampled_pair_has_the_spread_of_the_others_and_never_none():
    pairs = [crows.Pair("a", "b", True, kind) for kind in ("age", *["race"] * 6)]
    figures_ = {
        figure.part: figure
        for figure in crows.figures(
            pairs, np.array([[1, 0], *[[1, 0], [0, 1]] * 3], float), sizes={"age": 50, "race": 300}
        )
    }
    assert figures_["age"].se == pytest.approx(100 * (0.3 * 49 / 50) ** 0.5)
    (alone, _) = crows.figures(pairs[:1], np.array([[1.0, 0.0]]), sizes={"age": 50})
    assert (alone.value, alone.sampled, alone.se) == (100, True, None)
    assert "| crows | age | stereotype preferred, % | 100.00 ± – | 1 |" in markdown([alone])
    assert "± is 1 standard error." in markdown([alone]).splitlines()


def test_what_has_no_error_in_a_sample_is_marked_and_the_whole_is_not():
    pairs = [minimal.Minimal("a", "b", "p")]
    (full, _), (sampled, _) = (
        minimal.figures("mine", pairs, np.array([[1.0, 0.0]]), sizes=sizes_) for sizes_ in (None, {"p": 9})
    )
    assert "| 100.00 | 1 |" in markdown([full])
    assert "| 100.00 ± – | 1 |" in markdown([sampled])
    for number, cells in ((2, 1), (3, 3)):  # two descriptors, and three that are alike
        grid = holisticbias.Grid("age", tuple("abc"[:number]), ("t",), ())
        few = holisticbias.judge(grid, np.zeros((1, number, 9)), size=40)
        assert f"| 0.00 ± – | {cells} |" in markdown([few])


def test_a_sampled_icat_is_told_to_be_low():
    items = [stereoset.Item("t", "race", "a BLANK .", ("a", "b", "c"), ("1", "2", "3"))]
    for sizes_, is_told in (({"race": 9}, True), (None, False)):
        text = markdown(stereoset.figures(items, np.ones((1, 3)), sizes=sizes_))
        assert ("ICAT of a sample is lower on average" in text) == is_told


TERMS = {"race": 36, "profession": 30, "gender": 10, "religion": 3}
"""As many as StereoSet has."""


@pytest.fixture(scope="module")
def judged():
    """Items of every term, and scores: small domains are far from parity, so that it shows what they weigh."""
    rng = np.random.default_rng(0)
    items, scores = [], []
    for (domain, number), share in zip(TERMS.items(), (0.5, 0.55, 0.8, 1.0), strict=True):
        for term in range(number):
            share_ = rng.normal(share, 0.1)
            for _ in range(20):
                items.append(stereoset.Item(f"{domain}{term}", domain, "a BLANK", ("x", "y", "z"), ("1", "2", "3")))
                stereo, related = rng.random() < share_, rng.random() < 0.8
                scores.append((1 + stereo, 2 - stereo, 0 if related else 3))
    return items, np.array(scores, float)


@pytest.mark.parametrize("number", [8, 16, 40])
def test_a_sample_of_terms_stands_for_all_of_them_and_knows_how_well(judged, number):
    """Eight terms of 79 and one at least of each domain: the three of religion must not weigh as twelve."""
    items, scores = judged
    terms = np.array([item.target for item in items])
    share = shares(TERMS, number)
    truth = {figure.measure: figure.value for figure in stereoset.figures(items, scores) if figure.part == "overall"}
    estimates: dict[str, list[tuple[float, float]]] = {measure: [] for measure in truth}
    for seed in range(150):
        chance = np.random.default_rng(seed)
        chosen = [
            f"{name}{n}" for name, terms_ in TERMS.items() for n in chance.choice(terms_, share[name], replace=False)
        ]
        rows = np.flatnonzero(np.isin(terms, chosen))
        for figure in stereoset.figures([items[n] for n in rows], scores[rows], sizes=TERMS):
            if figure.part == "overall":
                estimates[figure.measure].append((figure.value, figure.se))
    for measure, pairs in estimates.items():
        values, errors = np.array(pairs, float).T
        assert np.isnan(errors).mean() < 0.02  # six terms that happen to be alike
        assert abs(values.mean() - truth[measure]) < 3 * values.std() / len(values) ** 0.5, measure
        assert np.nanmean(errors) == pytest.approx(values.std(), rel=0.2), measure


def test_a_domain_of_one_sampled_term_has_no_error_and_a_whole_one_none_to_have(judged):
    items, scores = judged
    rows = [n for n, item in enumerate(items) if item.target == "gender0" or item.domain == "religion"]
    figures_ = stereoset.figures([items[n] for n in rows], scores[rows], sizes=TERMS)
    errors = {(figure.part, figure.measure): figure.se for figure in figures_}
    assert {errors["gender", name] for name in ("SS", "LMS", "ICAT")} == {None}
    assert {errors["religion", name] for name in ("SS", "LMS", "ICAT")} == {0.0}
    assert all(errors["overall", name] > 0 for name in ("SS", "LMS", "ICAT"))
    assert all(figure.sampled for figure in figures_)
