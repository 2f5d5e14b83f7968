"""`make fairberta-small`: what its table says, and what it says without data."""

from __future__ import annotations

import pytest

from gec_fair.errors import MissingResource
from gec_fair.lmbias.suites.holisticbias import measure
from gec_fair.lmbias.table import THEIRS
from tests import scripts


@pytest.fixture(scope="module")
def script():
    return scripts.module("fairberta_small.py")


def judged(value, **settings):
    """What the suites found of one model; `other`: the measure of a suite that is not the paper's."""
    return {
        "figures": [
            {"suite": suite, "part": part, "measure": settings.get(suite, measure), "value": value}
            for suite, part, measure in THEIRS
        ]
    }


def test_table_3_has_means_with_their_intervals_beside_the_papers_figures(script):
    table = script.table_3({"original": [judged(40.0), judged(50.0), judged(60.0)], "perturbed": [judged(50.0)]})
    head, _, *rows = table.splitlines()
    assert "| original, 3 seeds | perturbed, 1 seeds | RoBERTa 16GB, Qian et al. 2022 | FairBERTa 16GB |" in head
    # Student's t of two degrees of freedom: 4.303 · 10 / √3
    assert "| CrowS-Pairs | gender | 50.0 ± 24.8 | 50.0 | 52.3 | 51.9 |" in rows
    assert len(rows) == len(THEIRS)


def test_another_measure_than_the_papers_is_named_and_has_no_figure_of_theirs_beside_it(script):
    quick = measure(nouns=4, templates=4)
    rows = script.table_3({"original": [judged(5.0, holisticbias=quick)]}).splitlines()
    for axis in ("gender", "race", "age"):
        assert f"| HolisticBias: {quick} | {axis} | 5.0 | – | – |" in rows
    assert "| CrowS-Pairs | gender | 5.0 | 52.3 | 51.9 |" in rows


def test_what_is_lacking_is_named(script, monkeypatch, tmp_path):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    with pytest.raises(MissingResource, match=r"train\.gutenberg\.txt\.xz"):
        script.texts()


@pytest.mark.parametrize(
    ("workers", "gpu", "expected"), [(2, False, (2, 1)), (16, False, (6, 2)), (1, False, (1, 1)), (16, True, (1, 16))]
)
def test_trainings_run_beside_each_other_where_they_do_not_wait(script, monkeypatch, workers, gpu, expected):
    monkeypatch.setattr("torch.cuda.is_available", lambda: gpu)
    assert script.share_cores(workers, 6) == expected
