"""The demo's data: no page on both sides, and what is said where the sets are not here."""

from __future__ import annotations

import json

import pytest

from gec_fair.errors import MissingResource
from tests import scripts


@pytest.fixture(scope="module")
def recipe():
    return scripts.module("razor_data.py")


def test_without_the_sets_they_are_named(recipe, monkeypatch, tmp_path):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    with pytest.raises(MissingResource, match=r"not here, see docs/how-to/razor\.md:\n.*vitaminc_real"):
        recipe.data()


def test_a_page_is_on_one_side_and_labels_are_two(recipe, data, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_DATA", str(data))
    documents = recipe.data()
    assert {name: len(rows) > 900 for name, rows in documents.items()} == dict.fromkeys(
        ("train", "held-out", "symmetric", "claims"), True
    )
    for rows in documents.values():
        assert {row["label"] for row in rows} == {"SUPPORTS", "REFUTES"}
        assert len({row["id"] for row in rows}) == len(rows)
    lines = (data / "fever/vitaminc_real/test.jsonl").read_text(encoding="utf-8").split("\n")
    pages = {row["unique_id"]: row["page"] for row in map(json.loads, filter(None, lines))}
    train = {pages[row["id"]] for row in documents["train"] if row["id"] in pages}
    held = {pages[row["id"]] for row in documents["held-out"]}
    assert train
    assert held
    assert train.isdisjoint(held)
    assert 0.15 < len(documents["held-out"]) / (len(documents["train"]) + len(documents["held-out"])) < 0.25
    assert recipe.data(5)["train"] == documents["train"][:5]
