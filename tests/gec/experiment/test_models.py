"""Experiments with the other two models: the same folders, the same tables."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.cli.invoke import run
from tests.gec.bart import tiny as bart
from tests.gec.experiment.toy import SETS, results

STEPS = {"steps": 3, "batch": 4, "device": "cpu", "precision": "fp32"}


@pytest.fixture(scope="module")
def starts(place, reference_run, tmp_path_factory):
    """What each model starts from, and what else it asks for."""
    small = bart.bart(tmp_path_factory.mktemp("starts") / "bart")
    tagger = reference_run[0] / "cells/1/0/best"
    editscorer = {
        "start": str(place / "encoder"),
        "generator": str(tagger),
        "mlp_hidden": 8,
        "tokens": 500,
        "training": STEPS | {"batch": 1},
    }
    return {"bart": {"start": str(small), "max_tokens": 100, "training": STEPS}, "editscorer": editscorer}


@pytest.mark.parametrize("model", ["bart", "editscorer"])
@pytest.mark.slow
def test_a_cell_is_trained_once_and_judged_on_every_set(place, starts, tmp_path, model):
    settings = tmp_path / f"{model}.yaml"
    settings.write_text(
        yaml.safe_dump(
            {
                "model": model,
                "mix": str(place / "mix"),
                "systems": ["1"],
                "seeds": 2,
                "full": str(place / "dev.m2"),
                "sets": [str(place / name) for name in SETS],
                "settings": starts[model] | {"dev": str(place / "dev.tsv")},
            }
        )
    )
    words = lambda verb, *more: ["experiment", verb, str(settings), "-o", str(tmp_path / "out"), *more]  # noqa: E731
    done = run(*words("run"))
    assert done.code == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["1/0", "1/1"]
    outputs = results(tmp_path / "out")
    assert len(outputs) == 2 * (2 + 2 * len(SETS))
    first = tmp_path / "out/cells/1/0/best/model.safetensors"
    stamp = first.stat().st_mtime_ns
    assert run(*words("run")).stdout == done.stdout
    assert (first.stat().st_mtime_ns, results(tmp_path / "out")) == (stamp, outputs)
    assert "2 of 2 cells" in run(*words("status")).stdout
    summary = json.loads(run(*words("table", "--resamples", "20", "--json")).stdout)
    assert {(row["set"], row["system"], len(row["deltas"])) for row in summary["rows"]} == {(s, "1", 2) for s in SETS}
    assert summary["full"]["1"]["f0.5 by seed"] == [
        json.loads(outputs[f"cells/1/{seed}/scores.json"])["full"]["f0.5"] for seed in (0, 1)
    ]
