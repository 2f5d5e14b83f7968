"""Fairlearn's thresholds and its constrained model, trained and judged with ours."""

import csv
import json
import shutil
from dataclasses import dataclass, replace

import numpy as np
import pytest

from gec_fair.errors import InputError, MissingResource, ResumeError, UsageError
from gec_fair.safety.data.examples import UNKNOWN
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.ensemble.model import EnsembleOptions
from gec_fair.safety.remedy import fairlearn_models, one_seed, train
from gec_fair.safety.remedy.options import FairlearnOptions, SafetyTraining
from gec_fair.safety.remedy.splits import read
from gec_fair.safety.remedy.text_groups import NOBODY, OTHERS, TextGroups
from gec_fair.safety.remedy.two_passes import TwoPasses
from gec_fair.safety.report.tables import tables as report_tables
from tests.cli.invoke import run
from tests.safety.test_train import rows, write

BOTH = FairlearnOptions(("thresholds", "constrained"), iterations=8)
THRESHOLDS, CONSTRAINED = "fairlearn thresholds", "fairlearn constrained"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return {
        split: (write(folder / f"{split}.csv", rows(sets, first)),)
        for split, sets, first in (("train", 120, 0), ("validation", 80, 1000), ("test", 80, 2000))
    }


@pytest.fixture(scope="module")
def options(files):
    ensemble = EnsembleOptions(trees=8, depth=4)
    return SafetyTraining(**files, harms=("hate",), ensemble=ensemble, seeds=1, rounds=0, resamples=40, fairlearn=BOTH)


@pytest.fixture(scope="module")
def splits(options):
    return read(options)


@pytest.fixture(scope="module")
def passes(options, splits):
    return TwoPasses(splits.train, splits.validation, splits.subgroups, options.ensemble)


@pytest.fixture(scope="module")
def start(passes):
    return passes.start(("hate",))


@pytest.fixture(scope="module")
def finished(options, tmp_path_factory):
    """The results of a run and its folder, into which no test writes."""
    folder = tmp_path_factory.mktemp("finished")
    return quietly(options, folder), folder


def quietly(options, out):
    return train.run(options, out, say=lambda message: None)


def rates(scores, labels, slices, label):
    """By subgroup the mean score of the texts with a label."""
    return [scores[members][labels[members] == label].mean() for members in slices.values()]


def test_thresholds_make_the_rates_of_groups_equal_where_they_are_chosen(splits, start):
    """On the validation texts equalized odds holds exactly, up to Fairlearn's grid; the baseline is far from it."""
    model = fairlearn_models.fit_thresholds(BOTH, start.baseline, splits.validation, "hate")
    labels = splits.validation.labels["hate"]
    decided = model.scores(splits.validation)
    baseline = (start.baseline.scores(splits.validation.features)["hate"] >= 0.5).astype(float)
    for label in (0, 1):
        before, after = (rates(scores, labels, splits.validation.slices, label) for scores in (baseline, decided))
        assert np.ptp(after) < 0.005 < 0.1 < np.ptp(before)


def test_scores_are_how_often_fairlearn_decides_unsafe(splits, start):
    from fairlearn.postprocessing import ThresholdOptimizer

    model = fairlearn_models.fit_thresholds(BOTH, start.baseline, splits.validation, "hate")
    groups = model.groups.assign(splits.test)
    ready, validation = (start.baseline.inputs.ready(split.features) for split in (splits.test, splits.validation))
    theirs = ThresholdOptimizer(
        estimator=start.baseline.models["hate"],
        constraints="equalized_odds",
        objective="balanced_accuracy_score",
        prefit=True,
        predict_method="predict_proba",
    ).fit(validation, splits.validation.labels["hate"], sensitive_features=model.groups.assign(splits.validation))
    drawn = [theirs.predict(ready, sensitive_features=groups, random_state=n) for n in range(200)]
    assert np.abs(np.mean(drawn, axis=0) - model.scores(splits.test)).max() < 0.12


def test_the_constrained_model_narrows_the_gap_and_needs_no_subgroup_to_predict(splits, passes, start):
    options = replace(BOTH, iterations=20)
    model = fairlearn_models.fit_constrained(options, passes, start, "hate")
    decided = model.scores(splits.test)
    assert np.array_equal(decided, model.scores(replace(splits.test, slices={})))
    labels = splits.test.labels["hate"]
    baseline = (start.baseline.scores(splits.test.features)["hate"] >= 0.5).astype(float)
    for label in (0, 1):
        before, after = (rates(scores, labels, splits.test.slices, label) for scores in (baseline, decided))
        assert np.ptp(after) < 0.6 * np.ptp(before)


def test_thresholds_change_with_whom_a_text_names(splits, start):
    model = fairlearn_models.fit_thresholds(BOTH, start.baseline, splits.validation, "hate")
    slices = dict(zip(splits.test.slices, [*splits.test.slices.values()][::-1], strict=True))
    assert not np.array_equal(model.scores(splits.test), model.scores(replace(splits.test, slices=slices)))


@dataclass
class Learned:
    """What a model of Fairlearn learns from."""

    features: np.ndarray
    labels: np.ndarray
    groups: np.ndarray


def spy(monkeypatch, model):
    """Calls of `fit` of a model of Fairlearn."""
    calls, fit = [], model.fit

    def remember(self, features, labels, *, sensitive_features):
        calls.append(Learned(np.array(features), np.array(labels), np.array(sensitive_features)))
        return fit(self, features, labels, sensitive_features=sensitive_features)

    monkeypatch.setattr(model, "fit", remember)
    return calls


def without_labels(examples, number):
    """The last `number` texts have no known label."""
    labels = examples.labels["hate"].copy()
    labels[-number:] = UNKNOWN
    return replace(examples, labels={"hate": labels})


def test_thresholds_learn_from_the_labelled_validation_texts_alone(splits, start, monkeypatch):
    from fairlearn.postprocessing import ThresholdOptimizer

    validation = without_labels(splits.validation, 30)
    calls = spy(monkeypatch, ThresholdOptimizer)
    model = fairlearn_models.fit_thresholds(BOTH, start.baseline, validation, "hate")
    (call,) = calls
    known = validation.labels["hate"] != UNKNOWN
    assert known.sum() == len(validation) - 30
    assert np.array_equal(call.features, start.baseline.inputs.ready(validation.features)[known])
    assert np.array_equal(call.labels, validation.labels["hate"][known])
    assert np.array_equal(call.groups, model.groups.assign(validation)[known])
    model.scores(splits.test)
    assert len(calls) == 1  # scoring learns nothing


@pytest.mark.parametrize("is_balanced", [True, False], ids=["balanced", "without balance"])
def test_the_constrained_model_learns_from_the_balanced_texts_each_once(splits, passes, monkeypatch, is_balanced):
    from fairlearn.reductions import ExponentiatedGradient

    train_ = without_labels(splits.train, 48)
    passes = replace(passes, train=train_, balance=is_balanced)
    start = passes.start(("hate",))
    calls = spy(monkeypatch, ExponentiatedGradient)
    fairlearn_models.fit_constrained(replace(BOTH, iterations=2, least=3), passes, start, "hate")
    (call,) = calls
    known = train_.labels["hate"] != UNKNOWN
    members = known if is_balanced else known & ~train_.copies
    assert np.array_equal(start.balance["hate"].weights > 0, members)
    assert np.array_equal(call.features, start.balanced.inputs.ready(train_.features)[members])
    assert np.array_equal(call.labels, train_.labels["hate"][members])


def test_the_weights_of_the_balance_do_not_reach_fairlearn(splits, passes, start):
    """The ensemble takes them, Fairlearn's own weights take their place: twice the weight changes nothing."""
    heavier = replace(
        start.balance["hate"], weights=start.balance["hate"].weights * np.linspace(1, 9, len(splits.train))
    )
    weighted = replace(start, balance={"hate": heavier})
    few = replace(BOTH, iterations=3)
    models = [fairlearn_models.fit_constrained(few, passes, begin, "hate") for begin in (start, weighted)]
    assert np.array_equal(*(model.scores(splits.test) for model in models))


def test_neither_method_sees_the_test_texts_before_they_are_judged(options, splits, tmp_path, monkeypatch):
    from fairlearn.postprocessing import ThresholdOptimizer
    from fairlearn.reductions import ExponentiatedGradient

    calls = {model: spy(monkeypatch, model) for model in (ThresholdOptimizer, ExponentiatedGradient)}
    (result,) = quietly(replace(options, fairlearn=replace(BOTH, iterations=3)), tmp_path)
    sizes = {model.__name__: [len(call.labels) for call in learned] for model, learned in calls.items()}
    assert sizes == {"ThresholdOptimizer": [len(splits.validation)], "ExponentiatedGradient": [len(splits.train)]}
    counts = result.harms["hate"].fairlearn
    assert [sum(map(sum, groups.values())) for groups in counts.values()] == [len(splits.validation), len(splits.train)]
    with (tmp_path / "scores-fairlearn-constrained.csv").open() as file:
        assert {row["id"] for row in csv.DictReader(file)} == set(splits.test.ids)


def test_groups_are_counted_among_the_texts_of_the_balanced_data_before_anything_is_trained(options, tmp_path):
    """Without balance the copies teach nothing: a group that has only copies does not count."""
    lines = [row for row in rows(120) if "~Islam" in row[0] or row[3]]  # originals about Islam, and copies
    lines = [row for row in lines if row[3] or row[2] == "Religion: Islam"]
    small = replace(options, train=(write(tmp_path / "train.csv", lines),), balance=False)
    with pytest.raises(InputError, match="the training texts have fewer than two groups"):
        quietly(small, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_both_are_in_the_tables_with_ours(finished):
    results, folder = finished
    by_name = {table.name: table for table in report_tables(results)}
    models = [record["model"] for record in by_name["models"].records]
    assert models == ["baseline", "balanced", "remediated", THRESHOLDS, CONSTRAINED]
    for name in ("changes", "changes-intervals"):
        compared = [record["model"] for record in by_name[name].records if record["harm"] == "hate"]
        assert compared[:4] == models[1:]
    groups = {record["group"] for record in by_name["fairlearn-groups"].records}
    assert groups == {f"Religion: {name}" for name in ("Christianity", "Islam", "Judaism", "Buddhism")}
    with (folder / "scores-fairlearn-thresholds.csv").open() as file:
        table = list(csv.DictReader(file))
    safe = [float(row["score"]) for row in table if (row["subgroup"], row["label"]) == ("Islam", "0")]
    hate = results[0].harms["hate"]
    average = next(
        row
        for row in hate.models[THRESHOLDS]["sliced_averages"]
        if (row["subgroup"], row["truth"]) == ("Islam", "safe")
    )
    assert np.mean(safe) == pytest.approx(average["value"])  # the FPR of the subgroup
    assert hate.models[THRESHOLDS]["gap_safe"] < hate.models["baseline"]["gap_safe"]


@pytest.mark.slow
def test_rerun_and_stopped_runs_end_with_the_same_bytes(options, tmp_path):
    small = replace(options, ensemble=EnsembleOptions(trees=8), fairlearn=replace(BOTH, iterations=3), seeds=2)
    quietly(small, tmp_path / "one")
    quietly(small, tmp_path / "two")
    (tmp_path / "two/seeds/1.json").unlink()
    (tmp_path / "two/scores-fairlearn-constrained.csv").unlink()
    shutil.rmtree(tmp_path / "two/remediated")
    quietly(small, tmp_path / "two")
    names = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")]
    assert {"scores-fairlearn-thresholds.csv", "scores-fairlearn-constrained.csv"} <= set(map(str, names))
    for name in ("seeds/0.json", "seeds/1.json", *(str(name) for name in names if name.suffix == ".csv")):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "function"),
    [(fairlearn_models, "fit_constrained"), (one_seed, "audit_table"), (train, "write_seed")],
    ids=["while it trains", "while scores are written", "before the result is written"],
)
def test_a_run_that_was_killed_ends_with_the_same_bytes(options, finished, tmp_path, monkeypatch, module, function):
    def die(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, function, die)
    with pytest.raises(KeyboardInterrupt):
        quietly(options, tmp_path)
    monkeypatch.undo()
    quietly(options, tmp_path)
    for name in ("seeds/0.json", "scores-fairlearn-thresholds.csv", "scores-fairlearn-constrained.csv"):
        assert (tmp_path / name).read_bytes() == (finished[1] / name).read_bytes()


def test_other_settings_of_fairlearn_are_another_run(options, finished):
    with pytest.raises(ResumeError, match="fairlearn"):
        quietly(replace(options, fairlearn=replace(BOTH, methods=("thresholds",))), finished[1])


@pytest.mark.parametrize(
    "constraint", ["demographic_parity", "true_positive_rate_parity", "false_positive_rate_parity"]
)
def test_every_constraint_is_known_to_both(splits, passes, start, constraint):
    models = fairlearn_models.fit(replace(BOTH, constraint=constraint, iterations=2), passes, start, "hate")
    assert set(models) == {THRESHOLDS, CONSTRAINED}
    for model in models.values():
        assert 0 < model.scores(splits.test).mean() < 1


def named(path, texts):
    """A table whose texts name (subgroups, label), as often as said."""
    lines = [
        (f"t{n}", "", slices, "", label, 0.5, 0.5, 0.5)
        for n, (slices, label) in enumerate(text for text, times in texts for _ in range(times))
    ]
    return write(path, lines)


@pytest.mark.parametrize(
    ("texts", "groups", "rest"),
    [
        ({("Religion: Islam", 5, 5), ("", 9, 9)}, {"Religion: Islam": (5, 5), NOBODY: (9, 9)}, NOBODY),
        (
            {("Religion: Islam", 5, 5), ("Religion: Judaism", 4, 9), ("Religion: Buddhism", 9, 4), ("", 9, 9)},
            {"Religion: Islam": (5, 5), NOBODY: (9, 9), OTHERS: (13, 13)},
            OTHERS,
        ),
        (
            {("Religion: Islam", 5, 5), ("Religion: Judaism", 4, 0), ("", 9, 9)},
            {NOBODY: (9, 9), OTHERS: (9, 5)},
            OTHERS,
        ),
        (
            {("Religion: Islam; Gender Identity: Female", 5, 5), ("Religion: Islam", 6, 6)},
            {"Gender Identity: Female; Religion: Islam": (5, 5), "Religion: Islam": (6, 6)},
            "Religion: Islam",
        ),
    ],
    ids=["all large enough", "small ones together", "the smallest joins those without a label", "two subgroups"],
)
def test_groups_have_enough_texts_of_each_label(options, tmp_path, texts, groups, rest):
    lines = [((slices, label), times) for slices, *numbers in sorted(texts) for label, times in enumerate(numbers)]
    examples = read(replace(options, train=(named(tmp_path / "train.csv", lines),))).train
    learned = TextGroups.learn(examples, "hate", np.arange(len(examples)), 5)
    assert (learned.counts, learned.rest) == (groups, rest)
    strange = replace(examples, slices={Slice("Religion", "Hinduism"): np.arange(len(examples))})
    assert set(learned.assign(strange)) == {rest}


def test_one_group_alone_is_refused_before_anything_is_trained(options, tmp_path):
    with pytest.raises(InputError, match="the training texts have fewer than two groups with 500 safe and 500 unsafe"):
        quietly(replace(options, fairlearn=replace(BOTH, least=500)), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_the_extra_the_message_names_it(options, tmp_path, monkeypatch):
    from gec_fair import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(MissingResource, match=r"gec-fair\[fairlearn\]"):
        quietly(options, tmp_path / "out")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"methods": ("thresholds", "thresholds")}, "names one twice"),
        ({"violation": 0.0}, "violation is 0.0"),
        ({"iterations": 0}, "iterations is 0"),
        ({"least": 0}, "least is 0"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(values, message):
    with pytest.raises(UsageError, match=message):
        FairlearnOptions(**values)


@pytest.mark.slow
def test_as_a_user_calls_it(files, tmp_path):
    changes = [f"{split}=[{paths[0]}]" for split, paths in files.items()]
    changes += ["ensemble.trees=8", "seeds=1", "rounds=0", "resamples=20", "fairlearn.iterations=3"]
    words = [word for change in changes for word in ("--set", change)]
    method = ("--set", "fairlearn.methods=[thresholds,constrained]")
    done = run("safety", "train", "training/safety.yaml", *words, *method, "-o", tmp_path / "out")
    assert done.code == 0, done.stderr
    assert "| hate | fairlearn constrained |" in done.stdout
    assert "The groups of texts that Fairlearn" in (tmp_path / "out/report.html").read_text()
    scores = tmp_path / "out/scores-fairlearn-constrained.csv"
    done = run("safety", "audit", scores, "--against", tmp_path / "out/scores-baseline.csv", "--json")
    report = json.loads(done.stdout)
    record = json.loads((tmp_path / "out/seeds/0.json").read_text())["harms"]["hate"]
    assert report["acv"] == pytest.approx(record["models"][CONSTRAINED]["acv"])
    done = run("safety", "train", "training/safety.yaml", *words, "--set", "fairlearn.methods=[both]", "-o", tmp_path)
    assert done.code == 2
    assert "fairlearn.methods" in done.stderr
