"""`gec-fair safety train`: both passes, told, kept, resumed; traps refused."""

import csv
import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, replace

import numpy as np
import pytest

from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.safety.ensemble import export
from gec_fair.safety.ensemble.model import EnsembleOptions
from gec_fair.safety.remedy import train
from gec_fair.safety.remedy.options import SafetyTraining, Search, Sweeps
from gec_fair.safety.remedy.reweighting import ALONE, Reweighting
from gec_fair.safety.remedy.search import among
from gec_fair.safety.remedy.splits import read
from gec_fair.safety.remedy.two_passes import TwoPasses
from tests.cli.invoke import run
from tests.shared import PINNED

NAMES = ("Christianity", "Islam", "Judaism", "Buddhism")
COLUMNS = ("id", "set_id", "slices", "copy_of", "hate", "biased", "neutral", "noise")


def rows(sets, first=0, seed=0):
    """Sets over four religions; unsafe originals are mostly about Islam and Judaism, safe ones about the others. One
    source is a sign of the label and of those two religions, another of the label alone."""
    chance = np.random.default_rng([seed, first])
    for n in range(first, first + sets):
        label = int(chance.random() < 0.5)
        odds = np.array([1, 6, 6, 1] if label else [6, 1, 1, 6], dtype=float)
        drawn = int(chance.choice(4, p=odds / odds.sum()))
        base = chance.normal(0.3 + 0.2 * label, 0.1)
        fair = chance.normal(0.35 + 0.3 * label, 0.15)
        for m, name in enumerate(NAMES):
            biased = np.clip(base + 0.3 * (m in (1, 2)) + chance.normal(0, 0.02), 0, 1)
            neutral = np.clip(fair + chance.normal(0, 0.02), 0, 1)
            yield (
                f"t{n}~{name}",
                f"t{n}",
                f"Religion: {name}",
                "" if m == drawn else f"t{n}~{NAMES[drawn]}",
                label,
                round(float(biased), 4),
                round(float(neutral), 4),
                round(float(chance.random()), 4),
            )


def write(path, lines, columns=COLUMNS):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *lines])
    return str(path)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return {
        split: (write(folder / f"{split}.csv", rows(sets, first)),)
        for split, sets, first in (("train", 220, 0), ("validation", 80, 1000), ("test", 120, 2000))
    }


@pytest.fixture(scope="module")
def options(tables):
    return SafetyTraining(**tables, harms=("hate",), ensemble=EnsembleOptions(trees=20), seeds=2, resamples=100)


@pytest.fixture(scope="module")
def finished(options, tmp_path_factory):
    """The results of a run and its folder, into which no test writes."""
    folder = tmp_path_factory.mktemp("finished")
    return train.run(options, folder, say=lambda message: None), folder


def test_the_remedy_lowers_acv_and_the_baseline_relied_on_the_biased_source(finished):
    results, folder = finished
    for one in results:
        hate = one.harms["hate"]
        models, changes = hate.models, hate.changes["remediated"]
        assert models["remediated"]["acv_normalised"] < 0.6 * models["baseline"]["acv_normalised"]
        assert changes["acv"]["high"] < 0
        assert changes["auprc_counterfactual"]["value"] > 0
        shares = {
            model: {source["source"]: source["impurity"] for source in hate.contributions[model]}
            for model in ("baseline", "remediated")
        }
        assert shares["remediated"]["biased"] < shares["baseline"]["biased"]
        gaps = {source["source"]: source["gap_safe"] for source in hate.sources}
        assert gaps["biased"] > 0.15 > gaps["neutral"]
    loaded = export.load(folder / "remediated")
    assert loaded.harms == ("hate",)
    with (folder / "scores-remediated.csv").open() as file:
        assert sum(1 for _ in file) == 481
    record = json.loads((folder / "seeds/0.json").read_text())
    assert record == asdict(results[0])


@pytest.mark.slow
def test_rerun_and_stopped_runs_end_with_the_same_bytes(options, finished, tmp_path):
    train.run(options, tmp_path, say=lambda message: None)
    (tmp_path / "seeds/1.json").unlink()
    shutil.rmtree(tmp_path / "remediated")
    train.run(options, tmp_path, say=lambda message: None)
    for name in ("seeds/0.json", "seeds/1.json", "scores-baseline.csv", "remediated/ensemble.skops"):
        assert (tmp_path / name).read_bytes() == (finished[1] / name).read_bytes()


def test_another_run_is_refused(options, finished):
    with pytest.raises(ResumeError, match="other"):
        train.run(replace(options, rounds=1), finished[1])
    with pytest.raises(ResumeError, match="first seed"):
        train.run(replace(options, seeds=(1, 0)), finished[1])


@pytest.mark.slow
def test_sweeps_and_search_are_told(options, tmp_path):
    more = replace(
        options,
        seeds=1,
        rounds=1,
        sweeps=Sweeps(lambda_safe=(0.1, 1.0), beta_unsafe=(1.0, 500.0)),
        search=Search(trials=4, loss=50),
    )
    (result,) = train.run(more, tmp_path, say=lambda message: None)
    sweeps = result.harms["hate"].sweeps
    assert [(sweep["parameter"], sweep["value"]) for sweep in sweeps] == [
        ("lambda_safe", 0.1),
        ("lambda_safe", 1.0),
        ("beta_unsafe", 1.0),
        ("beta_unsafe", 500.0),
    ]
    searched = json.loads((tmp_path / "search.json").read_text())["hate"]
    assert len(searched["trials"]) == 4
    assert {trial["options"]["lambda_unsafe"] for trial in searched["trials"][1:]} == {None}
    assert set(searched["trials"][0]["options"].values()) == {0.0}  # balance alone is tried first
    assert searched["best"]["acv"] == min(trial["acv"] for trial in searched["trials"] if trial["auprc"] >= -50)
    assert result.harms["hate"].reweighting == searched["best"]["options"]


def test_beta_is_chosen_on_validation_where_none_is_given(options, finished):
    (result, _), folder = finished
    searched = json.loads((folder / "search.json").read_text())["hate"]
    alone, *trials = searched["trials"]
    assert set(alone["options"].values()) == {0.0}
    assert [trial["options"]["beta_safe"] for trial in trials] == [1, 2, 5]
    loss = options.search.loss
    assert searched["floor"] == (-loss if alone["auprc"] >= -loss else alone["auprc"] - loss)
    within = [trial for trial in searched["trials"] if trial["auprc"] >= searched["floor"]]
    wanted = min(within, key=lambda entry: entry["acv"])
    assert result.harms["hate"].reweighting == searched["best"]["options"] == wanted["options"]


@pytest.mark.parametrize(
    ("alone", "others", "best", "why"),
    [
        ((-50, -1), [(-60, -1.9), (-70, -2.1)], -60, "the smallest ACV within the bound"),
        ((-50, -1), [(-40, 0), (-45, -1)], -50, "nothing does better than balance alone"),
        ((-50, -10), [(-60, -11.9), (-70, -12.1)], -60, "balance alone is beyond the bound: as much below it"),
    ],
    ids=lambda message: message if isinstance(message, str) else "",
)
def test_hyperparameters_are_chosen_within_a_bound_that_balance_alone_may_move(alone, others, best, why):
    names = {ALONE: alone, **{Reweighting(n, n): score for n, score in enumerate(others, 1)}}
    choice = among(list(names)[1:], names.__getitem__, 2)
    assert (choice.best.acv, choice.trials[0].options) == (best, ALONE)


@pytest.mark.slow
def test_sources_that_lack_scores_are_counted_and_both_models_have_the_same_columns(options, tables, tmp_path):
    """The gaps are in counterfactuals alone: the baseline never sees one, and has a column for them nevertheless."""
    path = tmp_path / "train.csv"
    lines = [(*row[:5], "" if row[3] and row[0].startswith("t1") else row[5], *row[6:]) for row in rows(220)]
    (result,) = train.run(
        replace(options, seeds=1, train=(write(path, lines),)), tmp_path / "out", say=lambda message: None
    )
    assert result.missing == {
        "train": {"biased": sum(line[5] == "" for line in lines)},
        "validation": {},
        "test": {},
    }
    columns = [[item["source"] for item in result] for result in result.harms["hate"].contributions.values()]
    assert columns[0] == columns[1] == ["biased", "neutral", "noise", "biased is missing"]


def test_an_ensemble_tells_what_its_sources_contribute(options, tmp_path):
    small = replace(options, ensemble=replace(options.ensemble, trees=10), seeds=1, rounds=0)
    (result,) = train.run(small, tmp_path, say=lambda message: None)
    shares = result.harms["hate"].contributions["baseline"]
    assert sum(share["impurity"] for share in shares) == pytest.approx(100)
    assert max(shares, key=lambda share: share["impurity"])["source"] != "noise"


def test_a_lambda_in_proportion_is_held_while_the_other_is_varied(options):
    data = read(options)
    passes = TwoPasses(data, options)
    start = passes.start(("hate",))
    held = passes.fix_proportion(start, "hate", Reweighting(1, 1, 0.5))
    unsafe = data.train.labels["hate"] == 1
    weights = start.balance["hate"].weights
    assert held.lambda_unsafe == pytest.approx(0.5 * weights[unsafe].sum() / weights[~unsafe].sum())
    assert passes.fix_proportion(start, "hate", Reweighting(1, 1, 0.5, 0.2)).lambda_unsafe == 0.2


@PINNED
def test_reweighting_that_does_harm_is_warned_of(options, tmp_path):
    heard = []
    wild = replace(options, seeds=1, rounds=1, reweighting=Reweighting(500, 500, 5, 5))
    (result,) = train.run(wild, tmp_path, say=heard.append)
    assert result.harms["hate"].warning in heard
    assert any("worse than balance alone" in message for message in heard)


def test_a_set_in_two_splits_is_a_leak(options, tables, tmp_path):
    leaky = write(tmp_path / "leaky.csv", rows(5, 0, seed=9))
    with pytest.raises(InputError, match="is in train and in validation"):
        train.run(replace(options, validation=(leaky,)), tmp_path / "out")
    copy = ("other", "", "Religion: Islam", "t3~Islam", 1, 0.1, 0.2, 0.3)  # of a training text, under another set
    leaky = write(tmp_path / "copy.csv", [*rows(9, 5000), copy])
    with pytest.raises(InputError, match=r"'t3~Islam' .* is in train and in test"):
        train.run(replace(options, test=(leaky,)), tmp_path / "out")


def test_a_copy_without_a_set_is_of_its_texts(options, tmp_path):
    without = [(row[0], "", *row[2:]) for row in rows(30, 6000)]
    rows_read = read(replace(options, train=(write(tmp_path / "train.csv", without),))).train
    assert len(set(rows_read.sets)) == 30
    assert all(
        len({one.split("~")[0] for one in (name, rows_read.sets[n])}) == 1 for n, name in enumerate(rows_read.ids)
    )


@pytest.mark.slow
def test_training_without_counterfactuals_says_that_balance_changes_nothing(options, tmp_path):
    heard = []
    alone = write(tmp_path / "train.csv", [row for row in rows(220) if not row[3]])
    small = replace(options, train=(alone,), seeds=1, rounds=0)
    train.run(small, tmp_path / "out", say=heard.append)
    assert any("no training text has a counterfactual" in message for message in heard)
    heard.clear()
    part = write(tmp_path / "some.csv", [row for row in rows(220) if not row[3] or "Islam" not in row[2]])
    train.run(replace(small, train=(part,)), tmp_path / "more", say=heard.append)
    warnings = [message for message in heard if "training texts lack copies for Religion: " in message]
    assert len(warnings) == 1


def test_a_damaged_record_of_the_search_is_told(options, finished, tmp_path):
    shutil.copytree(finished[1], tmp_path, dirs_exist_ok=True)
    (tmp_path / "search.json").write_text("{")
    with pytest.raises(ResumeError, match=r"search\.json: not a record written by gec-fair"):
        train.run(options, tmp_path)


@pytest.mark.slow
def test_where_balance_alone_was_chosen_sweeps_are_of_the_settings(options, tmp_path):
    """Without a λ no β does anything."""
    swept = replace(options, seeds=1, rounds=1, reweighting=ALONE, sweeps=Sweeps(beta_unsafe=(1.0, 500.0)))
    (none,) = train.run(swept, tmp_path / "none", say=lambda message: None)
    assert len({sweep["acv"] for sweep in none.harms["hate"].sweeps}) == 1
    chosen = replace(swept, reweighting=Reweighting(), search=Search(loss=0, trials=1))  # balance alone is the trial
    (result,) = train.run(chosen, tmp_path / "some", say=lambda message: None)
    assert result.harms["hate"].reweighting["lambda_safe"] == 0
    assert len({sweep["acv"] for sweep in result.harms["hate"].sweeps}) == 2


def test_a_split_without_one_of_the_labels_is_refused(options, tmp_path):
    safe = write(tmp_path / "safe.csv", [row for row in rows(20, 7000) if row[4] == 0])
    with pytest.raises(InputError, match="validation has no unsafe text for hate"):
        read(replace(options, validation=(safe,)))


@pytest.mark.slow
def test_what_was_removed_of_a_finished_run_is_made_again(options, finished, tmp_path):
    shutil.copytree(finished[1], tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "baseline")
    (tmp_path / "scores-remediated.csv").unlink()
    train.run(options, tmp_path, say=lambda message: None)
    assert (tmp_path / "baseline" / export.SKOPS).exists()
    assert (tmp_path / "scores-remediated.csv").read_bytes() == (finished[1] / "scores-remediated.csv").read_bytes()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("t0", "", "", "", "2", 1, 1, 1), r":2: hate is '2'; expected 0 \(safe\), 1 \(unsafe\) or nothing"),
        (("t0", "", "Religion", "", "1", 1, 1, 1), r":2: slices has 'Religion'; write Category: Subgroup"),
        (("t0", "", "Religion: Isalm", "", "1", 1, 1, 1), r":2: no subgroup of Religion is called 'Isalm'"),
        (("t0", "", "", "", "1", "x", 1, 1), r":2: biased is not a number"),
        (("", "", "", "", "1", 1, 1, 1), r":2: id is ''"),
        (("t0", "", "", "", "1", 1), r":2: has fewer cells than the header"),
    ],
)
def test_a_row_that_cannot_be_meant_is_told_by_its_line(options, tmp_path, row, message):
    with pytest.raises(InputError, match=message):
        read(replace(options, train=(write(tmp_path / "train.csv", [row]),)))


def test_a_column_of_zeros_and_ones_is_no_source_by_default(options, tables, tmp_path):
    """Another harm's labels, most likely: they would be learned from."""
    lines = [(*row, row[4]) for row in rows(10)]
    path = write(tmp_path / "train.csv", lines, (*COLUMNS, "violence"))
    with pytest.raises(InputError, match="violence holds nothing but 0 and 1"):
        read(replace(options, train=(path,)))
    unnamed = write(tmp_path / "unnamed.csv", [(*row, n) for n, row in enumerate(rows(10))], (*COLUMNS, ""))
    with pytest.raises(InputError, match="a column without a name, which would be learned from; name it"):
        read(replace(options, train=(unnamed,)))
    assert read(replace(options, train=(path,), sources=("biased",))).train.sources == ("biased",)
    assert read(replace(options, train=(path,), labels=("violence",))).train.sources == ("biased", "neutral", "noise")


def test_settings_that_cannot_be_meant_are_refused():
    with pytest.raises(UsageError, match="lambda_safe is -1"):
        Sweeps(lambda_safe=(0.1, -1))
    for values, message in (
        ({"harms": ()}, "harms names none"),
        ({"harms": ("a",), "seeds": ()}, "seeds is an empty list"),
        ({"harms": ("a",), "reweighting_of": {"b": Reweighting()}}, "is none of harms"),
    ):
        with pytest.raises(UsageError, match=message):
            SafetyTraining(**values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("reweighting_of={foo: {beta_safe: 1}}", "reweighting_of is for 'foo', which is none of harms"),
        ("reweighting_of={hate: {beta_safe: -1}}", "reweighting_of.hate.beta_safe is -1.0; it must be at least 0"),
        ("reweighting_of={hate: {beta: 1}}", "unknown key reweighting_of.hate.beta"),
        ("sweeps.beta_safe=[1,-1]", "sweeps.beta_safe is -1.0"),
    ],
)
def test_settings_that_cannot_be_meant_are_told_by_their_place(tables, tmp_path, change, message):
    done = run("safety", "train", "training/safety.yaml", "--set", change, "-o", tmp_path / "out")
    assert (done.code, "Traceback" in done.stderr) == (2, False), done.stderr
    assert message in done.stderr


@pytest.mark.slow
def test_as_a_user_calls_it(tables, tmp_path):
    command = [sys.executable, "-m", "gec_fair.cli", "safety"]
    changes = [f"{split}=[{paths[0]}]" for split, paths in tables.items()]
    changes += ["ensemble.trees=20", "seeds=1", "resamples=50", "sweeps.beta_safe=[1,5]", "search.trials=2"]
    words = [word for change in changes for word in ("--set", change)]
    done = subprocess.run(
        [*command, "train", "training/safety.yaml", *words, "-o", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Table 3: Change against the baseline" in done.stdout
    assert {path.stem for path in (tmp_path / "out/figures").iterdir()} == {
        "averages-hate",
        "reliance-hate",
    }
    page = (tmp_path / "out/report.html").read_text()
    content = (tmp_path / "out/tables/betas.md").read_text()
    assert re.search(
        r"\| beta safe +\| 5 +\| +(-?\d+\.\d|too little variance) \| +(-?\d+\.\d|too little variance) "
        r"\| +-?\d+\.\d \| +\d\.\d{3} \|",
        content,
    ), content
    assert "Tables 4 and 5" in page
    assert "Table 8" in page
    # the rest in this process, which has imported all that it takes
    texts = write(tmp_path / "texts.csv", [(row[0], f"hushed {row[0]}") for row in rows(120, 2000)], ("id", "text"))
    done = run(
        "safety",
        "train",
        "training/safety.yaml",
        *words,
        "--set",
        f"texts=[{texts}]",
        "--show-text",
        "-o",
        str(tmp_path / "out"),
    )
    assert done.code == 0, done.stderr
    assert "    hushed t2" in done.stdout
    assert "<blockquote>hushed t2" in (tmp_path / "out/report.html").read_text()
    assert "hushed" not in page
    content = tmp_path / "told.csv"
    done = run("safety", "predict", str(tmp_path / "out/remediated"), tables["test"][0], "-o", str(content))
    assert done.code == 0, done.stderr
    lines = content.read_text().splitlines()
    assert lines[0] == "id,hate"
    assert len(lines) == 481
    again = tmp_path / "again.csv"
    done = run(
        "safety", "predict", str(tmp_path / "out/remediated"), tables["test"][0], "--for-audit", "-o", str(again)
    )
    assert done.code == 0, done.stderr
    assert again.read_bytes() == (tmp_path / "out/scores-remediated.csv").read_bytes()
    table = ("safety", "predict", str(tmp_path / "out/remediated"), tables["test"][0], "--for-audit", "-o", "again.tsv")
    assert "--for-audit writes CSV; give a name that ends with .csv" in run(*table).stderr
    done = run(
        "safety",
        "audit",
        str(tmp_path / "out/scores-remediated.csv"),
        "--against",
        str(tmp_path / "out/scores-baseline.csv"),
        "--json",
    )
    report = json.loads(done.stdout)
    record = json.loads((tmp_path / "out/seeds/0.json").read_text())["harms"]["hate"]
    assert report["acv"] == pytest.approx(record["models"]["remediated"]["acv"])
    (change,) = (row for row in report["tables"]["changes"] if (row["category"], row["truth"]) == ("all", "all"))
    assert change["ΔACV, %"] == pytest.approx(record["changes"]["remediated"]["acv"]["value"])
