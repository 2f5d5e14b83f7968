"""ACV, sliced averages and their kin, against the formulas written out."""

import csv
from dataclasses import replace
from statistics import fmean, pvariance

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gec_fair as gf
from gec_fair.errors import UsageError
from gec_fair.safety.auditing import bootstrap
from gec_fair.safety.auditing.bootstrap import OVERALL, draw
from gec_fair.safety.auditing.judge import JudgedHarm, compare
from gec_fair.safety.auditing.measures import changes, measure
from gec_fair.safety.data import scores as data_scores
from gec_fair.safety.data.groups import Slice, read_shipped
from tests.safety.tables import rows, write

COLUMNS = ("id", "set_id", "category", "subgroup", "harm", "label", "score")


def read(path):
    return data_scores.read(path, read_shipped())


def one(tmp_path, lines, **options):
    (harm,) = read(write(tmp_path / "scores.csv", lines))
    return measure(draw(harm, **{"resamples": 50, **options}))


def test_acv_is_the_mean_of_the_population_variances_of_sets(tmp_path):
    measured_ = one(
        tmp_path,
        [
            ("a", "Religion", "Islam", "hate", 0, 0.2),
            ("a", "Religion", "Judaism", "hate", 0, 0.4),
            ("b", "Religion", "Islam", "hate", 1, 0.9),
            ("b", "Religion", "Judaism", "hate", 1, 0.9),
            ("c", "Religion", "Islam", "hate", 1, 0.5),
        ],
    )
    overall = measured_.find_consistency(OVERALL, "all")
    assert overall.acv.value == pytest.approx((0.01 + 0) / 2)
    assert overall.acv_normalised.value == pytest.approx(0.005 / pvariance([0.2, 0.4, 0.9, 0.9, 0.5]))
    assert (overall.acv.n, overall.skipped) == (2, 1)
    assert measured_.find_consistency(OVERALL, "safe").acv.value == pytest.approx(0.01)
    assert measured_.find_consistency(OVERALL, "unsafe").acv.value == 0


def test_a_set_may_span_categories_and_is_then_cut_by_them(tmp_path):
    measured_ = one(
        tmp_path,
        [
            ("a", "Religion", "Islam", "hate", 0, 0.0),
            ("a", "Religion", "Judaism", "hate", 0, 0.2),
            ("a", "Gender Identity", "Female", "hate", 0, 1.0),
        ],
    )
    assert measured_.find_consistency(OVERALL, "all").acv.value == pytest.approx(pvariance([0, 0.2, 1]))
    assert measured_.find_consistency("Religion", "all").acv.value == pytest.approx(0.01)
    assert measured_.find_consistency("Gender Identity", "all").acv.figures() == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
    }
    assert measured_.find_consistency("Gender Identity", "all").skipped == 1


def test_sliced_averages_gaps_and_rates(tmp_path):
    measured_ = one(
        tmp_path,
        [
            ("a", "Religion", "Islam", "hate", 0, 0.6),
            ("a", "Religion", "Judaism", "hate", 0, 0.2),
            ("b", "Religion", "Islam", "hate", 0, 0.2),
            ("b", "Religion", "Buddhism", "hate", 0, 0.1),
            ("c", "Religion", "Islam", "hate", 1, 0.9),
        ],
    )
    figures = {
        (slice_.slice.name, slice_.truth): (slice_.average.value, slice_.flagged.value) for slice_ in measured_.slices
    }
    assert figures["Islam", "safe"] == (pytest.approx(0.4), 0.5)
    assert figures["Islam", "unsafe"] == (0.9, 1)
    assert figures["Buddhism", "unsafe"] == (None, None)
    safe, unsafe = measured_.gaps
    assert (safe.highest, safe.lowest, safe.average.value) == ("Islam", "Buddhism", pytest.approx(0.3))
    assert safe.flagged.value == 0.5
    assert unsafe.average.value is None
    assert unsafe.without == ("Judaism", "Buddhism")


def test_flips_are_counted_by_set_at_the_threshold(tmp_path):
    lines = [
        ("a", "Religion", "Islam", "hate", 0, 0.6),
        ("a", "Religion", "Judaism", "hate", 0, 0.5),
        ("b", "Religion", "Islam", "hate", 0, 0.6),
        ("b", "Religion", "Judaism", "hate", 0, 0.4),
    ]
    assert one(tmp_path, lines).find_consistency(OVERALL, "all").flip_rate.value == 0.5
    assert one(tmp_path, lines, threshold=0.55).find_consistency(OVERALL, "all").flip_rate.value == 1


def test_a_text_of_several_slices_counts_once_in_its_set_and_in_each_slice(tmp_path):
    path = write(
        tmp_path / "scores.csv",
        [
            ("t1", "a", "Religion", "Islam", "hate", 0, 0.2),
            ("t1", "a", "Gender Identity", "Female", "hate", 0, 0.2),
            ("t2", "a", "Religion", "Judaism", "hate", 0, 0.4),
        ],
        COLUMNS,
    )
    (harm,) = read(path)
    measured_ = measure(draw(harm, resamples=20))
    assert measured_.texts == 2
    assert measured_.find_consistency(OVERALL, "all").acv.value == pytest.approx(0.01)
    assert {slice_.slice.name: slice_.average.n for slice_ in measured_.slices if slice_.truth == "safe"} == {
        "Islam": 1,
        "Judaism": 1,
        "Female": 1,
    }


def test_a_timid_classifier_has_a_smaller_acv_and_the_same_normalised_one(tmp_path):
    bold = [*rows(swing=0.1)]
    timid = [(*row[:5], round(row[5] / 10, 7)) for row in bold]
    one_, second = (one(tmp_path, lines).find_consistency(OVERALL, "all") for lines in (bold, timid))
    assert second.acv.value == pytest.approx(one_.acv.value / 100, rel=1e-4)
    assert second.acv_normalised.value == pytest.approx(one_.acv_normalised.value, rel=1e-4)


def plainly(path):
    """The measures once more, row by row."""
    with path.open() as file:
        table = list(csv.DictReader(file))
    sets, scores = {}, [float(row["score"]) for row in table]
    for row in table:
        sets.setdefault(row["set_id"], []).append(float(row["score"]))
    variances = [pvariance(group) for group in sets.values() if len(group) > 1]
    acv = fmean(variances) if variances else None
    slices = {}
    for row in table:
        slices.setdefault((row["subgroup"], row["label"]), []).append(float(row["score"]))
    return acv, acv and acv / pvariance(scores), {key: fmean(values) for key, values in slices.items()}


score = st.integers(0, 20).map(lambda n: n / 20)
line = st.tuples(st.integers(0, 6), st.integers(0, 2), st.integers(0, 1), score)


@given(st.lists(line, min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_the_sums_agree_with_the_formulas(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    names = ("Christianity", "Islam", "Judaism")
    write(path, [(f"s{n}", "Religion", names[m], "hate", label, score) for n, m, label, score in lines])
    (harm,) = read(path)
    measured_ = measure(draw(harm, resamples=2))
    acv, normalised, averages = plainly(path)
    overall = measured_.find_consistency(OVERALL, "all")
    assert overall.acv.value == pytest.approx(acv, abs=1e-12)
    if acv:
        assert overall.acv_normalised.value == pytest.approx(normalised, abs=1e-9)
    for slice_ in measured_.slices:
        key = (slice_.slice.name, "1" if slice_.truth == "unsafe" else "0")
        assert slice_.average.value == pytest.approx(averages.get(key), abs=1e-12)


def test_auprc_and_group_rates_are_those_of_scikit_learn_and_fairlearn(tmp_path):
    fairlearn = pytest.importorskip("fairlearn.metrics")
    from sklearn.metrics import average_precision_score

    (harm,) = read(write(tmp_path / "scores.csv", [*rows(60, swing=0.3), *rows(5, seed=1)]))
    measured_ = measure(draw(harm, resamples=5, threshold=0.4))
    assert measured_.auprc.value == pytest.approx(average_precision_score(harm.labels, harm.scores))
    names = np.empty(len(harm.scores), dtype=object)
    for slice_, members in harm.slices.items():
        names[members] = slice_.name
    rates = {"safe": fairlearn.false_positive_rate, "unsafe": fairlearn.true_positive_rate}
    frame = fairlearn.MetricFrame(
        metrics=rates, y_true=harm.labels, y_pred=harm.scores >= 0.4, sensitive_features=names
    )
    for slice_ in measured_.slices:
        assert slice_.flagged.value == pytest.approx(frame.by_group.loc[slice_.slice.name, slice_.truth])
    for gap in measured_.gaps:
        assert gap.flagged.value == pytest.approx(frame.difference()[gap.truth])


def test_drawn_average_precision_is_that_of_the_drawn_texts(tmp_path):
    from sklearn.metrics import average_precision_score

    (harm,) = read(write(tmp_path / "scores.csv", [(*row[:5], round(row[5], 1)) for row in rows(30)]))  # with ties
    chance = np.random.default_rng(0)
    weights = chance.multinomial(30, np.full(30, 1 / 30), size=8).astype(float)
    precision = bootstrap._Ranked(harm).average_precision(weights)
    for drawn, value in zip(weights, precision, strict=True):
        times = drawn[harm.sets].astype(int)
        wanted = average_precision_score(np.repeat(harm.labels, times), np.repeat(harm.scores, times))
        assert value == pytest.approx(wanted)


def test_intervals_come_from_sets_not_from_rows(tmp_path):
    """Each set ten times over its three texts, all alike: rows would make the interval √10 narrower."""
    few = [*rows(40)]
    many = [(*row[:2], row[2], *row[3:]) for row in few for _ in range(10)]
    one_, second = (one(tmp_path, lines, resamples=2000).find_consistency(OVERALL, "all").acv for lines in (few, many))
    assert second.value == pytest.approx(one_.value)
    assert (second.high - second.low) == pytest.approx(one_.high - one_.low)


def test_the_interval_covers_the_truth_about_as_often_as_it_says(tmp_path):
    """ACV of sets of two whose scores differ by u, uniform in [0, 0.4]: E[u²/4] = 0.04/3."""
    chance, hits = np.random.default_rng(3), 0
    for _ in range(120):
        by = chance.uniform(0, 0.4, 60)
        harm = data_scores.Scored(
            "hate",
            tuple(map(str, range(120))),
            np.repeat(np.arange(60), 2),
            tuple(map(str, range(60))),
            np.arange(120) % 4 < 2,
            np.column_stack([0.5 - by / 2, 0.5 + by / 2]).ravel(),
            {Slice("Religion", "Islam"): np.arange(0, 120, 2)},
        )
        acv = measure(draw(harm, resamples=200)).find_consistency(OVERALL, "all").acv
        hits += acv.low <= 0.04 / 3 <= acv.high
    assert 0.86 < hits / 120 <= 0.99


def test_what_changed_is_told_in_percent_of_the_baseline(tmp_path):
    (before,) = read(write(tmp_path / "before.csv", rows(60, swing=0.4)))
    (after,) = read(write(tmp_path / "after.csv", rows(60, swing=0.2)))
    (later,) = data_scores.align([before], [after], read_shipped())
    change = changes(draw(before), draw(later))[0]
    assert change.acv.value == pytest.approx(-75, abs=0.01)
    assert change.acv.low == pytest.approx(-75, abs=0.01)  # the same sets are drawn for both


def test_a_change_of_hardly_any_variance_is_no_percentage(tmp_path):
    (harm,) = read(write(tmp_path / "before.csv", rows(swing=0.001)))
    assert changes(draw(harm), draw(harm))[0].acv.figures() == {"value": None, "low": None, "high": None, "n": 40}


def test_tables_are_aligned_by_id_and_refused_where_they_differ(tmp_path):
    lines = [(str(n), *row) for n, row in enumerate(rows(4))]
    (before,) = read(write(tmp_path / "before.csv", lines, COLUMNS))
    (mixed,) = read(write(tmp_path / "mixed.csv", lines[::-1], COLUMNS))
    (again,) = data_scores.align([before], [mixed], read_shipped())
    assert np.array_equal(again.scores, before.scores)
    flipped = [(*row[:5], 1 - row[5], row[6]) for row in lines]
    with pytest.raises(data_scores.InputError, match="other labels, sets or subgroups"):
        data_scores.align([before], read(write(tmp_path / "other.csv", flipped, COLUMNS)), read_shipped())
    with pytest.raises(data_scores.InputError, match="the same texts"):
        data_scores.align([before], read(write(tmp_path / "less.csv", lines[1:], COLUMNS)), read_shipped())


def test_pooled_harms_keep_their_sets_apart(tmp_path):
    path = write(
        tmp_path / "scores.csv",
        [*rows(5, swing=0.3), *rows(7, harm="violence", swing=0.1), ("", "", "", "violence", 0, 0.3)],
    )
    harms = read(path)
    measured_ = measure(draw(data_scores.pool(harms), resamples=5))
    harm = [measure(draw(harm, resamples=5)).find_consistency(OVERALL, "all").acv for harm in harms]
    assert measured_.find_consistency(OVERALL, "all").acv.value == pytest.approx(
        (5 * harm[0].value + 7 * harm[1].value) / 12
    )
    assert (measured_.sets, measured_.alone, measured_.texts) == (12, 1, 37)


def test_harms_of_one_set_are_one_piece_of_evidence(tmp_path):
    """The same scores for two harms tell nothing more than for one: the overall interval stays as wide."""
    lines = [*rows(40), ("", "", "", "hate", 1, 0.9)]
    (alone,) = read(write(tmp_path / "one.csv", lines))
    both = read(write(tmp_path / "two.csv", [*lines, *((*row[:3], "violence", *row[4:]) for row in lines)]))
    one_, two = (measure(draw(harms_, resamples=3000)) for harms_ in (alone, data_scores.pool(both)))
    for wanted, value in (
        (one_.find_consistency(OVERALL, "all").acv, two.find_consistency(OVERALL, "all").acv),
        (one_.auprc, two.auprc),
    ):
        assert value.value == pytest.approx(wanted.value)
        assert value.high - value.low == pytest.approx(wanted.high - wanted.low, rel=0.08)


def test_few_sets_of_many_harms_are_few(tmp_path):
    lines = [(*row[:3], harm, *row[4:]) for row in rows(4, swing=0.4) for harm in ("a", "b", "c", "d")]
    path = write(tmp_path / "scores.csv", lines)
    pooled = data_scores.pool(read(path))
    measured_ = measure(draw(pooled, resamples=50))
    consistency = measured_.find_consistency(OVERALL, "all")
    assert (consistency.acv.n, consistency.evidence) == (16, 4)
    for figure in (
        consistency.acv,
        consistency.acv_normalised,
        consistency.flip_rate,
        measured_.auprc,
        measured_.false_positives,
    ):
        assert figure.value is not None
        assert figure.low is None
    assert "flips the verdict (4 counterfactual sets)" in gf.safety.audit(str(path)).finding
    assert "too few safe texts" in gf.safety.audit(str(path)).finding


def test_changes_of_few_sets_have_no_interval(tmp_path):
    (harm,) = read(write(tmp_path / "scores.csv", rows(5)))
    drawn = [draw(texts, resamples=50) for texts in (harm, replace(harm, scores=1 - harm.scores))]
    changed = compare(*(JudgedHarm(draws, draws, measure(draws), (0.0, 0.0)) for draws in drawn))
    assert changed["auprc"]["value"] == changed["auprc_counterfactual"]["value"] != 0
    assert {figures["low"] for figures in changed.values()} == {None}


def test_tables_may_call_a_subgroup_by_different_names(tmp_path):
    lines = [(str(n), *row) for n, row in enumerate(rows(4))]
    (before,) = read(write(tmp_path / "before.csv", lines, COLUMNS))
    renamed = [tuple("Muslim" if cell == "Islam" else cell for cell in row) for row in lines]
    (after,) = read(write(tmp_path / "after.csv", renamed, COLUMNS))
    assert Slice("Religion", "Muslim") in after.slices
    (again,) = data_scores.align([before], [after], read_shipped())
    assert again.slices is before.slices


def test_a_draw_without_one_of_the_subgroups_tells_no_largest_gap(tmp_path):
    """One set has the subgroup that stands out: without it the gap is another one, not a smaller sample of it. All
    other draws have the same gap, so that there is no interval."""
    lines = [
        (f"s{n}", "Religion", name, "hate", 0, score)
        for n in range(10)
        for name, score in (("Islam", 0.5), ("Judaism", 0.4))
    ]
    measured_ = one(tmp_path, [*lines, *[("s0", "Religion", "Buddhism", "hate", 0, 0.0)] * 10], resamples=400)
    average = measured_.gaps[0].average
    assert (average.value, average.low, average.high) == (0.5, None, None)


@pytest.mark.parametrize(("sets", "has_interval"), [(9, False), (10, True)], ids=["too few", "enough"])
def test_fewer_than_ten_sets_or_texts_have_no_interval(tmp_path, sets, has_interval):
    lines = [
        (f"s{n}", "Religion", name, "hate", 0, round(score + n / 40, 3))
        for n in range(sets)
        for name, score in (("Islam", 0.3), ("Judaism", 0.4 + n % 3 / 10))
    ]
    measured_ = one(tmp_path, lines, resamples=100)
    figures = [
        measured_.find_consistency("", "all").acv,
        *(slice_.average for slice_ in measured_.slices if slice_.truth == "safe"),
        measured_.gaps[0].average,
    ]
    assert [figure.low is not None for figure in figures] == [has_interval] * len(figures)
    assert (measured_.gaps[0].texts, len(measured_.firm_gaps)) == ((sets, sets), has_interval)
    assert measured_.auprc.low is None  # nothing is unsafe


def test_an_interval_without_width_is_none(tmp_path):
    lines = [(f"s{n}", "Religion", name, "hate", 0, 0.2) for n in range(40) for name in ("Islam", "Judaism")]
    measured_ = one(tmp_path, lines, resamples=50)
    row = measured_.find_consistency("", "all")
    for figure in (row.acv, row.flip_rate, measured_.false_positives, measured_.slices[0].average):
        assert (figure.value is not None, figure.low, figure.high) == (True, None, None)


def test_the_largest_gap_that_is_a_headline_is_between_subgroups_with_texts(tmp_path):
    """Buddhism stands out most, in twenty texts of one set: one piece of evidence."""
    lines = [
        (f"s{n}", "Religion", name, "hate", 0, score)
        for n in range(12)
        for name, score in (("Islam", 0.5 + n / 50), ("Judaism", 0.4))
    ]
    measured_ = one(tmp_path, [*lines, *[("s0", "Religion", "Buddhism", "hate", 0, 0.0)] * 20], resamples=100)
    (gap,) = measured_.firm_gaps
    assert (gap.highest, gap.lowest, gap.texts) == ("Islam", "Judaism", (12, 12))
    assert (measured_.gaps[0].lowest, measured_.gaps[0].texts) == ("Buddhism", (12, 20))
    assert measured_.gaps[0].average.low is None


def test_no_resamples_are_refused(tmp_path):
    (harm,) = read(write(tmp_path / "scores.csv", rows(3)))
    with pytest.raises(UsageError, match="positive number"):
        draw(harm, resamples=0)
