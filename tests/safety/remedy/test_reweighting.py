"""Counterfactual balance and Fair Data Reweighting, by hand and by law."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.errors import UsageError
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.remedy.balance import balance
from gec_fair.safety.remedy.reweighting import Reweighting, reweigh, softmax

ISLAM, JUDAISM, BUDDHISM = (Slice("Religion", name) for name in ("Islam", "Judaism", "Buddhism"))
FEMALE, MALE = (Slice("Gender Identity", name) for name in ("Female", "Male"))


CATEGORIES = [[ISLAM, JUDAISM, BUDDHISM], [FEMALE, MALE]]


def examples(rows):
    """Of (set, slices, copy, label)."""
    slices = {}
    for n, (_, whom, _, _) in enumerate(rows):
        for slice_ in whom:
            slices.setdefault(slice_, []).append(n)
    return Examples(
        tuple(f"t{n}" for n in range(len(rows))),
        tuple(row[0] for row in rows),
        np.array([row[2] for row in rows], dtype=bool),
        {slice_: np.array(members) for slice_, members in slices.items()},
        {"hate": np.array([row[3] for row in rows], dtype=np.int8)},
        np.zeros((len(rows), 1)),
        ("source",),
    )


def balanced(balance_of):
    return balance(
        balance_of, "hate", {category[0].category: [one.name for one in category] for category in CATEGORIES}
    )


def test_a_text_is_joined_by_one_copy_for_every_other_subgroup():
    balance_ = balanced(examples([("a", [ISLAM], False, 1), ("a", [JUDAISM], True, 1), ("a", [BUDDHISM], True, 1)]))
    assert balance_.weights.tolist() == [1, 1, 1]
    assert balance_.uncopied == {}


def test_two_texts_of_a_set_bring_their_copies_each():
    balance_ = balanced(examples([("a", [ISLAM], False, 1), ("a", [JUDAISM], False, 1), ("a", [BUDDHISM], True, 1)]))
    assert balance_.weights.tolist() == [2, 2, 2]  # the Muslim text is the Jewish one's copy, and the other way round


def test_copies_without_their_text_are_left_out_and_texts_without_subgroups_stay():
    balance_ = balanced(examples([("a", [ISLAM], True, 1), ("b", [], False, 0), ("", [], False, 1)]))
    assert balance_.weights.tolist() == [0, 1, 1]


def test_what_has_no_copy_is_told():
    balance_ = balanced(
        examples(
            [
                ("a", [ISLAM], False, 1),
                ("a", [JUDAISM], True, 1),
                ("b", [BUDDHISM], False, 0),
                ("", [JUDAISM], False, 0),
            ]
        )
    )
    assert balance_.uncopied == {BUDDHISM: 2, ISLAM: 2, JUDAISM: 1}


def test_a_subgroup_that_no_text_names_lacks_copies_too():
    balance_ = balanced(examples([("a", [ISLAM], False, 1), ("a", [JUDAISM], True, 1)]))
    assert balance_.uncopied == {BUDDHISM: 1}


def test_a_copy_of_another_label_or_an_unknown_one_is_none():
    balance_ = balanced(
        examples(
            [
                ("a", [ISLAM], False, 1),
                ("a", [JUDAISM], False, 0),
                ("a", [JUDAISM], True, 0),
                ("a", [BUDDHISM], True, -1),
            ]
        )
    )
    assert balance_.weights.tolist() == [1, 1, 0, 0]
    assert balance_.uncopied == {JUDAISM: 1, BUDDHISM: 2, ISLAM: 1}


def test_a_text_of_two_categories_wants_every_pair():
    pairs = [(one, second) for one in (ISLAM, JUDAISM, BUDDHISM) for second in (FEMALE, MALE)]
    balance_ = balanced(examples([("a", pair, n > 0, 1) for n, pair in enumerate(pairs)]))
    assert balance_.weights.tolist() == [1] * 6
    one_by_one = [pairs[0], pairs[2], pairs[4], pairs[1]]  # each category swapped alone
    balance_ = balanced(examples([("a", pair, n > 0, 1) for n, pair in enumerate(one_by_one)]))
    assert balance_.weights.tolist() == [1] * 4
    assert balance_.uncopied == {JUDAISM: 1, BUDDHISM: 1, MALE: 1}


def test_a_text_of_two_subgroups_of_one_category_stays_as_it_is_and_is_told():
    several = [("a", [ISLAM, JUDAISM], False, 1), ("a", [BUDDHISM, JUDAISM], True, 1)]
    balance_ = balanced(examples([*several, *(("b", [slice_], slice_ != ISLAM, 1) for slice_ in CATEGORIES[0])]))
    assert balance_.weights.tolist() == [1, 0, 1, 1, 1]
    assert (balance_.uncopied, balance_.several) == ({}, 1)


whole_sets = st.tuples(st.integers(0, 1), st.sampled_from([[0], [1], [0, 1]]), st.integers(0, 2**6 - 1))
"""A label, the categories that are named, and which of the choices of subgroups are originals."""


@given(st.lists(whole_sets, max_size=8))
@settings(max_examples=200, deadline=None)
def test_where_no_copy_lacks_all_subgroups_have_equally_many_texts_of_each_label(sets):
    rows = [
        (f"s{n}", cell, not originals >> m & 1, label)
        for n, (label, chosen, originals) in enumerate(sets)
        for m, cell in enumerate(product(*(CATEGORIES[category] for category in chosen)))
    ]
    if not rows:
        return
    rows_ = examples(rows)
    balance_ = balanced(rows_)
    assert not balance_.uncopied
    for label in (0, 1):
        for category in CATEGORIES:
            sums = {
                round(
                    balance_.weights[rows_.slices[slice_][rows_.labels["hate"][rows_.slices[slice_]] == label]].sum(), 9
                )
                for slice_ in category
                if slice_ in rows_.slices
            }
            assert len(sums) < 2


def test_softmax_of_five_hundred_is_no_overflow():
    assert softmax(np.array([0.1, 0.9, 0.5]), 500).tolist() == pytest.approx([0, 1, 0])
    assert softmax(np.array([0.1, 0.9]), 0).tolist() == [0.5, 0.5]
    assert softmax(np.array([0.2, 0.4]), 5)[1] == pytest.approx(np.exp(2) / (np.exp(1) + np.exp(2)))


SLICES = {ISLAM: np.array([0, 1, 2]), JUDAISM: np.array([3, 4]), FEMALE: np.array([0, 5])}
UNSAFE = np.array([False, False, True, False, True, True, False])
LOSSES = {"safe": {ISLAM: 0.6, JUDAISM: 0.2, FEMALE: 0.1}, "unsafe": {ISLAM: 0.3, JUDAISM: 0.5, FEMALE: 0.7}}


def test_expected_weights_are_those_of_the_formula():
    options = Reweighting(beta_safe=1, beta_unsafe=2, lambda_safe=0.5, lambda_unsafe=0.25)
    weights_ = reweigh(LOSSES, SLICES, UNSAFE, np.ones(7), options, number=10)
    p = softmax(np.array([0.6, 0.2, 0.1]), 1)
    assert list(weights_.shares["safe"].values()) == pytest.approx(p.tolist())
    assert weights_.weights[1] == pytest.approx(0.5 * 10 * p[0] / 2)  # of the two safe Muslim texts
    assert weights_.weights[0] == pytest.approx(0.5 * 10 * (p[0] / 2 + p[2]))  # in two pools
    q = softmax(np.array([0.3, 0.5, 0.7]), 2)
    assert weights_.weights[[2, 4, 5]].tolist() == pytest.approx((0.25 * 10 * q).tolist())
    assert weights_.weights[6] == 0  # names nobody
    assert weights_.weights.sum() == pytest.approx(10 * 0.75)


def test_draws_are_the_expected_weights_on_average_and_seeded():
    options = Reweighting(beta_safe=1, beta_unsafe=2, lambda_safe=0.5, lambda_unsafe=0.25)
    wanted = reweigh(LOSSES, SLICES, UNSAFE, np.ones(7), options, number=10).weights
    drawn = [
        reweigh(LOSSES, SLICES, UNSAFE, np.ones(7), options, number=10, sample=np.random.default_rng(n)).weights
        for n in (*range(3000), 0)
    ]
    assert np.mean(drawn, axis=0) == pytest.approx(wanted, abs=0.06)
    assert drawn[-1].tolist() == drawn[0].tolist()
    assert drawn[0].sum() == pytest.approx(7.5)


def test_empty_cells_leave_the_softmax_and_are_told():
    losses = {"safe": {ISLAM: 0.6, JUDAISM: None, FEMALE: 0.1}, "unsafe": {}}
    weights = np.array([1.0, 1, 1, 1, 1, 1, 1])
    weights[0] = 0  # the one safe text that names a woman
    weights_ = reweigh(losses, SLICES, UNSAFE, weights, Reweighting(2, 2, 0.5, 0.5), number=6)
    assert weights_.shares["safe"] == {ISLAM: 1.0}
    assert set(weights_.left_out["safe"]) == {JUDAISM, FEMALE}
    assert set(weights_.left_out["unsafe"]) == {ISLAM, JUDAISM, FEMALE}
    assert weights_.weights[[0, 3, 4, 5]].tolist() == [0, 0, 0, 0]
    in_proportion = reweigh(
        losses, SLICES, UNSAFE, weights, Reweighting(2, 2), number=6
    )  # λ of unsafe texts in proportion:
    assert not in_proportion.weights.any()  # weight for safe ones alone would change the share of unsafe weight


def test_by_default_the_share_of_unsafe_weight_stays():
    weights_ = reweigh(LOSSES, SLICES, UNSAFE, np.ones(7), Reweighting(2, 2, lambda_safe=0.8))
    after = 1 + weights_.weights
    assert after[UNSAFE].sum() / after.sum() == pytest.approx(3 / 7)


@pytest.mark.parametrize("name", ["beta_safe", "lambda_unsafe"])
@pytest.mark.parametrize("value", [-1.0, float("inf"), float("nan")])
def test_values_that_cannot_be_meant_are_refused(name, value):
    with pytest.raises(UsageError, match=f"{name} is"):
        Reweighting(**{name: value})


def test_where_no_beta_is_given_a_few_are_tried():
    assert [(candidate.beta_safe, candidate.beta_unsafe) for candidate in Reweighting(beta_unsafe=3).candidates()] == [
        (1, 3),
        (2, 3),
        (5, 3),
    ]
    assert Reweighting(4, 4).candidates() == [Reweighting(4, 4)]
    with pytest.raises(UsageError, match="to be chosen"):
        reweigh(LOSSES, SLICES, UNSAFE, np.ones(7), Reweighting())
