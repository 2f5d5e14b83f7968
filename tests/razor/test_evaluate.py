"""`gec-fair razor evaluate`: figures, intervals, leak check, and what is refused before anything is trained."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import f1_score

from gec_fair.razor.documents import Document
from gec_fair.razor.evaluate import evaluate, macro_f1, negations, repeated
from tests.cli.invoke import run
from tests.razor.test_methods import TEST, TRAIN


def write(path, documents):
    rows = ({"id": each.id, "label": each.label, "claim": each.text, "evidence": each.evidence} for each in documents)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "train.jsonl", TRAIN), write(tmp_path / "test.jsonl", TEST)


def test_macro_f1_is_scikit_learns():
    chance = np.random.default_rng(0)
    right, told = chance.choice(list("abc"), 50).tolist(), chance.choice(list("abc"), 50).tolist()
    assert macro_f1(right, told) == pytest.approx(f1_score(right, told, average="macro"))
    assert macro_f1(["a", "a"], ["b", "b"]) == 0


def test_a_shortcut_that_fails_on_the_test_set_costs_less_with_poe_and_clever():
    rows = evaluate(TRAIN, {"turned": TEST}, ["original", "poe", "clever"])
    figures = {row.method: row.accuracy for row in rows}
    assert figures["poe"] > figures["original"] + 5
    assert figures["clever"] > figures["original"] + 5
    for row in rows:
        assert row.low <= row.accuracy <= row.high
        assert row.accuracy_sd is None
    several = evaluate(TRAIN[:100], {"turned": TEST}, ["eda"], seeds=2)
    assert several[0].accuracy_sd is not None


def test_what_repeats():
    train = [Document("1", "a", "one two three four five six")]
    test = [Document("1", "a", "so TWO three four five six"), Document("2", "a", "two three four five"),
            Document("3", "a", "one two three four six")]  # fmt: skip
    assert repeated(train, test) == pytest.approx(100 / 3)
    assert negations([Document("1", "a", "It is Not so"), Document("2", "a", "nothing"), Document("3", "b", "x")]) == {
        "a": 50, "b": 0}  # fmt: skip


def test_the_command(files, tmp_path):
    train, test = files
    done = run("razor", "evaluate", "--train", train, "--test", f"turned={test}", "--methods", "original,poe",
               "--rewritten", train, "-o", tmp_path / "told.json")  # fmt: skip
    assert done.code == 0, done.stderr
    told = json.loads((tmp_path / "told.json").read_text())
    assert [(row["method"], row["test"], row["examples"]) for row in told["rows"]] == [
        ("original", "turned", 300), ("poe", "turned", 300)]  # fmt: skip
    assert f"| original | turned | 300 | {told['rows'][0]['accuracy']:.2f} | [" in done.stdout
    assert told["negations"]["original"] == told["negations"]["razor"]
    alone = run("razor", "evaluate", "--train", train, "--test", f"t={test}", "--methods", "original", "--claim-only",
                "--json")  # fmt: skip
    assert json.loads(alone.stdout)["claim_only"]


REFUSED = [
    (("--methods", "orignal"), "no method is called 'orignal'"),
    (("--methods", "razor"), "razor trains on rewritten data; name them with --rewritten"),
    (("--labels", "SUPPORTS"), "the training data have 1 label"),
    (("--labels", "supports"), "no document is supports; check --labels"),
    (("--methods", "clever", "--claim-only"), "clever takes the claim's part off"),
    (("--test", "x"), "--test wants NAME=FILE, not 'x'"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_refused(words, told, files):
    train, test = files
    done = run("razor", "evaluate", "--train", train, "--test", f"t={test}", *words)
    assert done.code == 2
    assert told in done.stderr


def test_other_labels_and_ids_are_told(files, tmp_path):
    train, test = files
    third = write(tmp_path / "third.jsonl", [Document("n", "NEI", "x y", "z")])
    done = run("razor", "evaluate", "--train", train, "--test", f"third={third}")
    assert "third: has the label 'NEI', and the training data have REFUTES, SUPPORTS" in done.stderr
    twice = run("razor", "evaluate", "--train", train, "--train", train, "--test", f"t={test}")
    assert "the id '0' stands in" in twice.stderr
    other = run("razor", "evaluate", "--train", train, "--test", f"t={test}", "--rewritten", test)
    assert other.code == 2
    assert "the rewritten data have other documents" in other.stderr
