"""From a classifier and texts to an audit in one step: what a table lacks is scored, found or made."""

from __future__ import annotations

import csv
import json

import numpy as np
import pandas
import pytest

import gec_fair as gf
from gec_fair.errors import InputError, UsageError
from tests.cli.invoke import run

TEXTS = [
    {"text": "Muslims are kind people.", "label": 0},
    {"text": "I hate Jews.", "label": 1},
    {"text": "The gay man sang.", "label": 0},
    {"text": "It rained.", "label": 0},
]
GROUPS = {"1": ["Islam"], "2": ["Judaism"], "3": ["Male", "NonHeterosexual"], "4": [""]}


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def long_texts(texts):
    """A classifier: the longer, the worse."""
    return [min(1.0, len(text) / 100) for text in texts]


def test_a_classifier_is_audited_by_its_name_and_the_sets_are_made(tmp_path):
    table = write(tmp_path / "texts.csv", TEXTS)
    done = run("safety", "audit", table, "--source", "toxicity", "--counterfactuals", "-o", tmp_path / "out")
    assert done.code == 0, done.stderr
    assert "|source:toxicity:" in done.stdout
    again = run("safety", "audit", tmp_path / "out/scores.csv", "--json")
    report = json.loads(again.stdout)
    audited = gf.safety.audit(table, source="toxicity", counterfactuals=True)
    assert report["acv"] == audited.acv > 0
    assert report["tables"]["harms"][0]["sets"] == 3
    assert audited.to_dict()["tables"] == report["tables"]
    assert "4 texts were scored, and " in audited.summary
    assert " counterfactuals of 3 of them.\n1 of 4" in audited.summary
    assert " ".join(audited.summary.split()) in " ".join(done.stderr.split())
    assert [row["text"] for row in audited.scores if row["id"] == "2"] == ["I hate Jews."]
    audited.write(tmp_path / "written")
    named = write(tmp_path / "named.csv", [{"id": "2", "text": "I hate Jews."}])
    audited.write(tmp_path / "with texts", str(named))
    assert "I hate Jews." in (tmp_path / "with texts" / "report.html").read_text()
    for name in ("report.html", "scores.csv"):
        assert (tmp_path / "written" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_groups_are_found_in_texts_and_without_sets_there_is_no_acv():
    audited = gf.safety.audit(TEXTS, source=long_texts, harm="length")
    assert (audited.acv, audited.acv_normalised) == (None, None)
    assert audited.summary.startswith("4 texts were scored.\n1 of 4 texts name no group that the term tables know.")
    assert str(audited).startswith(audited.summary)
    subgroups = {}
    for row in audited.scores:
        subgroups.setdefault(row["id"], []).append(row["subgroup"])
    assert subgroups == GROUPS
    assert {row["harm"] for row in audited.scores} == {"length"}
    averages = {(row["subgroup"], row["truth"]): row["SA"] for row in audited.to_dict()["tables"]["slices"]}
    assert averages["Islam", "safe"] == pytest.approx(0.24)
    assert averages["Judaism", "unsafe"] == pytest.approx(0.12)


class Constant:
    """A classifier of two labels, the first at 0.9."""

    version = "constant"

    def __init__(self, *labels):
        self.labels = labels

    def scores(self, texts):
        return np.array([[0.9, 0.1]] * len(texts))


NAMED = [
    (("hate", "neutral"), {"harm": "hate"}, 0.9, "by the harm"),
    (("hate", "neutral"), {"score": "hate"}, 0.9, "by the score"),
    (("hate", "neutral"), {"score": "neutral"}, 0.1, "the second"),
    (("TOXIC", "non-toxic"), {}, 0.9, "one that denies the other is none"),
    (("non-toxic", "toxic"), {"harm": "insults"}, 0.1, "wherever it stands"),
]


@pytest.mark.parametrize(("labels", "named", "score", "why"), NAMED, ids=[row[3] for row in NAMED])
def test_the_label_that_is_meant_is_the_score(labels, named, score, why):
    audited = gf.safety.audit(TEXTS, source=Constant(*labels), resamples=20, **named)
    assert {row["score"] for row in audited.scores} == {score}


@pytest.mark.parametrize("labels", [("hate", "neutral"), ("safe", "unsafe")])
def test_which_of_two_labels_is_the_harm_is_not_guessed(labels):
    with pytest.raises(
        UsageError, match=f"--score says which is the score of the classifier's attributes: {labels[0]}"
    ):
        gf.safety.audit(TEXTS, source=Constant(*labels))


@pytest.mark.parametrize("name", ["hate", "date", "category_id"])
def test_a_column_with_a_similar_name_is_no_slip(name):
    rows = [{"text": row["text"], name: row["label"]} for row in TEXTS]
    assert gf.safety.audit(rows, source=long_texts, harm="hate", label=name, resamples=20).scores


def test_the_texts_may_have_another_column(tmp_path):
    rows = [{"id": n, "comment_text": row["text"], "toxic": row["label"]} for n, row in enumerate(TEXTS, 1)]
    table = write(tmp_path / "jigsaw.csv", rows)
    options = ("--text", "comment_text", "--label", "toxic", "--source", "toxicity", "--json")
    done = run("safety", "audit", table, *options)
    expected = gf.safety.audit(TEXTS, source="toxicity", harm="toxic")
    assert json.loads(done.stdout)["tables"]["slices"] == expected.to_dict()["tables"]["slices"]


def test_a_column_of_any_table_is_audited(tmp_path):
    rows = [{**row, "p": score} for row, score in zip(TEXTS, (0.1, 0.9, 0.2, 0.0), strict=True)]
    frame = pandas.DataFrame(rows).rename(columns={"label": "is_toxic"})
    audited = gf.safety.audit(frame, score="p", harm="toxicity", label="is_toxic")
    table = write(tmp_path / "p.csv", frame.to_dict("records"))
    done = run("safety", "audit", table, "--score", "p", "--harm", "toxicity", "--label", "is_toxic", "--json")
    assert json.loads(done.stdout)["tables"] == audited.to_dict()["tables"]
    usual = frame.rename(columns={"p": "score", "is_toxic": "label"}).assign(harm="toxicity")
    assert gf.safety.audit(usual).to_dict()["tables"] == audited.to_dict()["tables"]


def test_columns_are_used_where_they_are_there():
    table = [
        {"set_id": "a", "category": "Religion", "subgroup": "Islam", "text": "x", "hate": 0},
        {"set_id": "a", "category": "Religion", "subgroup": "Judaism", "text": "x" * 41, "hate": 0},
        {"set_id": "b", "category": "", "subgroup": "", "text": "A Muslim came.", "hate": 1},
    ]
    audited = gf.safety.audit(table, source=long_texts, harm="hate")
    assert audited.acv == pytest.approx(0.04)
    assert [row["subgroup"] for row in audited.scores] == ["Islam", "Judaism", ""]
    sliced = [{"slices": "Religion: Islam; Gender Identity: Male", "text": "x", "label": 0}]
    assert [row["subgroup"] for row in gf.safety.audit(sliced, source=long_texts).scores] == ["Islam", "Male"]


def test_a_baseline_is_compared():
    before = [{**row, "score": 0.5, "harm": "hate"} for row in TEXTS]
    after = [{**row, "score": score, "harm": "hate"} for row, score in zip(TEXTS, (0.1, 0.9, 0.2, 0.0), strict=True)]
    assert "|against:" in gf.safety.audit(after, against=before).signature


def test_a_baseline_has_the_columns_of_the_table_or_the_usual_ones(tmp_path):
    scored = gf.safety.audit(TEXTS, source=long_texts, harm="hate", resamples=20)
    scored.write(tmp_path / "before")
    table = [{"text": row["text"], "toxic": row["label"], "p": 0.2} for row in TEXTS]
    named = {"score": "p", "label": "toxic", "harm": "hate", "resamples": 20}
    baselines = (tmp_path / "before/scores.csv", table)
    before, same = (gf.safety.audit(table, against=baseline, **named) for baseline in baselines)
    assert [harm.harm for harm in before.result.harms] == ["hate"]
    assert before.signature.rpartition(":")[2] != same.signature.rpartition(":")[2]
    with pytest.raises(InputError, match=r"p: is not in the baseline's table; .* or name both with --harm"):
        gf.safety.audit(table, against=tmp_path / "before/scores.csv", **{**named, "harm": ""})


COPIES = [{"slices": "Religion: {}"}, {"category": "Religion", "subgroup": "{}"}]


@pytest.mark.parametrize("columns", COPIES, ids=["slices", "category and subgroup"])
def test_copy_of_says_which_texts_are_one_set(columns):
    rows = [
        {"id": name, "copy_of": copy_of, "label": 0, "score": score}
        | {column: cell.format(whom) for column, cell in columns.items()}
        for name, copy_of, whom, score in (("a", "", "Islam", 0.9), ("b", "a", "Judaism", 0.5))
    ]
    assert gf.safety.audit(rows, resamples=20).acv == pytest.approx(0.04)


def test_texts_without_a_set_stay_alone_when_the_scores_are_written_and_read_again(tmp_path):
    frame = pandas.DataFrame([{**row, "p": 0.2, "category": "", "subgroup": "", "set_id": None} for row in TEXTS])
    frame["set_id"] = frame["set_id"].astype(float)
    audited = gf.safety.audit(frame, score="p", harm="hate", resamples=20)
    audited.write(tmp_path / "out")
    assert gf.safety.audit(tmp_path / "out/scores.csv", resamples=20).acv is audited.acv is None


REFUSED = [
    ([{"text": "x", "label": 0}], {}, InputError, "no column 'score'; name the column with --score, or a classifier"),
    ([{"text": "x", "label": 0, "p": 1}], {"score": "q"}, InputError, "no column 'q'.* There are text, label, p"),
    ([{"text": "x", "score": 1}], {"harm": "h"}, InputError, r"row 1: no column 'label'; --label \(in Python label=\)"),
    ([{"text": "x", "label": 2}], {"source": long_texts}, InputError, r"label is '2'; expected 0 \(safe\) or 1"),
    ([{"text": "x", "label": 0, "set_idd": "a"}], {"source": long_texts}, InputError, "did you mean set_idd"),
    ([{"label": 0, "score": 1}], {}, InputError, "add category and subgroup, or the texts in a column 'text'"),
    ([{"label": 0, "score": 1}], {"source": long_texts}, InputError, "no column 'text' to score"),
    ([{"text": "x", "label": 0, "score": 1}], {"source": long_texts}, UsageError, "has a column 'score' already"),
    ([{"text": "x", "label": 0, "score": 1}], {"counterfactuals": True}, UsageError, "name a classifier with --source"),
    ([{"text": "x", "label": 0}], {"source": "vader"}, UsageError, "which is the score of the classifier's attributes"),
    ([{"text": "x", "label": 0}], {"source": "vader", "score": "x"}, UsageError, "'x' is not among"),
    (
        [{"text": "x", "label": 0}],
        {"source": lambda texts: [2.0]},
        InputError,
        "score is 2.0; expected a number from 0 to 1",
    ),
    ([{"text": "x", "label": 0}], {"source": lambda texts: []}, InputError, "return one score from 0 to 1 for each"),
    ([{"text": "x", "label": 0}], {"source": str.strip}, InputError, "a classifier takes a list of texts and returns"),
    ([{"id": 1, "text": "x", "label": 0}] * 2, {"source": long_texts}, InputError, "row 2: id '1' is there twice"),
]


@pytest.mark.parametrize(("rows", "options", "kind", "message"), REFUSED, ids=[message for *_, message in REFUSED])
def test_what_cannot_be_audited_is_refused_with_the_remedy(rows, options, kind, message):
    with pytest.raises(kind, match=message):
        gf.safety.audit(rows, **options)


def test_counterfactuals_of_scored_texts_are_refused_on_the_command_line(tmp_path):
    table = write(tmp_path / "texts.csv", [{**row, "score": 0.1} for row in TEXTS])
    done = run("safety", "audit", table, "--counterfactuals", "-o", tmp_path / "out")
    assert (done.code, "--counterfactuals are new texts to score" in done.stderr) == (2, True)
    assert not (tmp_path / "out").exists()
