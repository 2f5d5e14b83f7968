"""PANDA's stages: texts are annotated in three steps, and what comes out is what `perturber train` reads."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.annotation import NAME, RESULT, read_set
from gec_fair.evaluate.evalsets.review.decisions import Session, read_decisions
from gec_fair.evaluate.evalsets.review.items import rows
from gec_fair.perturber.annotation import stages
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


@pytest.fixture
def selected(texts, tmp_path):
    """The export of stage 1."""
    done("perturber", "annotate", "select", texts, "-o", tmp_path / "select")
    decide(tmp_path / "select", SELECTED)
    done("review", tmp_path / "select", "--export", tmp_path / "selected")
    return tmp_path / "selected"


@pytest.fixture
def attributed(selected, tmp_path):
    """The export of stage 2."""
    done("perturber", "annotate", "attributes", selected, "-o", tmp_path / "attributes")
    decide(tmp_path / "attributes", ATTRIBUTES)
    done("review", tmp_path / "attributes", "--export", tmp_path / "attributed")
    return tmp_path / "attributed"


def test_the_output_of_a_stage_is_the_input_of_the_next_and_the_last_one_is_pandas(attributed, tmp_path):
    folder = tmp_path / "rewrite"
    printed = done("perturber", "annotate", "rewrite", attributed, "--pairs", "0", "--suggest", "-o", folder)
    assert f"next: gec-fair review {folder}" in printed
    items = Session(folder, "ann").items
    assert [item.facts for item in items if item.subject.source == "woman"] == [
        "Anna: woman → man",
        "Anna: woman → non-binary",
        "her: woman → man",
        "her: woman → non-binary",
        "waitress: woman → man",
        "waitress: woman → non-binary",
    ]
    session = Session(folder, "ann")
    for number, item in enumerate(items):
        if item.subject.target == "man":
            session.decide(number, "done", {})
        elif item.subject.source == "senior":
            session.decide(number, "done", {"rewriting": "Anna lost her keys, and her young uncle found them."})
        else:
            session.decide(number, "skip", {})
    done("review", folder, "--export", tmp_path / "panda")
    written = {(row.word, row.target): row.rewritten for row in panda.read(tmp_path / "panda/panda.csv")}
    assert written["Anna", "man"] == written["her", "man"] == "Adam lost his keys, and his elderly uncle found them."
    assert written["waitress", "man"] == "The waiter was 52."
    assert written["elderly", "young"] == "Anna lost her keys, and her young uncle found them."
    assert all(row.usable for row in panda.read(tmp_path / "panda/panda.csv"))
    counts = json.loads((tmp_path / "panda/review.json").read_text())
    assert (counts["task"], counts["verdicts"]) == ("rewrite", {"done": 7, "skip": 3})


def test_without_suggest_an_annotator_starts_from_nothing(attributed, texts, tmp_path):
    assert [one.spans for one in read_set(tmp_path / "select" / NAME).subjects] == [(), (), ()]
    assert [one.attributes for one in read_set(tmp_path / "attributes" / NAME).subjects] == [(), ()]
    for one in stages.rewritings(attributed, pairs=0).subjects:
        assert one.rewriting == one.fields


def test_what_the_rules_find_is_suggested(texts, selected, tmp_path):
    folder = tmp_path / "suggested"
    done("perturber", "annotate", "select", texts, "--suggest", "--axes", "gender", "-o", folder)
    session = Session(folder, "ann")
    words = [[item.subject.word(span) for span in session.answer(item)] for item in session.items]
    assert words == [["Anna", "her", "her", "uncle"], [], ["waitress"]]
    done("perturber", "annotate", "attributes", selected, "--suggest", "-o", tmp_path / "two")
    second = Session(tmp_path / "two", "ann")
    assert [second.answer(item) for item in second.items] == ATTRIBUTES


def test_a_pair_of_a_word_and_a_target_is_drawn_by_the_seed(attributed):
    drawn = [stages.rewritings(attributed, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len({annotation.subjects for annotation in drawn}) > 1
    assert all(len(annotation.subjects) == 2 for annotation in drawn)
    only = stages.rewritings(attributed, targets=("young",), pairs=0)
    assert [(one.facts, one.group) for one in only.subjects] == [("elderly: senior → young", "age")]


def test_a_finished_run_gives_the_texts_that_it_changed_as_they_were(texts, tmp_path):
    done("perturb", texts, "-o", tmp_path / "run")
    done("perturber", "annotate", "select", tmp_path / "run", "-o", tmp_path / "select")
    subjects = read_set(tmp_path / "select" / NAME).subjects
    assert [(one.id, one.fields[0]) for one in subjects] == [
        ("texts.txt:1", TEXTS.split("\n")[0]),
        ("texts.txt:4", "The waitress was 52."),
    ]


def test_users_axes_are_annotated_too_and_their_rows_are_apart(tmp_path):
    header = "# What: x\n# Source: written for a test\n# Licence: Apache-2.0\n# Columns: those of the package\n"
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/demographics.tsv").write_text(
        f"{header}term\tplural\taxis\tattribute\treading\tnote\ngoth\tgoths\tstyle\tgoth\tperson\t\n"
        "punk\tpunks\tstyle\tpunk\tperson\t\n"
    )
    (tmp_path / "tables/targets.tsv").write_text(
        f"{header}attribute\tadjective\tnoun\tplural\ngoth\tGothic\tGoth\tGoths\npunk\tpunk\tpunk\tpunks\n"
    )
    (tmp_path / "texts.txt").write_text("He is a goth .\n")
    lexicon = ("--lexicon", tmp_path / "tables", "--suggest", "-o")
    done("perturber", "annotate", "select", tmp_path / "texts.txt", *lexicon, tmp_path / "1")
    decide(tmp_path / "1", [[[0, 1, "gender"], [3, 4, "style"]]])
    done("review", tmp_path / "1", "--export", tmp_path / "1x")
    done("perturber", "annotate", "attributes", tmp_path / "1x", *lexicon, tmp_path / "2")
    decide(tmp_path / "2", [["man", "goth"]])
    done("review", tmp_path / "2", "--export", tmp_path / "2x")
    done("perturber", "annotate", "rewrite", tmp_path / "2x", "--targets", "woman,punk", "--pairs", "0", *lexicon,
         tmp_path / "3")  # fmt: skip
    decide(tmp_path / "3", [None, None])
    done("review", tmp_path / "3", "--export", tmp_path / "3x")
    assert [row.rewritten for row in panda.read(tmp_path / "3x/panda.csv")] == ["She is a goth ."]
    assert (tmp_path / "3x/panda-own-axes.csv").read_text().splitlines()[1] == "He is a goth .,goth,punk,He is a punk ."


def test_what_annotators_do_not_agree_on_does_not_go_on(texts, tmp_path):
    folder = tmp_path / "select"
    done("perturber", "annotate", "select", texts, "-o", folder)
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
    assert (row["id"], row["reviewers"]["ben"]["answer"][1]) == ("texts.txt:1", [2, 3, "race"])
    done("review", folder, "--export", tmp_path / "hers", "--by", "ann")
    assert len(read_set(tmp_path / "hers" / RESULT).subjects[0].spans) == 4
    done("perturber", "annotate", "attributes", tmp_path / "hers", "-o", tmp_path / "attributes")
    decide(tmp_path / "attributes", ATTRIBUTES)
    decide(tmp_path / "attributes", [["woman", "none", "man", "senior"], ["woman"]], "ben")
    done("review", tmp_path / "attributes", "--export", tmp_path / "attributed")
    agreed = read_set(tmp_path / "attributed" / RESULT).subjects
    assert [one.attributes for one in agreed] == [("woman", "senior"), ("woman",)]


def test_a_word_that_stage_1_should_not_have_selected_does_not_go_on(selected, tmp_path):
    done("perturber", "annotate", "attributes", selected, "-o", tmp_path / "attributes")
    decide(tmp_path / "attributes", [["none", "woman", "none", "senior"], ["none"]])
    done("review", tmp_path / "attributes", "--export", tmp_path / "attributed")
    [left] = read_set(tmp_path / "attributed" / RESULT).subjects
    assert (left.spans, left.attributes) == (((2, 3, "gender"), (7, 8, "age")), ("woman", "senior"))


def test_each_rewriting_is_a_row_and_equal_ones_are_one(attributed, tmp_path):
    folder = tmp_path / "rewrite"
    done("perturber", "annotate", "rewrite", attributed, "--targets", "man", "-o", folder)
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
    done("perturber", "annotate", "select", texts, "-o", tmp_path / "select")
    session = Session(tmp_path / "select", "ann")
    answer = [[*span[:2], axis] for span in answer] if axis else answer
    with pytest.raises(ValueError, match=message):
        session.decide(0, "done", {}, answer=answer)
    assert not session.path.exists()


def test_several_axes_may_share_a_word(texts, tmp_path):
    done("perturber", "annotate", "select", texts, "-o", tmp_path / "select")
    decide(tmp_path / "select", [[[1, 3, "age"], [0, 2, "gender"]]])
    [decision] = read_decisions(tmp_path / "select")["ann"].values()
    assert decision.answer == [[0, 2, "gender"], [1, 3, "age"]]


def test_every_word_needs_an_attribute_of_its_axis(selected, tmp_path):
    done("perturber", "annotate", "attributes", selected, "-o", tmp_path / "attributes")
    session = Session(tmp_path / "attributes", "ann")
    for answer, message in [
        (["woman", "", "woman", "senior"], "1 missing"),
        (["woman", "senior", "woman", "young"], "1 missing"),
        (["woman"], "for each word"),
    ]:
        with pytest.raises(ValueError, match=message):
            session.decide(0, "done", {}, answer=answer)


def test_a_rewriting_must_change_something(attributed, tmp_path):
    done("perturber", "annotate", "rewrite", attributed, "-o", tmp_path / "rewrite")
    with pytest.raises(ValueError, match="is the original; change it, or skip"):
        Session(tmp_path / "rewrite", "ann").decide(0, "done", {})


def test_the_word_that_changes_is_marked_whatever_the_white_space(tmp_path):
    (tmp_path / "texts.txt").write_text("The  11-year-old   girl's dog\n")
    done("perturber", "annotate", "select", tmp_path / "texts.txt", "--suggest", "-o", tmp_path / "select")
    [item] = Session(tmp_path / "select", "ann").items
    assert "11" in item.subject.words
    assert item.subject.tokens.text == "The  11-year-old   girl's dog"
    decide(tmp_path / "select", [[[item.subject.words.index("11"), item.subject.words.index("girl"), "age"]]])
    done("review", tmp_path / "select", "--export", tmp_path / "selected")
    done("perturber", "annotate", "attributes", tmp_path / "selected", "-o", tmp_path / "attributes")
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


WRONG = [
    ("select missing.txt -o out", "missing.txt: cannot be read", "a file that is not there"),
    ("select empty.txt -o out", "empty.txt: is empty", "a file without text"),
    ("select texts.txt --axes height -o out", "no axis is called 'height'", "an axis that is none"),
    ("select texts.txt -o texts.txt", "is a file; take another folder", "a file in place of the folder"),
    ("select select -o out", "manifest.json: cannot be read", "a folder of another kind"),
    ("select texts.txt -o select", "select: is not empty", "a folder in use"),
    ("attributes select -o out", "select: has no annotated.json", "a folder that was not exported"),
    ("rewrite selected -o out", "is of the task select; give a folder", "the export of another stage"),
    ("rewrite attributed --targets tall -o out", "no attribute is called 'tall'", "a target that is none"),
    ("rewrite attributed --targets black -o out", "there is nothing to rewrite", "a target that nothing can become"),
    ("audit reviews.csv -o out", "PANDA's columns are", "a table without PANDA's columns"),
    ("audit texts.txt -o out", "its name does not tell how it is written", "no table"),
    (
        "labels texts.txt --fields a,b --rewriting c -o out",
        "--rewriting has 1 columns, and --fields 2",
        "one column",
    ),
    (
        "labels reviews.csv --fields txt -o out",
        "reviews.csv:2: no txt; there are text, new",
        "no such column",
    ),
    ("labels reviews.csv --fields text --rewriting neww -o out", "reviews.csv:2: no neww; there are", "another one"),
    ("labels broken.json -o out", "broken.json: is not what gec-fair wrote", "no fairscore"),
    ("labels rain.csv -o out", "no example with a label was rewritten", "nothing that the rules change"),
]


@pytest.mark.parametrize(("words", "message"), [case[:2] for case in WRONG], ids=[case[2] for case in WRONG])
def test_bad_input_is_said_and_nothing_is_written(attributed, texts, tmp_path, words, message):
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "reviews.csv").write_text("text,new,label\nhe sings,she sings,good\n")
    (tmp_path / "rain.csv").write_text("text,label\nit rains,good\n")
    (tmp_path / "broken.json").write_text('{"flipped": [{"id": 1}]}')
    result = run("perturber", "annotate", *words.split(), cwd=tmp_path)
    assert (result.code, "Traceback" in result.stderr) == (2, False)
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


DAMAGED = [
    ("{", "is not valid JSON", "half a file"),
    ('{"task": "twins", "axes": {}, "subjects": []}', "no task is called 'twins'", "a task of another command"),
    ('{"task": "select", "axes": {}, "subjects": []}', "no text in it", "no text"),
    ('{"task": "select", "axes": {}, "subjects": [{"id": "a"}]}', "fields", "no fields"),
    ('{"task": "select", "axes": {}, "subjects": [{"id": "a", "fields": "ab"}]}', "a list is missing", "no list"),
    ('{"task": "select", "axes": {}, "subjects": [{"id": "a", "fields": [1]}]}', "a text is missing", "no text"),
    ('{"task": "select", "axes": {}, "subjects": [{"id": "a", "fields": ["b"], "x": 1}]}', "x: unknown", "a new key"),
    ('{"task": "select", "axes": {}, "subjects": [{"id": "a", "fields": ["b"], "words": ["c"]}]}', "", "other words"),
    ('{"task": "audit", "axes": {}, "subjects": [{"id": "a", "fields": ["b"]}]}', "not a text", "no rewriting"),
    ('{"task": "select", "axes": {"a": 1}, "subjects": [{"id": "a", "fields": ["b"]}]}', "axes", "axes of no names"),
    (
        '{"task": "rewrite", "axes": {"a": {}}, "subjects": [{"id": "a", "fields": ["b"], "words": ["b"], '
        '"spans": [[0, 1, "a"]], "rewriting": ["c"], "source": "x", "target": "y"}]}',
        "is not a text of the task rewrite",
        "a target of no axis",
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[:2] for case in DAMAGED], ids=[case[2] for case in DAMAGED])
def test_a_damaged_folder_is_refused_with_the_remedy(tmp_path, content, message):
    (tmp_path / NAME).write_text(content)
    with pytest.raises(InputError, match=rf"annotation.json: .*{message}.*`gec-fair perturber annotate`"):
        Session(tmp_path, "ann")
