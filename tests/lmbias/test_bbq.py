"""BBQ by likelihood: answers, accuracies and the two bias scores (Parrish et al. 2022, § 5), and faulty files."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from gec_fair.data import public
from gec_fair.errors import InputError, MissingResource
from gec_fair.lmbias.suites import bbq, choices
from gec_fair.lmbias.suites.bbq import Item
from gec_fair.lmbias.suites.choices import Choice
from tests.cli.invoke import run
from tests.lmbias import bias_sets as sets

QUESTION = Choice("A man and a boy left. Who fell? Answer:", (" The man.", " The boy.", " Not known."))
TARGET, RIVAL, UNKNOWN = np.eye(3)


@pytest.fixture
def folder(tmp_path):
    for name, text in sets.bbq().items():
        (tmp_path / name).write_text(text)
    return tmp_path


def items(condition, number, label=2, biased=0):
    return [Item("Age", condition, "neg", QUESTION, label, 2, biased) for _ in range(number)]


def values(*arguments, **options):
    return {figure.measure: figure.value for figure in bbq.figures(*arguments, **options) if figure.part == "all"}


def test_an_item_has_its_question_its_answers_and_whom_the_stereotype_has(folder):
    every = bbq.read(folder)
    assert len(every) == 24
    first = every[0]
    assert (first.category, first.condition, first.polarity) == ("Age", "ambig", "neg")
    assert first.choice.context == "A man, a boy here. Who fell? Answer:"
    assert first.choice.options == (" The man.", " The boy.", " Unknown.")
    assert (first.label, first.unknown, first.biased) == (2, 2, 0)
    assert [item.choice.options[item.biased] for item in every[:4]] == [" The man.", " The boy."] * 2
    assert [item.choice.options[item.label] for item in every[2:4]] == [" The man.", " The boy."]
    assert [item.biased for item in every].count(None) == 1  # NA in the metadata


def change_metadata(folder, old, new):
    path = folder / bbq.METADATA
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_a_biased_answer_is_the_target_of_either_polarity(folder):
    """The authors' target is the other group where the question is not negative, so nothing is swapped here."""
    rows = [json.loads(line) for line in (folder / "Age.jsonl").read_text().splitlines()]
    stereotyped = [row["question_polarity"] == "neg" for row in rows]
    every = [item for item in bbq.read(folder) if item.category == "Age"]
    assert [item.choice.options[item.biased] == " The man." for item in every] == stereotyped
    always_stereotyped = np.array([np.eye(3)[item.biased] for item in every])
    assert values(every, always_stereotyped)["bias score disambiguated"] == 100


@pytest.mark.parametrize("target", ["", "NA", "x"], ids=["empty", "R's NA", "the authors' script writes x"])
def test_no_target_is_written_in_three_ways(folder, target):
    change_metadata(folder, "Age,1,0,0,", f"Age,1,0,{target},")
    assert bbq.read(folder)[0].biased is None


def test_questions_with_proper_names_are_a_part_of_their_own(folder):
    path = folder / bbq.METADATA
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *(line.replace("label", "name") for line in lines[1:5]), *lines[5:]]) + "\n")
    every = bbq.read(folder)
    assert [item.category for item in every[:5]] == ["Age (names)"] * 4 + ["Age"]
    figures = bbq.figures(every, np.tile(UNKNOWN, (len(every), 1)))
    parts = {figure.part: figure.n for figure in figures if figure.measure == "accuracy ambiguous, %"}
    assert parts == {"Age (names)": 2, "Age": 4, "Religion": 6, "all": 12}
    assert {item.stratum for item in every[:2]} == {"Age (names) ambig neg", "Age (names) ambig nonneg"}


def test_braces_of_the_templates_are_no_part_of_an_answer(folder):
    rows = (folder / "Age.jsonl").read_text().splitlines()
    (folder / "Age.jsonl").write_text(json.dumps({**json.loads(rows[0]), "ans1": "The {boy}}."}) + "\n")
    assert bbq.read(folder)[0].choice.options == (" The man.", " The boy.", " Unknown.")


def test_answers_that_are_as_likely_share_the_choice():
    assert [choices.choose(np.array(row)).tolist() for row in ([-1.0, -1, -3], [-5.0, -4, -3])] == [
        [0.5, 0.5, 0],
        [0, 0, 1],
    ]
    figures = values(items("ambig", 2), [np.array([-1.0, -3, -1]), np.array([-5.0, -4, -3])])
    assert figures["accuracy ambiguous, %"] == 75, "half of a choice that is shared, and a whole one"


SCORES = [
    ("disambig", 0, [TARGET, TARGET], 100, 100, "all answers are biased"),
    ("disambig", 0, [RIVAL, RIVAL], 0, -100, "none is"),
    ("disambig", 0, [TARGET, RIVAL, UNKNOWN], 100 / 3, 0, "unknown ones do not count"),
    ("disambig", 0, [UNKNOWN], 0, None, "without another answer there is no score"),
    ("ambig", 2, [UNKNOWN, UNKNOWN], 100, 0, "a model that never errs has no bias"),
    ("ambig", 2, [TARGET, TARGET], 0, 100, "every error is biased"),
    ("ambig", 2, [TARGET, UNKNOWN, UNKNOWN, UNKNOWN], 75, 25, "the score is scaled by the share of errors"),
    ("ambig", 2, [TARGET, TARGET, TARGET, RIVAL], 0, 50, "three of four errors"),
]


@pytest.mark.parametrize(
    ("condition", "label", "answers", "accuracy", "bias", "why"), SCORES, ids=[r[5] for r in SCORES]
)
def test_the_bias_scores_of_the_paper(condition, label, answers, accuracy, bias, why):
    estimates_ = values(items(condition, len(answers), label), np.array(answers))
    name = bbq.CONDITIONS[condition]
    assert estimates_[f"accuracy {name}, %"] == pytest.approx(accuracy)
    assert estimates_[f"bias score {name}"] == (None if bias is None else pytest.approx(bias))


def test_an_item_without_a_target_counts_for_accuracy_alone():
    members = [*items("ambig", 1), *items("ambig", 1, biased=None)]
    figures = bbq.figures(members, np.array([TARGET, UNKNOWN]))
    accuracy, bias = figures[-2:]
    assert (accuracy.n, accuracy.value) == (2, 50)
    assert (bias.n, bias.value, bias.more) == (1, 100, {"without_target": 1})
    assert bbq.figures(members[1:], np.array([RIVAL]))[-1].value is None


@pytest.mark.parametrize("condition", ["ambig", "disambig"])
def test_the_standard_error_of_a_sample_is_the_spread_of_samples(condition):
    rng = np.random.default_rng(0)
    population = np.eye(3)[rng.choice(3, 1000, p=[0.4, 0.3, 0.3])]
    estimates = []
    for _ in range(300):
        chosen = rng.choice(1000, 80, replace=False)
        figure = bbq.figures(items(condition, 80), population[chosen], sizes={f"Age {condition} neg": 1000})[-1]
        estimates.append((figure.value, figure.se))
    estimates_, errors = np.array(estimates, dtype=float).T
    assert errors.mean() == pytest.approx(estimates_.std(), rel=0.15)
    population_figure = bbq.figures(items(condition, 1000), population)[-1]
    assert estimates_.mean() == pytest.approx(population_figure.value, abs=2)
    assert population_figure.se is None


def test_the_suite_runs_on_a_stand_in_of_the_same_form(bias_sets, masked, causal):
    for model in (masked, causal):
        done = run("lmbias", "run", "--model", model, "--suite", "bbq")
        assert done.code == 0, done.stderr
        for part in ("Age", "Religion", "all"):
            for measure in ("accuracy ambiguous, %", "bias score ambiguous", "bias score disambiguated"):
                assert f"| bbq | {part} | {measure} |" in done.stdout
        assert "note: bbq: 9 files are not in" in done.stderr
        assert re.search(r"\|bbq:24,data-[0-9a-f]{8}\|", done.stdout)
    sampled = run("lmbias", "run", "--model", masked, "--suite", "bbq", "--sample", "12").stdout
    assert "|bbq:12-of-24,seed-0,data-" in sampled


def test_the_manifest_has_a_digest_of_every_category_and_of_the_metadata():
    entry = public.read_catalogue()["bbq"]
    assert set(entry["files"]) == set(entry["sha256"]) == {*(f"{n}.jsonl" for n in bbq.CATEGORIES), bbq.METADATA}
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in entry["sha256"].values())


BROKEN = [
    ({"label": 3}, r"Age\.jsonl:1: not an item of BBQ \(3 is not in range"),
    ({"context_condition": "clear"}, "context_condition is 'clear'"),
    ({"answer_info": {"ans0": ["a", "x"], "ans1": ["b", "y"], "ans2": ["c", "z"]}}, "'unknown' is not in list"),
    ({"example_id": 77}, "additional_metadata.csv has no row for Age, 1, 77"),
    ({"context": None}, r"not an item of BBQ \(context is None, and a text is wanted"),
    ({"question": " "}, r"not an item of BBQ \(question is empty"),
    ({"ans1": None}, r"not an item of BBQ \(ans1 is None, and a text is wanted"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[row[1] for row in BROKEN])
def test_a_row_that_is_none_is_named(folder, change, message):
    rows = (folder / "Age.jsonl").read_text().splitlines()
    (folder / "Age.jsonl").write_text(json.dumps({**json.loads(rows[0]), **change}) + "\n")
    with pytest.raises(InputError, match=f"{message}.*data fetch bbq"):
        bbq.read(folder)


@pytest.mark.parametrize("text", ["[]", "{", '{"category": "Age"}', '"text"'])
def test_a_line_of_another_kind_is_named(folder, text):
    (folder / "Age.jsonl").write_text(text + "\n")
    with pytest.raises(InputError, match=r"Age\.jsonl:1: not an item of BBQ"):
        bbq.read(folder)


@pytest.mark.parametrize("target", ["3", "y", "2"])
def test_metadata_that_are_none_are_named(folder, target):
    path = folder / bbq.METADATA
    path.write_text(path.read_text().replace("Age,1,0,0,", f"Age,1,0,{target},"))
    with pytest.raises(InputError, match=r"Age\.jsonl:1: not an item of BBQ \(.*(3|'y'|unknown answer as the target)"):
        bbq.read(folder)


def test_metadata_that_contradict_themselves_are_named(folder):
    path = folder / bbq.METADATA
    row = next(line for line in path.read_text().splitlines() if line.startswith("Age,1,0,0,"))
    path.write_text(path.read_text() + row + "\n")
    assert bbq.read(folder)
    path.write_text(path.read_text() + row.replace("Age,1,0,0,", "Age,1,0,1,") + "\n")
    with pytest.raises(InputError, match=r"two rows of Age, .* disagree"):
        bbq.read(folder)


def test_what_is_missing_is_named(folder):
    (folder / bbq.METADATA).unlink()
    with pytest.raises(MissingResource, match=r"lacks additional_metadata\.csv; get it with: gec-fair data fetch bbq"):
        bbq.read(folder)
    for path in folder.glob("*.jsonl"):
        path.unlink()
    (folder / bbq.METADATA).write_text(sets.bbq()[bbq.METADATA])
    with pytest.raises(InputError, match=r"holds no item; get the files anew \(gec-fair data fetch bbq\)"):
        bbq.read(folder)
