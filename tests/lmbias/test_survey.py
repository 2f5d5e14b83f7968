"""A survey of models: one that cannot be read does not stop the others, finished models are not judged again, figures
have their closed forms."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gec_fair.errors import GecFairError, InputError
from gec_fair.lmbias import survey
from gec_fair.lmbias.composite import Composite
from gec_fair.lmbias.survey import Row, Surveyed
from tests.cli.invoke import run


def test_the_papers_models_are_twenty_five_in_two_groups():
    papers = survey.papers()
    assert [sum(paper.group == group for paper in papers) for group in ("BabyLM", "standard")] == [9, 16]
    assert Surveyed("ltgbert-100m-2024", "babylm/ltgbert-100m-2024", "BabyLM") in papers


def test_correlations_are_within_groups_over_the_models_that_were_scored():
    draw = np.random.default_rng(0)
    rows = []
    for group, sign in (("BabyLM", 1), ("other", -1)):
        for n in range(6):
            scores = Composite({"BLiMP": 60 + n, "CrowS-Pairs": 50 + sign * n + draw.normal() / 4})
            rows.append(Row(Surveyed(f"m{n}", f"m{n}", group), scores))
    rows.append(Row(Surveyed("gone", "gone", "BabyLM"), None, "cannot be read"))
    table, models = survey.every(rows)
    one, second = table.records
    assert (one["n"], second["n"]) == (6, 6)
    assert one["r"] > 0.9 > -0.9 > second["r"]
    assert (one["r, BabyLM bias dynamics"], second["r, BabyLM bias dynamics"]) == (0.833, None)
    assert models.records[-1]["fault"] == "cannot be read"
    few = [row for row in rows if row.surveyed.group == "other"][:3]
    assert survey.every(few)[0].records[0]["r"] is None


def test_a_survey_goes_on_without_a_model_that_cannot_be_read(bias_sets, masked, causal, tmp_path, monkeypatch):
    table = tmp_path / "models.tsv"
    table.write_text(
        f"# name model group\ntiny bert\t{masked}\tmasked\ntiny gpt\t{causal}\tcausal\n"
        f"gone\t{tmp_path / 'gone'}\tmasked\n"
    )
    monkeypatch.setattr(survey, "run_isolated", lambda call: call())
    arguments = (
        "lmbias",
        "survey",
        "--models",
        table,
        "--suite",
        "crows,blimp_supplement_fast",
        "--sample",
        "8",
        "-o",
        tmp_path / "out",
    )
    done = run(*arguments)
    assert done.code == 0, done.stderr
    assert "gone: " in done.stderr
    assert "no model folder is there" in done.stdout
    assert {path.name.rpartition("-")[0] for path in (tmp_path / "out/models").iterdir()} == {"tiny-bert", "tiny-gpt"}
    assert (tmp_path / "out/figures/models.svg").exists()

    def record_call(*arguments):
        raise GecFairError("judged again")

    monkeypatch.setattr(survey, "run_isolated", record_call)
    again = run(*arguments)
    assert "tiny" not in again.stderr
    assert "judged again" in json.loads((tmp_path / "out/faults.json").read_text())["gone"]
    of_data = survey.Evaluations.prepare
    monkeypatch.setattr(
        survey.Evaluations, "prepare", lambda options: replace(of_data(options), data=("other", "items"))
    )
    run(*arguments)
    assert set(json.loads((tmp_path / "out/faults.json").read_text())) == {"gone", "tiny bert", "tiny gpt"}
    monkeypatch.setattr(survey.Evaluations, "prepare", of_data)
    table.write_text(f"tiny bert\t{causal}\tmasked\n")
    assert "give each model its own name" in run(*arguments).stderr


FAULTS = [
    ("a\tb\n", "2 columns", "too few columns"),
    ("a\tb\tc\na\td\tc\n", "named twice", "a name twice"),
    ("a b\tb\tc\na-b\td\tc\n", "or its file would be", "one file's name twice"),
    ("# nothing\n", "names no model", "no model"),
]


@pytest.mark.parametrize(("text", "message", "why"), FAULTS, ids=[row[2] for row in FAULTS])
def test_faults_of_a_table_of_models(text, message, why, tmp_path):
    path = tmp_path / "models.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        survey.read(path)
