"""What was swapped, and which gold edits are each other's twins."""

from __future__ import annotations

import numpy as np
import pytest

from gec_fair.edits import Edit, edits
from gec_fair.evaluate.evalsets.swaps import find_swaps
from gec_fair.evaluate.gap.splits import splits
from gec_fair.evaluate.gap.twins import by_type, majority, match_twins, table, twins

SWAPS = [
    ("he → they", "he saw me", "they saw me", ["pronouns"]),
    ("her → their, goes → go", "her dog goes", "their dog go", ["pronouns", "verbs"]),
    ("a clitic", "she 's here", "they 're here", ["pronouns", "verbs"]),
    ("a noun and its article", "an actress came", "a actor came", ["nouns", "nouns"]),
    ("a name", "Anna came", "Adam came", ["names"]),
    ("a term of another length", "my mother in law came", "my father - in - law came", ["nouns", "nouns"]),
    ("a neopronoun", "he came", "xe came", ["pronouns"]),
    ("nothing", "it rains", "it rains", []),
]


@pytest.mark.parametrize(("why", "one", "two", "kinds"), SWAPS, ids=[row[0] for row in SWAPS])
def test_swapped_words_have_a_kind(why, one, two, kinds):
    assert [s.kind for s in find_swaps(one.split(), two.split())] == kinds


def pair(orig, aug, gold_orig, gold_aug):
    """Twins of two sentences with gold edits given as (start, end, new, type)."""
    sides = [
        edits([Edit(a, b, tuple(new.split()), kind) for a, b, new, kind in gold], len(words.split()))
        for words, gold in ((orig, gold_orig), (aug, gold_aug))
    ]
    return twins(0, *sides, find_swaps(orig.split(), aug.split()))


def test_an_edit_and_its_twin_are_one_item():
    pairing = pair(
        "He have lost the red keys in park",
        "They has lost the red keys in park",
        [(1, 2, "has", "R:VERB:SVA"), (6, 7, "at", "R:PREP")],
        [(1, 2, "have", "R:VERB:SVA"), (6, 7, "at", "R:PREP")],
    )
    assert [(t.kind, t.orig is not None and t.aug is not None) for t in pairing] == [
        ("R:VERB:SVA", True),
        ("R:PREP", True),
    ]


def test_an_edit_without_a_twin_stands_alone():
    pairing = pair("He have it", "They have it", [(1, 2, "has", "R:VERB:SVA")], [])
    assert [(t.orig is None, t.aug is None) for t in pairing] == [(False, True)]


def test_spans_move_with_a_term_that_grew():
    pairing = pair(
        "my mother in law sing",
        "my father - in - law sing",
        [(4, 5, "sings", "R:VERB:SVA")],
        [(6, 7, "sings", "R:VERB:SVA")],
    )
    assert [t.orig is not None and t.aug is not None for t in pairing] == [True]


def test_what_a_system_finds_on_one_side_alone_is_counted_and_tested():
    pairing = pair("He have it", "They has it", [(1, 2, "has", "R:VERB:SVA")], [(1, 2, "have", "R:VERB:SVA")])
    one_sided = match_twins(pairing, [edits([Edit(1, 2, ("has",))], 3)], [edits([], 3)])
    assert [(f.orig, f.aug) for f in one_sided] == [(True, False)]
    counts = table(one_sided * 12)
    assert (counts.both, counts.orig, counts.aug, counts.neither) == (0, 12, 0, 0)
    assert counts.p == pytest.approx(2 / 2**12)  # exact binomial, both tails
    assert table(one_sided * 9).p is None  # too few to say
    assert list(by_type(one_sided)) == ["VERB:SVA"]


def test_several_seeds_vote():
    pairing = pair("He have it", "They has it", [(1, 2, "has", "R:VERB:SVA")], [(1, 2, "have", "R:VERB:SVA")])
    hit, miss = edits([Edit(1, 2, ("has",))], 3), edits([], 3)
    seeds = [match_twins(pairing, [side], [miss]) for side in (hit, hit, miss)]
    assert [(f.orig, f.aug) for f in majority(seeds)] == [(True, False)]
    assert [f.orig for f in majority(seeds[1:])] == [False]  # a tie is not a majority


def test_the_gap_in_parts_leaves_out_what_divides_nothing():
    swaps = [find_swaps("he runs".split(), "they run".split()), find_swaps("he ran".split(), "they ran".split())]
    counts = np.array([[[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [1, 0, 0]]])
    pairings = {
        s.name: s
        for s in splits(swaps, counts, labels={"antecedent": ("name", "name")}, beta=0.5, resamples=100, seed=0)
    }
    assert list(pairings) == ["with verbs", "without verbs"]  # pronouns are in all pairs, one antecedent as well
    assert (pairings["with verbs"].delta.value, pairings["without verbs"].delta.value) == (-1.0, 0.0)
    labelled = splits(swaps, counts, labels={"antecedent": ("name", "definite")}, beta=0.5, resamples=100, seed=0)
    assert [(s.name, s.pairs, s.words) for s in labelled[2:]] == [
        ("antecedent: name", 1, 2),
        ("antecedent: definite", 1, 1),
    ]
