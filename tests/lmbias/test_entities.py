"""Entity tracking: what is asked, what counts as right, which files are refused."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from gec_fair.errors import InputError
from gec_fair.lmbias.composite import composite
from gec_fair.lmbias.scoring import load
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.suites import choices, entities
from gec_fair.lmbias.suites.choices import Choice
from gec_fair.lmbias.suites.entities import Item
from tests.cli.invoke import run

ROW = {"numops": 1, "input_prefix": "Box 0 has a pen. Box 0 has ", "options": ["a pen.", "a cup.", "a hat."]}
QUESTION = Choice("Box 0 has a pen. Box 0 has", (" a pen.", " a cup.", " a hat."))


@pytest.fixture
def folder(tmp_path):
    for kind in ("regular", "ambiref"):
        rows = [{**ROW, "numops": number, "sample_id": 7, "example_id": number} for number in (0, 1)]
        (tmp_path / f"{kind}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_a_line_is_a_question_whose_first_option_is_right(folder):
    items = entities.read(folder)
    assert [item.paradigm for item in items] == [f"{kind}_{n}_ops" for kind in ("ambiref", "regular") for n in (0, 1)]
    assert items[0].choice == QUESTION


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_the_likeliest_content_is_the_answer(request, kind):
    model = load.load(str(request.getfixturevalue(kind)), device="cpu")
    texts = [QUESTION.context + option for option in QUESTION.options]
    scores = likelihoods(model, texts, after=[len(QUESTION.context)] * 3)
    for first in range(3):
        options = (QUESTION.options[first], *QUESTION.options[:first], *QUESTION.options[first + 1 :])
        item = Item("regular_0_ops", Choice(QUESTION.context, options))
        figure, _ = entities.figures([item], choices.score(model, [item.choice]))
        assert figure.value == 100 * float(scores[first] == scores.max())


def test_accuracy_is_the_mean_over_paradigms_and_over_questions():
    items = [Item(name, QUESTION) for name in ("regular_0_ops", "regular_0_ops", "regular_0_ops", "ambiref_1_ops")]
    right, wrong, tie = (np.array(row, float) for row in ([2, 1, 1], [1, 2, 1], [1, 1, 1]))
    by_paradigm, by_question = entities.figures(items, [right, wrong, wrong, tie])
    assert (by_paradigm.part, by_paradigm.value) == ("mean of 2 paradigms", pytest.approx(100 / 3))
    assert by_paradigm.more["paradigms"] == {"ambiref_1_ops": 33.3333, "regular_0_ops": 33.3333}
    assert by_paradigm.more["chance"] == pytest.approx(100 / 3)
    assert (by_question.part, by_question.n) == ("over questions", 4)
    assert composite([by_paradigm, by_question]).parts == {}  # the paper's performance leaves it out


def test_the_suite_runs_on_files_in_the_folder_of_data(folder, tmp_path_factory, masked, causal, monkeypatch):
    root = tmp_path_factory.mktemp("data")
    (root / "bias").mkdir()
    (root / "bias/entity_tracking").symlink_to(folder)
    monkeypatch.setenv("GEC_FAIR_DATA", str(root))
    for model in (masked, causal):
        done = run("lmbias", "run", "--model", model, "--suite", "entity_tracking")
        assert done.code == 0, done.stderr
        assert "| entity_tracking | mean of 4 paradigms | accuracy, % |" in done.stdout
        assert re.search(r"\|entity_tracking:4,data-[0-9a-f]{8}\|", done.stdout)
    sampled = run("lmbias", "run", "--model", masked, "--suite", "entity_tracking", "--sample", "2")
    assert "|entity_tracking:4,data-" in sampled.stdout  # one of each paradigm at least


BROKEN = [
    ({"options": ["a pen."]}, r"ambiref\.jsonl:1: not a question of entity tracking \(options are \['a pen\.'\]"),
    ({"options": ["a pen.", "a pen. "]}, "option 1 and option 2 are the same"),
    ({"options": ["a pen.", " "]}, "option 2 is empty"),
    ({"options": None}, "options is None, and a list is wanted"),
    ({"input_prefix": 4}, "input_prefix is 4, and a text is wanted"),
    ({"input_prefix": ""}, "input_prefix is empty"),
    ({"numops": "two"}, "invalid literal"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[str(row[0]) for row in BROKEN])
def test_a_line_that_is_none_is_named(folder, change, message):
    (folder / "ambiref.jsonl").write_text(json.dumps({**ROW, **change}) + "\n")
    with pytest.raises(InputError, match=f"{message}.*data fetch entity_tracking"):
        entities.read(folder)


def test_a_folder_without_questions_is_named(tmp_path):
    with pytest.raises(InputError, match="holds no item; get the files anew"):
        entities.read(tmp_path)
