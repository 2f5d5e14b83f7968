"""they-probe, the set of our own."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from gec_fair.english.lexicons.tables import read_table
from gec_fair.evaluate.evalsets.catalogue import ITEM_COLUMNS, find, labels, read_known
from gec_fair.evaluate.evalsets.swaps import find_swaps
from gec_fair.evaluate.scoring.texts import read_reference, read_texts

ROOT = Path(__file__).parents[3]
SETS = ("they-probe", "they-probe-neo", "they-probe-mf")


@pytest.fixture
def items():
    table = find("they-probe").items
    assert table is not None
    return read_table(table, ITEM_COLUMNS)


@pytest.mark.slow
def test_the_files_are_what_the_items_give():
    command = [sys.executable, "training/they_probe.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_has_every_antecedent_and_provokes_every_kind(items):
    assert len(items) >= 150
    antecedents = Counter(row.cells[0] for row in items)
    assert set(antecedents) == {"name", "quantified", "definite", "gendered"}
    assert min(antecedents.values()) >= 30
    provoked = Counter(kind for row in items for kind in row.cells[1].split(" "))
    assert {"gendered", "pluralised", "reflexive", "deleted", "wrong_gender", "trap"} == set(provoked)
    assert min(provoked.values()) >= 9


@pytest.mark.parametrize("name", SETS)
def test_both_sides_are_twins_with_corrections(name):
    folder = find(name)
    orig, aug = (read_reference(side.m2) for side in (folder.orig, folder.aug))
    assert len(orig) == len(aug) == read_known()[name]["items"]
    for side, reference in ((folder.orig, orig), (folder.aug, aug)):
        assert read_texts(side.source) == list(reference.sources)
        assert side.target is not None
        assert read_texts(side.target) == read_texts(side.m2)
        assert all(their[0] for their in reference.annotators)  # each item has an error to correct
    assert all(find_swaps(a, b) for a, b in zip(orig.sources, aug.sources, strict=True))
    assert set(labels(folder, len(orig))["antecedent"]) == {"name", "quantified", "definite", "gendered"}


def test_corrections_are_as_many_on_both_sides():
    folder = find("they-probe")
    orig, aug = (read_reference(side.m2) for side in (folder.orig, folder.aug))
    unequal = sum(len(a[0]) != len(b[0]) for a, b in zip(orig.annotators, aug.annotators, strict=True))
    assert unequal <= 2


def test_no_item_stands_in_a_public_set(data):
    """The sentences are our own."""
    mine = set(read_texts(find("they-probe").orig.source))
    public = {
        tuple(line.split())
        for path in (data / "bea" / "evalsets").glob("*.src.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert not mine & public
