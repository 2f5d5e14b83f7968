"""The audit of rewritings, the check of labels, and how far annotators agree; the figures are worked out by hand."""

from __future__ import annotations

import csv
import io
import json

import pytest

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.annotation import NAME, AnnotationSet, Subject, read_set, write_set
from gec_fair.evaluate.evalsets.review.decisions import Session
from gec_fair.perturber.annotation import checks
from gec_fair.perturber.annotation.agreement import tables
from tests.cli.invoke import run
from tests.perturber.test_annotate import decide, done

AXES = {"gender": {"man": "man", "woman": "woman"}, "age": {"young": "young", "senior": "senior"}}
PANDA = (
    "original,selected_word,target_attribute,perturbed\n"
    "he sings,he,woman,she sings\nan old man,old,young,an old man\nher dog,her,man,his cat\nmy aunt,aunt,man,my uncle\n"
)


def subject(number, text="he met her", **values):
    return Subject(f"t:{number}", (text,), tuple(text.split()), **values)


def annotation(folder, task, *subjects):
    write_set(folder / NAME, AnnotationSet(task, AXES, subjects))
    return folder


@pytest.fixture
def panda(tmp_path):
    path = tmp_path / "panda.csv"
    path.write_text(PANDA)
    return path


def test_the_audit_is_table_9(panda, tmp_path):
    folder = tmp_path / "audit"
    done("perturber", "annotate", "audit", panda, "-o", folder)
    tags = {
        "ann": [[], ["incorrectly_unperturbed"], ["incomplete_or_incorrect", "factuality_change"], []],
        "ben": [[], ["incorrectly_unperturbed"], ["factuality_change"], ["typos_and_naturalness"]],
    }
    for who, answers in tags.items():
        decide(folder, answers, who)
    rows = {row["tag"]: row for row in json.loads(done("review", folder, "--agreement", "--json"))["audit"]}
    figures = {tag: (row["occurrence"], row["agreement"], row["kappa"]) for tag, row in rows.items()}
    assert figures == {
        "factuality change": (25.0, 100.0, 1.0),
        "incomplete or incorrect": (25.0, 75.0, 0.0),
        "stage 1 errors": (0.0, 100.0, None),
        "typos and naturalness": (25.0, 75.0, 0.0),
        "incorrectly unperturbed": (25.0, 100.0, 1.0),
    }
    assert (rows["stage 1 errors"]["paper_occurrence"], rows["stage 1 errors"]["paper_agreement"]) == (18.7, 88.0)
    printed = list(csv.DictReader(io.StringIO(done("review", folder, "--agreement", "--table", "csv"))))
    assert [row["occurrence"] for row in printed] == ["25.0", "25.0", "0.0", "25.0", "25.0"]
    assert "| factuality change | 4 | 25.0 | 4 | 100.0 |" in done("review", folder, "--agreement")


def test_of_three_experts_every_two_of_a_text_are_compared(panda, tmp_path):
    folder = tmp_path / "audit"
    done("perturber", "annotate", "audit", panda, "--sample", "1", "-o", folder)
    for who, tag in (("ann", ["stage_1_errors"]), ("ben", ["stage_1_errors"]), ("cyd", [])):
        decide(folder, [tag], who)
    rows = {row["tag"]: row for row in tables(folder)[0].as_json()}
    row = rows["stage 1 errors"]
    assert (row["texts"], row["pairs"], row["occurrence"], row["low"]) == (1, 3, 100.0, None)
    assert row["agreement"] == pytest.approx(100 / 3)


def test_one_expert_has_occurrences_and_no_agreement(panda, tmp_path):
    folder = tmp_path / "audit"
    done("perturber", "annotate", "audit", panda, "-o", folder)
    with pytest.raises(InputError, match="no decisions yet"):
        tables(folder)
    decide(folder, [["stage_1_errors"]])
    rows = {row["tag"]: row for row in tables(folder)[0].as_json()}
    assert (rows["stage 1 errors"]["occurrence"], rows["stage 1 errors"]["agreement"]) == (100.0, None)
    Session(folder, "ann").decide(0, "skip", {})
    assert {row["occurrence"] for row in tables(folder)[0].as_json()} == {None}


def test_a_tag_is_one_of_table_9_and_counts_once(panda, tmp_path):
    folder = tmp_path / "audit"
    done("perturber", "annotate", "audit", panda, "-o", folder)
    session = decide(folder, [["stage_1_errors", "factuality_change", "stage_1_errors"]])
    assert session.answer(session.items[0]) == ["factuality_change", "stage_1_errors"]
    for answer in (["ugly"], [["stage_1_errors"]], "stage_1_errors"):
        with pytest.raises(ValueError, match="a list of tags"):
            session.decide(1, "done", {}, answer=answer)


def test_what_experts_said_of_each_rewriting_is_exported_with_their_notes(panda, tmp_path):
    folder = tmp_path / "audit"
    done("perturber", "annotate", "audit", panda, "--sample", "2", "-o", folder)
    session = Session(folder, "ann")
    session.decide(0, "done", {}, "the dog is a cat now", ["incomplete_or_incorrect"])
    done("review", folder, "--export", tmp_path / "out", "--partial")
    [row] = map(json.loads, (tmp_path / "out/audit.jsonl").read_text().splitlines())
    assert (row["verdict"], row["reviewers"]["ann"]["note"]) == ("done", "the dog is a cat now")
    assert row["reviewers"]["ann"]["answer"] == ["incomplete_or_incorrect"]
    assert {"id", "original", "rewriting", "facts"} <= row.keys()


def test_a_run_and_an_exported_stage_3_are_audited_too(panda, tmp_path):
    (tmp_path / "texts.txt").write_text("She lost her keys .\nIt rains .\n")
    done("perturb", tmp_path / "texts.txt", "--targets", "man", "-o", tmp_path / "run")
    [one] = checks.audit(tmp_path / "run").subjects
    assert (one.id, one.fields, one.rewriting) == ("texts.txt:1", ("She lost her keys .",), ("He lost his keys .",))
    assert len(checks.audit(tmp_path).subjects) == 4  # the folder that holds panda.csv
    done("augment", "st", "pairs.tsv", "-o", "pairs", cwd=_with_pairs(tmp_path))
    with pytest.raises(InputError, match="is another command's"):
        checks.audit(tmp_path / "pairs")


def _with_pairs(folder):
    (folder / "pairs.tsv").write_text("He go .\tHe goes .\n")
    return folder


def test_a_sample_is_drawn_by_the_seed_and_keeps_the_order(panda):
    drawn = [[one.id for one in checks.audit(panda, sample=2, seed=seed).subjects] for seed in range(6)]
    assert drawn[0] == [one.id for one in checks.audit(panda, sample=2).subjects]
    assert all(ids == sorted(ids) and len(ids) == 2 for ids in drawn)
    assert len({tuple(ids) for ids in drawn}) > 1


def test_labels_are_checked_of_examples_as_the_fairscore_perturbs_them(tmp_path):
    rows = "".join(f"{'he' if n % 2 else 'she'} sings song {n},{'good' if n % 3 else 'bad'}\n" for n in range(8))
    (tmp_path / "reviews.csv").write_text(f"text,label\n{rows}it rains,bad\n")
    done("perturber", "annotate", "labels", "reviews.csv", "-o", "labels", cwd=tmp_path)
    subjects = {one.id: one for one in read_set(tmp_path / "labels" / NAME).subjects}
    assert len(subjects) == 8
    assert subjects["reviews.csv:2"].label == "bad"
    words = "fairscore --task reviews.csv --model tfidf --train reviews.csv --axes gender,race,age -o score.json"
    done(*words.split(), cwd=tmp_path)
    flips = checks.flipped(tmp_path / "score.json")
    assert all(subjects[flip.id].rewriting == flip.rewriting for flip in flips)
    done("perturber", "annotate", "labels", "reviews.csv", "--sample", "3", "-o", "three", cwd=tmp_path)
    assert len(read_set(tmp_path / "three" / NAME).subjects) == 3


def test_flips_of_a_fairscore_are_checked(tmp_path):
    row = {"id": "a:1", "axis": "gender", "source": "man", "target": "woman", "label": "x", "before": "x", "after": "y"}
    flip = {**row, "original": ["My niece called", "A nephew called"], "perturbed": ["a", "b"]}
    (tmp_path / "score.json").write_text(json.dumps({"flipped": [flip]}))
    done("perturber", "annotate", "labels", tmp_path / "score.json", "-o", tmp_path / "labels")
    [one] = read_set(tmp_path / "labels" / NAME).subjects
    assert (one.fields, one.rewriting, one.label, one.facts) == (
        tuple(flip["original"]),
        ("a", "b"),
        "x",
        "man → woman",
    )


def test_labels_of_given_rewritings_and_their_shares(tmp_path):
    table = "old\tnew\tgold\n" + "".join(f"he {n}\tshe {n}\tx\n" for n in range(4)) + "same\tsame\tx\n"
    (tmp_path / "pairs.tsv").write_text(table)
    folder = tmp_path / "labels"
    options = ("--fields", "old", "--rewriting", "new", "--label", "gold", "-o", folder)
    done("perturber", "annotate", "labels", tmp_path / "pairs.tsv", *options)
    ann, ben = Session(folder, "ann"), Session(folder, "ben")
    assert len(ann.items) == 4
    for number, verdict in enumerate(("yes", "yes", "no", "nonsensical")):
        ann.decide(number, verdict, {})
    [table] = tables(folder)
    assert (table.records[0]["holds"], table.records[0]["nonsensical"]) == (50.0, 1)
    for number, verdict in enumerate(("yes", "yes", "unsure", "no")):
        ben.decide(number, verdict, {})
    agreed = tables(folder)[1].records[0]
    # by hand: two of four the same; by chance (2/4 · 2/4) for yes, (1/4 · 1/4) for no: 0.3125
    assert (agreed["same"], agreed["kappa"]) == (50.0, pytest.approx((0.5 - 0.3125) / (1 - 0.3125)))
    assert "| ann | 4 | 2 | 1 | 0 | 1 | 50.0 % [" in done("review", folder, "--agreement")
    with pytest.raises(ValueError, match="a verdict is yes, no, unsure, nonsensical"):
        ann.decide(0, "accept", {})
    done("review", folder, "--export", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out/labels.jsonl").read_text().splitlines()]
    assert [row["verdict"] for row in rows] == ["yes", "yes", "disputed", "disputed"]


def test_selections_agree_by_f1_and_kappa_over_words(tmp_path):
    folder = annotation(tmp_path, "select", subject(1), subject(2, "it is old"), subject(3))
    decide(folder, [[[0, 1, "gender"], [2, 3, "gender"]], [[2, 3, "age"]]], "ann")
    decide(folder, [[[0, 1, "gender"]], [[2, 3, "age"]]], "ben")
    Session(folder, "ann").decide(2, "skip", {})
    decide(folder, [[[0, 1, "gender"]], [[2, 3, "age"]], [[0, 1, "age"]]], "ben")
    rows = {row["axis"]: row for row in tables(folder)[0].as_json()}
    assert {axis: (row["texts"], row["words"], row["f1"]) for axis, row in rows.items()} == {
        "any": (2, 6, pytest.approx(200 * 2 / 5)),
        "gender": (2, 6, pytest.approx(200 * 1 / 3)),
        "age": (2, 6, 100.0),
    }
    # by hand, any: 5 of 6 the same; by chance 3/6 · 2/6 + 3/6 · 4/6 = 1/2
    assert rows["any"]["kappa"] == pytest.approx((5 / 6 - 1 / 2) / (1 / 2))


def test_attributes_agree_by_kappa_over_words(tmp_path):
    spans = ((0, 1, "gender"), (2, 3, "gender"))
    folder = annotation(tmp_path, "attributes", subject(1, spans=spans), subject(2, spans=spans))
    decide(folder, [["man", "woman"], ["man", "woman"]], "ann")
    decide(folder, [["man", "woman"], ["man", "none"]], "ben")
    [row] = tables(folder)[0].as_json()
    # by hand: by chance 1/2 · 1/2 + 1/2 · 1/4 = 3/8
    assert (row["words"], row["same"], row["kappa"]) == (4, 75.0, pytest.approx((3 / 4 - 3 / 8) / (5 / 8)))


def test_rewritings_agree_by_table_8(tmp_path):
    span = {"spans": ((0, 1, "gender"),), "source": "man", "target": "woman"}
    subjects = [subject(n, rewriting=("he met her",), **span) for n in (1, 2, 3)]
    folder = annotation(tmp_path, "rewrite", *subjects)
    texts = {"ann": ["she met her", "she met her"], "ben": ["she met her", "she met herself"], "cyd": ["she met her"]}
    for who, rewritings in texts.items():
        session = Session(folder, who)
        for number, text in enumerate(rewritings):
            session.decide(number, "done", {"rewriting": text})
    measures = {row["measure"]: row["here"] for row in tables(folder)[0].as_json()}
    # by hand: the first text 100 % of three; of the second no two are the same, two of three words, 1 of 3 words apart
    assert measures["full_agree"] == pytest.approx((100 + 0) / 2)
    assert measures["token_agree"] == pytest.approx((100 + 200 / 3) / 2)
    assert measures["levenshtein"] == pytest.approx((0 + 1 / 3) / 2)
    printed = done("review", folder, "--agreement")
    assert "| full_agree | 50.00 | 73.65 |" in printed
    assert "| 3 | 2 | 3 |" in printed


@pytest.mark.parametrize("task", ["select", "attributes", "rewrite"])
def test_agreement_of_a_stage_needs_two(tmp_path, task):
    span = {"spans": ((0, 1, "gender"),), "source": "man", "target": "woman", "rewriting": ("he met her",)}
    folder = annotation(tmp_path, task, subject(1, **span))
    answer = {"select": [], "attributes": ["man"], "rewrite": None}[task]
    session = Session(folder, "ann")
    session.decide(0, "done", {"rewriting": "she met her"} if task == "rewrite" else {}, answer=answer)
    result = run("review", folder, "--agreement")
    assert (result.code, "agreement needs two reviewers; so far ann" in result.stderr) == (2, True)
    Session(folder, "ben").decide(0, "skip", {})
    if task == "rewrite":
        assert "no text was rewritten by two" in run("review", folder, "--agreement").stderr
    else:
        assert {row["kappa"] for row in tables(folder)[0].as_json()} == {None}


@pytest.mark.parametrize(
    "change",
    [{"answer": 5}, {"answer": [[0, 9, "gender"]]}, {"verdict": "maybe"}, {"texts": ["x"]}, {"texts": {"x": "y"}}],
    ids=["no list", "no words of it", "no verdict", "no texts", "no text of it"],
)
def test_a_decision_that_was_changed_by_hand_is_named(tmp_path, change):
    folder = annotation(tmp_path, "select", subject(1))
    decide(folder, [[]], "ann")
    path = decide(folder, [[]], "ben").path
    payload = json.loads(path.read_text())
    payload["decisions"][0].update(change)
    path.write_text(json.dumps(payload))
    for words in (("--agreement",), ("--export", tmp_path / "out")):
        result = run("review", folder, *words)
        assert (result.code, "Traceback" in result.stderr) == (2, False)
        assert "review/ben.json: t:1: is not a decision on this text" in result.stderr


def test_an_export_without_a_result_writes_nothing(tmp_path):
    folder = annotation(tmp_path / "select", "select", subject(1))
    Session(folder, "ann").decide(0, "skip", {})
    result = run("review", folder, "--export", tmp_path / "out")
    assert (result.code, "nothing was written" in result.stderr, (tmp_path / "out").exists()) == (2, True, False)
