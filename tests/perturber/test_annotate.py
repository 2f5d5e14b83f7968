"""PANDA's stages: texts are annotated in three steps, and what comes out is what `perturber train` reads."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.annotation import NAME, RESULT, read_set
from gec_fair.evaluate.evalsets.review.decisions import Session, read_decisions
from gec_fair.evaluate.evalsets.review.items import rows
from gec_fair.perturber.annotation import next_stage
from gec_fair.perturber.neural import panda
from tests.cli.invoke import run

TEXTS = "Anna lost her keys, and her elderly uncle found them.\n\nIt rained all day.\nThe waitress was 52.\n"
SELECTED = [[[0, 1, "gender"], [2, 3, "gender"], [6, 7, "gender"], [7, 8, "age"]], [], [[1, 2, "gender"]]]
ATTRIBUTES = [["woman", "woman", "woman", "senior"], ["woman"]]


def decide(folder, answers, who="ann", verdict="done"):
    session = Session(folder, who)
    for number, answer in enumerate(answers):
        session.decide(number, verdict, {}, answer=answer)
    return session


def done(*words, **options):
    result = run(*words, **options)
    assert result.code == 0, result.stderr
    return result.stdout


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text(TEXTS)
    return path


def annotate(source, folder, *options):
    return done("perturber", "annotate", source, *options, "-o", folder)


@pytest.fixture
def selected(texts, tmp_path):
    """The export of stage 1."""
    annotate(texts, tmp_path / "select")
    decide(tmp_path / "select", SELECTED)
    done("review", tmp_path / "select", "--export", tmp_path / "selected")
    return tmp_path / "selected"


@pytest.fixture
def attributed(selected, tmp_path):
    """The export of stage 2."""
    annotate(selected, tmp_path / "attributes")
    decide(tmp_path / "attributes", ATTRIBUTES)
    done("review", tmp_path / "attributes", "--export", tmp_path / "attributed")
    return tmp_path / "attributed"


def test_the_output_of_a_stage_is_the_input_of_the_next_and_the_last_one_is_pandas(attributed, tmp_path):
    folder = tmp_path / "rewrite"
    assert f"next: gec-fair review {folder}" in annotate(attributed, folder)
    session = Session(folder, "ann")
    pairs = [(item.subject.word(item.subject.spans[0]), item.subject.target) for item in session.items]
    for number in range(len(pairs)):
        session.decide(number, "done", {"rewriting": f"Another text, number {number}."})
    done("review", folder, "--export", tmp_path / "panda")
    written = panda.read(tmp_path / "panda/panda.csv")
    assert [(row.word, row.target, row.rewritten) for row in written] == [
        (*pairs[0], "Another text, number 0."),
        (*pairs[1], "Another text, number 1."),
    ]
    assert all(row.usable for row in written)
    counts = json.loads((tmp_path / "panda/review.json").read_text())
    assert (counts["task"], counts["verdicts"]) == ("rewrite", {"done": 2})


def test_an_annotator_starts_from_nothing(attributed, tmp_path):
    annotate(attributed, tmp_path / "rewrite")
    answers = []
    for stage in ("select", "attributes", "rewrite"):
        session = Session(tmp_path / stage, "ben")
        answers.append([session.answer(item) for item in session.items])
        assert all(item.texts.get("rewriting", item.subject.text) == item.subject.text for item in session.items)
    assert answers == [[[], [], []], [[""] * 4, [""]], [[], []]]


def test_a_pair_of_a_word_and_another_attribute_is_drawn_by_the_seed(attributed):
    drawn = [next_stage(attributed, seed=seed) for seed in (1, 1, *range(2, 30))]
    assert drawn[0] == drawn[1]
    first = {(one.word(one.spans[0]), *one.attributes, one.target) for one, _ in (stage.subjects for stage in drawn)}
    assert {("elderly", "senior", "young"), ("Anna", "woman", "man")} < first
    assert all(source != target for _, source, target in first)


def test_what_annotators_do_not_agree_on_does_not_go_on(texts, tmp_path):
    folder = tmp_path / "select"
    annotate(texts, folder)
    decide(folder, SELECTED)
    decide(folder, [[[0, 1, "gender"], [2, 3, "race"]], [], [[1, 2, "gender"]]], "ben")
    printed = done("review", folder, "--export", tmp_path / "selected")
    assert "3 exported; 1 disputed, 2 done" in printed
    assert [one.spans for one in read_set(tmp_path / "selected" / RESULT).subjects] == [
        ((0, 1, "gender"),),
        (),
        ((1, 2, "gender"),),
    ]
    [row] = map(json.loads, (tmp_path / "selected/disputed.jsonl").read_text().splitlines())
    assert (row["id"], row["decisions"]["ben"]["answer"][1]) == ("texts.txt:1", [2, 3, "race"])
    done("review", folder, "--export", tmp_path / "hers", "--by", "ann")
    assert len(read_set(tmp_path / "hers" / RESULT).subjects[0].spans) == 4
    annotate(tmp_path / "hers", tmp_path / "attributes")
    decide(tmp_path / "attributes", ATTRIBUTES)
    decide(tmp_path / "attributes", [["woman", "none of these", "man", "senior"], ["woman"]], "ben")
    done("review", tmp_path / "attributes", "--export", tmp_path / "attributed")
    agreed = read_set(tmp_path / "attributed" / RESULT).subjects
    assert [one.attributes for one in agreed] == [("woman", "senior"), ("woman",)]


def test_a_word_that_stage_1_should_not_have_selected_does_not_go_on(selected, tmp_path):
    annotate(selected, tmp_path / "attributes")
    decide(tmp_path / "attributes", [["none of these", "woman", "none of these", "senior"], ["none of these"]])
    done("review", tmp_path / "attributes", "--export", tmp_path / "attributed")
    [left] = read_set(tmp_path / "attributed" / RESULT).subjects
    assert (left.spans, left.attributes) == (((2, 3, "gender"), (7, 8, "age")), ("woman", "senior"))


def test_each_rewriting_is_a_row_and_equal_ones_are_one(attributed, tmp_path):
    folder = tmp_path / "rewrite"
    annotate(attributed, folder)
    new = {"ann": "The waiter was 52.", "ben": "The waiter was 52.", "cyd": "The host was 52."}
    for who, text in new.items():
        session = Session(folder, who)
        session.decide(0, "skip", {})
        session.decide(1, "done", {"rewriting": f" {text}\n"})
    done("review", folder, "--export", tmp_path / "panda")
    assert [row.rewritten for row in panda.read(tmp_path / "panda/panda.csv")] == [new["ann"], new["cyd"]]


ANSWERS = [
    ([[0, 1, "gender"]], "hair", "axis", "an axis that is none"),
    ([[0, 99, "gender"]], None, "a list of", "more words than the text has"),
    ([[1, 1, "gender"]], None, "a list of", "no word"),
    ([[0, 2, "gender"], [1, 3, "gender"]], None, "overlap", "overlapping words of an axis"),
    ("gender", None, "a list of", "no list"),
    ([[0, True, "gender"]], None, "a list of", "a number that is none"),
    (None, None, "a list of", "nothing"),
]


@pytest.mark.parametrize(("answer", "axis", "message"), [a[:3] for a in ANSWERS], ids=[a[3] for a in ANSWERS])
def test_a_selection_in_another_form_is_refused(texts, tmp_path, answer, axis, message):
    annotate(texts, tmp_path / "select")
    session = Session(tmp_path / "select", "ann")
    answer = [[*span[:2], axis] for span in answer] if axis else answer
    with pytest.raises(ValueError, match=message):
        session.decide(0, "done", {}, answer=answer)
    assert not session.path.exists()


def test_several_axes_may_share_a_word(texts, tmp_path):
    annotate(texts, tmp_path / "select")
    decide(tmp_path / "select", [[[1, 3, "age"], [0, 2, "gender"]]])
    [decision] = read_decisions(tmp_path / "select")["ann"].values()
    assert decision.answer == [[0, 2, "gender"], [1, 3, "age"]]


def test_every_word_needs_an_attribute_of_its_axis(selected, tmp_path):
    annotate(selected, tmp_path / "attributes")
    session = Session(tmp_path / "attributes", "ann")
    for answer, message in [
        (["woman", "", "woman", "senior"], "1 missing"),
        (["woman", "senior", "woman", "young"], "1 missing"),
        (["woman"], "for each word"),
    ]:
        with pytest.raises(ValueError, match=message):
            session.decide(0, "done", {}, answer=answer)


def test_a_rewriting_must_change_something(attributed, tmp_path):
    annotate(attributed, tmp_path / "rewrite")
    with pytest.raises(ValueError, match="is the original; change it, or skip"):
        Session(tmp_path / "rewrite", "ann").decide(0, "done", {})


def test_the_word_that_changes_is_marked_whatever_the_white_space(tmp_path):
    (tmp_path / "texts.txt").write_text("The  11-year-old   girl's dog\n")
    annotate(tmp_path / "texts.txt", tmp_path / "select")
    [item] = Session(tmp_path / "select", "ann").items
    assert "11" in item.subject.words
    assert item.subject.tokens.text == "The  11-year-old   girl's dog"
    decide(tmp_path / "select", [[[item.subject.words.index("11"), item.subject.words.index("girl"), "age"]]])
    done("review", tmp_path / "select", "--export", tmp_path / "selected")
    annotate(tmp_path / "selected", tmp_path / "attributes")
    [item] = Session(tmp_path / "attributes", "ann").items
    [(_, line)] = rows(item, {})
    assert "".join(token.text + token.gap for token in line) == "The  11-year-old   girl's dog"
    assert [token.text for token in line if token.cluster == 0] == ["11-year-old"]


def test_a_killed_export_is_made_again_with_the_same_bytes(attributed, tmp_path):
    done("review", tmp_path / "attributes", "--export", tmp_path / "again")
    (tmp_path / "again/review.json").unlink()  # killed before the last file
    (tmp_path / f"again/{RESULT}.partial").write_text("{")
    assert run("review", tmp_path / "attributes", "--export", tmp_path / "again").code == 2
    done("review", tmp_path / "attributes", "--export", tmp_path / "again", "--overwrite")
    for name in (RESULT, "review.json", "disputed.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (attributed / name).read_bytes()


def test_agreement_is_over_the_verdicts_and_the_answers(texts, tmp_path):
    annotate(texts, tmp_path / "select")
    decide(tmp_path / "select", SELECTED)
    decide(tmp_path / "select", [[], []], "ben")
    Session(tmp_path / "select", "ben").decide(2, "skip", {})
    [row] = json.loads(done("review", tmp_path / "select", "--agreement", "--json"))
    assert (row["items"], row["accepted"], row["same_texts"]) == (3, 2, 1)
    assert row["verdicts"] == {"done": {"done": 2, "skip": 1}, "skip": {"done": 0, "skip": 0}}


@pytest.mark.parametrize(
    "change",
    [{"answer": 5}, {"answer": [[0, 99, "gender"]]}, {"verdict": "maybe"}, {"texts": ["x"]}, {"texts": {"x": "y"}}],
    ids=["no list", "no words of it", "no verdict", "no texts", "no text of it"],
)
def test_a_decision_that_was_changed_by_hand_is_named(texts, tmp_path, change):
    annotate(texts, tmp_path / "select")
    path = decide(tmp_path / "select", SELECTED, "ben").path
    payload = json.loads(path.read_text())
    payload["decisions"][0].update(change)
    path.write_text(json.dumps(payload))
    result = run("review", tmp_path / "select", "--export", tmp_path / "out")
    assert (result.code, "Traceback" in result.stderr) == (2, False)
    assert "review/ben.json: texts.txt:1: is not a decision on this item" in result.stderr


def test_an_export_without_a_result_writes_nothing(texts, tmp_path):
    annotate(texts, tmp_path / "select")
    decide(tmp_path / "select", [None] * 3, verdict="skip")
    result = run("review", tmp_path / "select", "--export", tmp_path / "out")
    assert (result.code, "nothing was written" in result.stderr, (tmp_path / "out").exists()) == (2, True, False)


WRONG = [
    ("missing.txt -o out", "missing.txt: cannot be read", "a file that is not there"),
    ("empty.txt -o out", "empty.txt: is empty", "a file without text"),
    ("texts.txt --axes height -o out", "no axis is called 'height'", "an axis that is none"),
    ("selected --axes gender -o out", "--axes is for stage 1", "axes of a later stage"),
    ("texts.txt -o texts.txt", "is a file; take another folder", "a file in place of the folder"),
    ("texts.txt -o select", "select: is not empty", "a folder in use"),
    ("select -o out", "select: has no annotated.json", "a folder that was not exported"),
    ("nothing -o out", "no word of it has a question in the next stage (attributes)", "a stage 1 without a word"),
]


@pytest.mark.parametrize(("words", "message"), [case[:2] for case in WRONG], ids=[case[2] for case in WRONG])
def test_bad_input_is_said_and_nothing_is_written(selected, tmp_path, words, message):
    (tmp_path / "empty.txt").write_text("\n\n")
    decide(tmp_path / "select", [[], [], []], "ben")
    done("review", tmp_path / "select", "--export", tmp_path / "nothing", "--by", "ben")
    result = run("perturber", "annotate", *words.split(), cwd=tmp_path)
    assert (result.code, "Traceback" in result.stderr) == (2, False)
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


_HEAD = '{"task": "select", "axes": {"a": []}, "subjects": ['
DAMAGED = [
    ("{", "Invalid JSON", "half a file"),
    ('{"task": "twins", "axes": {}, "subjects": []}', "no stage is called 'twins'", "a task of another command"),
    ('{"task": "select", "axes": {}, "subjects": []}', "no text in it", "no text"),
    (_HEAD + '{"id": "a"}]}', "subjects.0.text", "a text without words"),
    (_HEAD + '{"id": "a", "text": "b", "words": "b"}]}', "subjects.0.words", "no list"),
    (_HEAD + '{"id": "a", "text": 1, "words": ["b"]}]}', "subjects.0.text", "a number"),
    (_HEAD + '{"id": "a", "text": "b", "words": ["b"], "x": 1}]}', "subjects.0.x", "a new key"),
    (_HEAD + '{"id": "a", "text": "b", "words": ["c"]}]}', "subjects.0", "other words"),
    (_HEAD + '{"id": "a", "text": "b", "words": ["b"], "spans": [[0, 2, "a"]]}]}', "not of words in it", "no words"),
    (_HEAD + '{"id": "a", "text": "b", "words": ["b"], "spans": [[0, 1, "z"]]}]}', "not a text of", "another axis"),
    ('{"task": "select", "axes": {"a": 1}, "subjects": []}', "axes", "axes of no names"),
    (
        '{"task": "rewrite", "axes": {"a": []}, "subjects": [{"id": "a", "text": "b", "words": ["b"], '
        '"spans": [[0, 1, "a"]], "attributes": ["x"], "target": "y"}]}',
        "is not a text of the stage rewrite",
        "a target of no axis",
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[:2] for case in DAMAGED], ids=[case[2] for case in DAMAGED])
def test_a_damaged_folder_is_refused_with_the_remedy(tmp_path, content, message):
    (tmp_path / NAME).write_text(content)
    with pytest.raises(InputError, match=rf"annotation.json: .*{message}.*`gec-fair perturber annotate`"):
        Session(tmp_path, "ann")
