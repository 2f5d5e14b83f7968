"""AUCs and token gaps by subgroup, against scikit-learn and against the formulas written out."""

import json
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gec_fair as gf
from gec_fair.safety.auditing.bootstrap import draw
from gec_fair.safety.auditing.subgroup_bias import measure_subgroups
from gec_fair.safety.auditing.token_gaps import EVERYONE
from gec_fair.safety.data import scores as data_scores
from gec_fair.safety.data.groups import Slice, read_shipped
from tests.cli.invoke import run
from tests.safety.tables import RELIGIONS, rows, write

COLUMNS = ("id", "set_id", "category", "subgroup", "harm", "label", "score")


def read(path, lines, columns=COLUMNS):
    (harm,) = data_scores.read(write(path, lines, columns), read_shipped())
    return harm


def bias_of(tmp_path, lines, **options):
    columns = ("set_id", "category", "subgroup", "harm", "label", "score")
    harm = read(tmp_path / "scores.csv", lines, columns)
    return measure_subgroups(draw(harm, by_subgroup=True, **{"resamples": 50, **options}))


def roc(labels, scores):
    """Scikit-learn's area; None where a side is empty."""
    from sklearn.metrics import roc_auc_score

    return roc_auc_score(labels, scores) if 0 < sum(labels) < len(labels) else None


def areas_of(harm, slice_):
    """The three areas once more: subsets by lists of texts, each measured by scikit-learn."""
    inside = set(harm.slices[slice_].tolist())
    texts = range(len(harm.scores))
    subsets = (
        [n for n in texts if n in inside],
        [n for n in texts if (n in inside) != harm.labels[n]],
        [n for n in texts if (n in inside) == harm.labels[n]],
    )
    return [roc(harm.labels[subset].tolist(), harm.scores[subset].tolist()) for subset in subsets]


score = st.integers(0, 8).map(lambda n: n / 8)  # many ties
line = st.tuples(st.integers(0, 5), st.sets(st.integers(0, 2), max_size=2), st.integers(0, 1), score)


def lines_of(texts):
    """A row for each subgroup of a text, one without where it names nobody; set 0 stands for no set."""
    for n, (set_, names, label, score_) in enumerate(texts):
        for name in sorted(names) or [None]:
            whom = ("Religion", RELIGIONS[name]) if name is not None else ("", "")
            yield (f"t{n}", f"s{set_}" if set_ else "", *whom, "hate", label, score_)


@given(st.lists(line, min_size=2, max_size=40))
@settings(max_examples=60, deadline=None)
def test_areas_are_those_of_scikit_learn_on_the_subsets(tmp_path_factory, texts):
    harm = read(tmp_path_factory.mktemp("scores") / "scores.csv", lines_of(texts))
    bias = measure_subgroups(draw(harm, resamples=2, by_subgroup=True))
    assert [auc.slice for auc in bias.aucs] == list(harm.slices)
    for auc in bias.aucs:
        for figure, wanted in zip(auc.figures.values(), areas_of(harm, auc.slice), strict=True):
            assert figure.estimate.value == (None if wanted is None else pytest.approx(wanted))
            assert bool(figure.reason) == (wanted is None)


def test_drawn_areas_are_those_of_the_drawn_texts(tmp_path):
    lines = [(f"t{n}", *row[:5], round(row[5], 1)) for n, row in enumerate(rows(30, swing=0.3))]
    harm = read(tmp_path / "scores.csv", lines)
    drawn = draw(harm, resamples=6, seed=3, by_subgroup=True)
    from gec_fair.stats.bootstrap import weights

    (block,) = weights(harm.set_count, resamples=6, seed=3)
    for n, times in enumerate(block, 1):
        copies = np.repeat(np.arange(len(harm.scores)), times[harm.sets].astype(int))
        places = {slice_: np.flatnonzero(np.isin(copies, members)) for slice_, members in harm.slices.items()}
        sample = data_scores.Scored(
            "hate", harm.ids, harm.sets[copies], (), harm.labels[copies], harm.scores[copies], places
        )
        for slice_, areas in drawn.areas.items():
            assert areas[:, n].tolist() == pytest.approx(areas_of(sample, slice_))


def test_which_area_falls_says_what_is_wrong(tmp_path):
    """Safe texts about Islam score as high as unsafe ones; unsafe texts about Judaism as low as safe ones."""
    scores = {"Christianity": (0.2, 0.8), "Islam": (0.8, 0.9), "Judaism": (0.1, 0.2)}
    lines = [
        (f"s{n}~{label}", "Religion", name, "hate", label, pair[label] + n / 1000)
        for n in range(20)
        for label in (0, 1)
        for name, pair in scores.items()
    ]
    bias = {auc.slice.name: auc for auc in bias_of(tmp_path, lines).aucs}
    values = {name: [figure.estimate.value for figure in auc.figures.values()] for name, auc in bias.items()}
    assert [round(value, 2) for value in values["Islam"]] == [1, 0.25, 1]
    assert [round(value, 2) for value in values["Judaism"]] == [1, 1, 0.25]
    assert bias["Islam"].figures["BPSN AUC"].estimate.low <= 0.25 <= bias["Islam"].figures["BPSN AUC"].estimate.high


@pytest.mark.parametrize(
    ("lines", "reasons"),
    [
        (
            [("Islam", 0), ("Judaism", 1), ("Judaism", 0)],
            ("no unsafe text names it", "", "no unsafe text names it"),
        ),
        (
            [("Islam", 1), ("Judaism", 1), ("Judaism", 0)],
            ("no safe text names it", "no safe text names it", ""),
        ),
        (
            [("Islam", 0), ("Islam", 1)],
            ("", "no unsafe text is without it", "no safe text is without it"),
        ),
        (
            [("Islam", 0), ("Judaism", 0)],
            ("no unsafe text names it", "no unsafe text is without it", "no unsafe text names it"),
        ),
    ],
    ids=["without unsafe texts", "without safe texts", "nobody else", "no unsafe text at all"],
)
def test_an_undefined_area_is_none_and_says_why(tmp_path, lines, reasons):
    bias = bias_of(tmp_path, [(f"s{n}", "Religion", *line[:1], "hate", line[1], 0.5) for n, line in enumerate(lines)])
    figures = tuple(bias.aucs[0].figures.values())
    assert tuple(figure.reason for figure in figures) == reasons
    for figure in figures:
        assert (figure.estimate.value is not None, figure.estimate.low) == (not figure.reason, None)


def test_token_gaps_are_distances_to_the_counterfactuals(tmp_path):
    bias = bias_of(
        tmp_path,
        [
            ("a", "Religion", "Islam", "hate", 0, 0.6),
            ("a", "Religion", "Judaism", "hate", 0, 0.2),
            ("a", "Religion", "Buddhism", "hate", 0, 0.1),
            ("b", "Religion", "Islam", "hate", 1, 0.9),
            ("b", "Religion", "Judaism", "hate", 0, 0.7),
            ("c", "Religion", "Christianity", "hate", 0, 0.4),
        ],
    )
    gaps = {(row.slice.name, row.truth): row.gap for row in bias.gaps}
    assert gaps["Islam", "safe"].estimate.value == pytest.approx((0.4 + 0.5) / 2)
    assert gaps["Islam", "all"].estimate.value == pytest.approx((0.45 + 0.2) / 2)
    assert gaps["", "safe"].estimate.value == pytest.approx((0.45 + 0.25 + 0.3) / 3)
    assert (gaps["Islam", "unsafe"].estimate.value, gaps["Islam", "unsafe"].estimate.n) == (None, 0)
    assert gaps["Islam", "unsafe"].reason == "no unsafe text that names it shares a set with one that does not"
    assert gaps["Christianity", "all"].reason == "no text that names it shares a set with one that does not"
    assert gaps["", "unsafe"].reason == "no unsafe text has a counterfactual in its set"


def gaps_of(harm, slice_, rows_):
    """The gap once more, pair by pair."""
    inside = set(range(len(harm.scores))) if slice_ == EVERYONE else set(harm.slices[slice_].tolist())
    distances = {}
    for one, twin in combinations(rows_, 2):
        for text, counterfactual in ((one, twin), (twin, one)):
            apart = slice_ == EVERYONE or counterfactual not in inside
            if harm.sets[one] == harm.sets[twin] and text in inside and apart:
                distances.setdefault(text, []).append(abs(harm.scores[text] - harm.scores[counterfactual]))
    return fmean(map(fmean, distances.values())) if distances else None


@given(st.lists(line, min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_token_gaps_agree_with_the_formula(tmp_path_factory, texts):
    harm = read(tmp_path_factory.mktemp("scores") / "scores.csv", lines_of(texts))
    wanted_rows = {
        "all": range(len(harm.scores)),
        "safe": np.flatnonzero(~harm.labels).tolist(),
        "unsafe": np.flatnonzero(harm.labels).tolist(),
    }
    for row in measure_subgroups(draw(harm, resamples=2, by_subgroup=True)).gaps:
        wanted = gaps_of(harm, row.slice, wanted_rows[row.truth])
        assert row.gap.estimate.value == (None if wanted is None else pytest.approx(wanted, abs=1e-12))


def test_equal_scores_have_a_gap_of_exactly_zero(tmp_path):
    lines = [(f"s{n % 7}", "Religion", RELIGIONS[n % 3], "hate", 0, (n % 7) / 9) for n in range(300)]
    gaps = bias_of(tmp_path, lines).gaps
    assert {row.gap.estimate.value for row in gaps if row.truth == "all"} == {0.0}


def test_intervals_come_from_sets_not_from_rows(tmp_path):
    """Each text ten times in its set: the evidence is the same, so that the intervals must not narrow."""
    few = [*rows(60, swing=0.3)]
    one, many = (bias_of(tmp_path, lines, resamples=500) for lines in (few, [row for row in few for _ in range(10)]))
    for auc, repeated in zip(one.aucs, many.aucs, strict=True):
        for name in auc.figures:
            figure, again = auc.figures[name].estimate, repeated.figures[name].estimate
            assert (again.value, again.low, again.high) == pytest.approx((figure.value, figure.low, figure.high))


def test_command_page_and_python_tell_the_same(tmp_path):
    table = write(tmp_path / "scores.csv", [*rows(20), ("x", "Religion", "Buddhism", "hate", 0, 0.3)])
    words = ("safety", "audit", str(table), "--resamples", "40")
    done = run(*words, "-o", str(tmp_path / "out"))
    assert done.code == 0, done.stderr
    assert "subgroup AUC: no unsafe text names it; BNSP AUC: no unsafe text names it" in done.stdout
    page = (tmp_path / "out/report.html").read_text()
    assert "AUC by subgroup" in page
    assert "Counterfactual token fairness gaps" in page
    report = json.loads(run(*words, "--json").stdout)["tables"]
    audited = gf.safety.audit(table, resamples=40)
    assert audited.to_dict()["tables"]["subgroup-auc"] == report["subgroup-auc"]
    (bias,) = audited.result.subgroups
    buddhism = next(auc for auc in bias.aucs if auc.slice == Slice("Religion", "Buddhism"))
    row = next(row for row in report["subgroup-auc"] if row["subgroup"] == "Buddhism")
    assert row["BPSN AUC"] == buddhism.figures["BPSN AUC"].estimate.value
    assert (row["BNSP AUC"], row["BNSP AUC_low"]) == (None, None)
    assert row["undefined"].endswith("BNSP AUC: no unsafe text names it")
    written = json.loads((tmp_path / "out/tables/token-gaps.json").read_text())
    assert written == report["token-gaps"]
