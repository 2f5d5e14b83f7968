"""The ensembles: what they learn, that they are the same everywhere, and what is read back."""

import csv
import json
import shutil
import zipfile

import numpy as np
import pytest

from gec_fair.errors import InputError, UsageError
from gec_fair.safety.data.examples import UNKNOWN, Examples
from gec_fair.safety.ensemble import export
from gec_fair.safety.ensemble import model as model_module
from gec_fair.safety.ensemble.model import EnsembleOptions, Inputs, fit
from gec_fair.safety.ensemble.predict import Predicted, predict
from tests.speed import measure_fastest


def make_examples(number=400, *, missing=0.1, seed=0):
    """Three sources: one tells hate, one violence, one nothing."""
    chance = np.random.default_rng(seed)
    features = chance.random((number, 3)) * [1, 1, 30]
    hate = (features[:, 0] + chance.normal(0, 0.2, number) > 0.6).astype(np.int8)
    violence = (features[:, 1] + chance.normal(0, 0.2, number) > 0.6).astype(np.int8)
    features[chance.random(number) < missing, 1] = np.nan
    return Examples(
        tuple(map(str, range(number))),
        tuple(f"s{n // 4}" for n in range(number)),
        np.zeros(number, dtype=bool),
        {},
        {"hate": hate, "violence": violence},
        features,
        ("one", "two", "three"),
    )


def evenly(examples):
    return dict.fromkeys(examples.labels, np.ones(len(examples)))


def test_kept_and_read_back_it_says_the_same(tmp_path):
    learned, second = make_examples(), make_examples(seed=1)
    options = EnsembleOptions(trees=30)
    model = fit(learned, evenly(learned), options)
    export.save(model, options, tmp_path)
    again = export.load(tmp_path)
    scores = model.scores(second.features)
    assert list(scores) == ["hate", "violence"]
    for harm, wanted in scores.items():
        assert np.array_equal(again.scores(second.features)[harm], wanted)
        labels = second.labels[harm]
        assert wanted[labels == 1].mean() > wanted[labels == 0].mean() + 0.2


def test_the_same_seed_gives_the_same_model_and_another_another():
    learned = make_examples()
    first, again, different = (
        fit(learned, evenly(learned), EnsembleOptions(trees=20), seed=seed) for seed in (0, 0, 1)
    )
    scores = [model_.scores(learned.features)["hate"] for model_ in (first, again, different)]
    assert np.array_equal(scores[0], scores[1])
    assert not np.array_equal(scores[0], scores[2])


def test_weights_count_as_copies_do(monkeypatch):
    """By a model without bootstrap noise: logistic regression of doubled rows."""
    from sklearn.linear_model import LogisticRegression

    monkeypatch.setattr(model_module, "new_model", lambda options, seed: LogisticRegression(C=1e6, max_iter=2000))
    learned = make_examples(missing=0)
    twice = learned.labels["hate"] == 1
    options = EnsembleOptions()
    weighted = fit(learned, {"hate": np.where(twice, 3.0, 1.0)}, options)
    rows = np.concatenate([np.arange(400), np.flatnonzero(twice), np.flatnonzero(twice)])
    copied = Examples(
        tuple(map(str, range(len(rows)))),
        ("",) * len(rows),
        np.zeros(len(rows), dtype=bool),
        {},
        {"hate": learned.labels["hate"][rows]},
        learned.features[rows],
        learned.sources,
    )
    second = fit(copied, {"hate": np.ones(len(rows))}, options)
    assert weighted.scores(learned.features)["hate"] == pytest.approx(second.scores(learned.features)["hate"], abs=2e-3)


def test_texts_whose_label_is_unknown_teach_nothing():
    learned = make_examples(missing=0)
    known = np.arange(400) < 300
    labels = np.where(known, learned.labels["hate"], UNKNOWN).astype(np.int8)
    options = EnsembleOptions(trees=20)
    part = Examples(learned.ids, learned.sets, learned.copies, {}, {"hate": labels}, learned.features, learned.sources)
    one = fit(part, {"hate": np.ones(400)}, options).scores(learned.features)["hate"]
    two = fit(learned.only(known), {"hate": np.ones(300)}, options).scores(learned.features)["hate"]
    assert np.array_equal(one, two)


def test_missing_scores_become_medians_and_a_flag():
    inputs = Inputs.from_features(
        np.array([[1.0, np.nan], [3.0, 5.0], [8.0, 7.0]]), ("a", "b"), np.array([False, True])
    )
    assert inputs.names == ("a", "b", "b is missing")
    assert inputs.ready(np.array([[np.nan, np.nan], [2.0, 4.0]])).tolist() == [[3, 6, 1], [2, 4, 0]]


def test_faults_say_what_to_do(tmp_path):
    learned = make_examples()
    with pytest.raises(InputError, match="texts of one label alone"):
        fit(learned, {"hate": np.where(learned.labels["hate"] == 1, 1.0, 0.0)}, EnsembleOptions())
    with pytest.raises(InputError, match="the source b gave no score"):
        Inputs.from_features(np.array([[1.0, np.nan], [3.0, np.nan]]), ("a", "b"), np.array([False, True]))
    with pytest.raises(UsageError, match="trees is 0"):
        EnsembleOptions(trees=0)
    with pytest.raises(InputError, match="holds no ensemble"):
        export.load(tmp_path)


def test_what_may_run_code_is_not_read(tmp_path):
    import skops.io
    from sklearn.datasets import clear_data_home

    learned = make_examples()
    options = EnsembleOptions(trees=5)
    export.save(fit(learned, evenly(learned), options), options, tmp_path)
    for function in (shutil.rmtree, clear_data_home):  # scikit-learn's own may delete too
        (tmp_path / export.SKOPS).write_bytes(skops.io.dumps({"hate": function}))
        with pytest.raises(InputError, match="may run code"):
            export.load(tmp_path)


def test_a_file_that_would_call_a_function_of_scikit_learn_is_not_read(tmp_path):
    """skops builds a loss of scikit-learn by calling what the file names with what the file gives."""
    learned = make_examples()
    options = EnsembleOptions(trees=3)
    export.save(fit(learned, evenly(learned), options), options, tmp_path / "model")
    victim = tmp_path / "victim"
    victim.mkdir()
    path = tmp_path / "model" / export.SKOPS
    plain = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "is_json": True}
    argument = {**plain, "content": json.dumps(str(victim)), "__id__": 3}
    arguments = {
        "__class__": "tuple",
        "__module__": "builtins",
        "__loader__": "TupleNode",
        "content": [argument],
        "__id__": 2,
    }
    schema = {
        "__class__": "clear_data_home",
        "__module__": "sklearn.datasets._base",
        "__loader__": "LossNode",
        "content": {**plain, "content": "null", "__id__": 4},
        "__reduce__": {"args": arguments},
        "__id__": 1,
        "protocol": 2,
        "_skops_version": "0.13",
    }
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("schema.json", json.dumps(schema))
    with pytest.raises(InputError, match=r"holds sklearn\.datasets\._base\.clear_data_home, which may run code"):
        export.load(tmp_path / "model")
    assert victim.is_dir()


def test_the_same_model_is_written_with_the_same_bytes(tmp_path):
    options = EnsembleOptions(trees=5)
    for name in ("one", "two"):
        learned = make_examples()
        export.save(fit(learned, evenly(learned), options), options, tmp_path / name)
    for name in (export.SKOPS, export.MANIFEST):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_runs_folder_is_no_ensemble_and_says_where_one_is(tmp_path):
    learned = make_examples()
    options = EnsembleOptions(trees=5)
    export.save(fit(learned, evenly(learned), options), options, tmp_path / "remediated")
    with pytest.raises(InputError, match=r"is a run's folder; give .*remediated"):
        export.load(tmp_path)


def table(path, lines, names=("id", "good", "noise", "later")):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *lines])
    return path


@pytest.fixture(scope="module")
def model():
    learned = make_examples()
    return fit(learned, evenly(learned), EnsembleOptions(trees=20))


def test_new_rows_are_read_by_column_as_they_are_cell_by_cell(model, tmp_path):
    sources = model.inputs.sources
    lines = [
        (f" t{n}", *(("" if m == n % 5 else round(n / 40 + m / 7, 3)) for m in range(len(sources))), "NA")
        for n in range(40)
    ]
    names = ("id", *sources, "text")
    rows = table(tmp_path / "rows.csv", lines, names)
    with (tmp_path / "rows.jsonl").open("w") as file:
        file.writelines(json.dumps(dict(zip(names, line, strict=True))) + "\n" for line in lines)
    for name in ("rows.csv", "rows.jsonl"):
        assert predict(model, tmp_path / name, tmp_path / f"{name}.told.csv") == Predicted(40)
    content = (tmp_path / "rows.csv.told.csv").read_text()
    assert content == (tmp_path / "rows.jsonl.told.csv").read_text()
    assert content.startswith(f"id,{','.join(model.harms)}\nt0,0.")
    assert predict(model, rows, tmp_path / "told.tsv").rows == 40
    blank = table(
        tmp_path / "blank.csv", [("a", *([""] * len(sources)), "x"), ("b", *([0.5] * len(sources)), "x")], names
    )
    assert predict(model, blank, tmp_path / "told.csv") == Predicted(2, blank=1)


def test_a_quotation_mark_in_a_table_with_tabs_is_a_letter(model, tmp_path):
    names = ("id", "text", *model.inputs.sources)
    texts = ('"Hi', "plain", 'bye"')
    lines = [
        "\t".join(names),
        *("\t".join((f"t{n}", text, *["0.5"] * (len(names) - 2))) for n, text in enumerate(texts)),
    ]
    (tmp_path / "rows.tsv").write_text("\n".join(lines) + "\n")
    assert predict(model, tmp_path / "rows.tsv", tmp_path / "told.csv").rows == 3
    twice = table(tmp_path / "twice.csv", [("a", *([0.5] * len(names)))], (*names[:1], *names[2:], names[2], "end"))
    with pytest.raises(InputError, match="twice"):
        predict(model, twice, tmp_path / "told.csv")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("x",), r":4: \S+ is not a number"),
        (("inf",), r":4: \S+ is not a number"),
        ((), ":4: has fewer cells than the header"),
        ((0.1, "more", "more", "more", "more", "more"), ":4: more columns than the header's"),
    ],
)
def test_what_is_no_row_of_numbers_is_told_by_its_line_and_nothing_is_written(model, tmp_path, cells, message):
    sources = model.inputs.sources
    plain = [("a", *([0.5] * len(sources))), ("b", *([0.5] * len(sources)))]
    rows = table(tmp_path / "rows.csv", [*plain, ("c", *([0.5] * (len(sources) - 1)), *cells)], ("id", *sources))
    with pytest.raises(InputError, match=message):
        predict(model, rows, tmp_path / "told.csv")
    assert not (tmp_path / "told.csv").exists()
    nameless = table(tmp_path / "nameless.csv", [("", *([0.5] * len(sources)))], ("id", *sources))
    with pytest.raises(InputError, match=":2: id is empty"):
        predict(model, nameless, tmp_path / "told.csv")
    with pytest.raises(InputError, match="no column"):
        predict(model, table(tmp_path / "less.csv", [("a", 1)], ("id", "else")), tmp_path / "told.csv")
    with pytest.raises(InputError, match="holds no row"):
        predict(model, table(tmp_path / "none.csv", [], ("id", *sources)), tmp_path / "told.csv")


@pytest.mark.slow
def test_twenty_thousand_rows_need_less_than_a_second_of_the_processor(tmp_path):
    learned = make_examples()
    ensemble = fit(learned, evenly(learned), EnsembleOptions())
    rows = np.resize(learned.features, (20_000, learned.features.shape[1])).round(6).tolist()
    path = table(tmp_path / "rows.csv", ([f"t{n}", *row] for n, row in enumerate(rows)), ("id", *learned.sources))
    assert measure_fastest(lambda: predict(ensemble, path, tmp_path / "told.csv")) < 1
