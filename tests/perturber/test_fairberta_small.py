"""`make fairberta-small`: what its table says, and what it says where there is no data."""

from __future__ import annotations

import pytest

from gec_fair.errors import MissingResource
from tests import scripts


@pytest.fixture(scope="module")
def script():
    return scripts.module("fairberta_small.py")


def test_table_3_has_means_with_their_intervals_beside_the_papers_figures(script):
    def judged(value):
        return {"figures": [{"suite": suite, "part": part, "value": value} for suite, part in script.ROWS]}

    table = script.table_3({"original": [judged(40.0), judged(50.0), judged(60.0)], "perturbed": [judged(50.0)]})
    head, _, *rows = table.splitlines()
    assert "| original, 3 seeds | perturbed, 1 seeds | RoBERTa 16GB, Qian et al. 2022 | FairBERTa 16GB |" in head
    # Student's t of two degrees of freedom: 4.303 · 10 / √3
    assert "| CrowS-Pairs | gender | 50.0 ± 24.8 | 50.0 | 52.3 | 51.9 |" in rows
    assert len(rows) == len(script.ROWS)


def test_what_is_lacking_is_named(script, monkeypatch, tmp_path):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    with pytest.raises(MissingResource, match=r"train\.gutenberg\.txt\.xz"):
        script.texts()
