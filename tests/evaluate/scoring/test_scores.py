"""Counts and scores; against ERRANT's own comparison on random edits."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_fair.edits import m2, split_spaces
from gec_fair.edits.edit import Edit, edits
from gec_fair.errors import UsageError
from gec_fair.evaluate.scoring.counts import Counts, total
from gec_fair.evaluate.scoring.scores import MEASURES, by_level, score

compare_m2 = pytest.importorskip("errant.commands.compare_m2")

LENGTH = 8
SOURCE = split_spaces(" ".join("abcdefgh"))
FLAGS = {"correction": "cs", "typed": "cse", "spans": "ds", "tokens": "dt"}


def edits_of(*items, length=LENGTH):
    return edits((Edit(start, end, tuple(new.split()), kind) for start, end, new, kind in items), length)


@st.composite
def annotation(draw):
    """Disjoint edits; with some insertions at one place, as annotators make them."""
    borders = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=6)))
    outcomes = []
    for start, end in zip(borders[::2], borders[1::2], strict=False):
        stop = draw(st.sampled_from([start, end]))
        kind = draw(st.sampled_from(["R:NOUN", "R:VERB:SVA", "M:DET", "U:PREP", "UNK"]))
        new = draw(st.sampled_from(["x", "y", "x y", ""] if stop > start else ["x", "y"]))
        outcomes.append(Edit(start, stop, tuple(new.split()), kind))
    return edits(outcomes, LENGTH)


def theirs(hypotheses, references, measure):
    """errant_compare's loop over rendered M2."""
    flags = {name: name == FLAGS[measure] for name in ("dt", "ds", "cs", "cse")}
    args = Namespace(**flags, single=False, multi=False, filt=[], beta=0.5, verbose=False, cat=3)
    best, types = Counter(tp=0, fp=0, fn=0), {}
    for n, (mine, gold) in enumerate(zip(hypotheses, references, strict=True)):
        both = [m2.render(SOURCE, [("0", mine)]), m2.render(SOURCE, [(str(k), g) for k, g in enumerate(gold)])]
        sides = [compare_m2.process_edits(compare_m2.simplify_edits(text.strip()), args) for text in both]
        counts, outcome = compare_m2.evaluate_edits(*sides, best, n, "", args)
        best += Counter(counts)
        types = compare_m2.merge_dict(types, outcome)
    return (best["tp"], best["fp"], best["fn"]), {k: tuple(v) for k, v in types.items()}


@pytest.mark.parametrize("measure", MEASURES)
@given(st.lists(st.tuples(annotation(), st.lists(annotation(), min_size=1, max_size=3)), min_size=1, max_size=6))
def test_counts_are_those_of_errant_compare(measure, sentences):
    mine, gold = [m for m, _ in sentences], [g for _, g in sentences]
    # ERRANT makes no entry for an annotator whose edits are all filtered out but keeps one without edits (noop)
    scores = score(mine, gold, measure=measure)
    counts, types = theirs(mine, gold, measure)
    assert (scores.counts.tp, scores.counts.fp, scores.counts.fn) == counts
    assert {k: (c.tp, c.fp, c.fn) for k, c in scores.types.items()} == types


@pytest.mark.parametrize(
    ("replacements", "hypothesis", "expected", "why"),
    [
        ("goes||went", (1, 2, "goes"), (1, 0, 0), "the first"),
        ("goes||went", (1, 2, "went"), (1, 0, 0), "another"),
        ("goes||went", (1, 2, "gone"), (0, 1, 1), "none of them"),
        ("goes||went", (0, 2, "went"), (0, 1, 1), "another span"),
        ("goes||-NONE-", (1, 2, ""), (1, 0, 0), "the one that deletes"),
        ("goes||went", None, (0, 0, 1), "nothing done"),
    ],
    ids=lambda value: value if isinstance(value, str) and "||" not in value else None,
)
def test_the_alternative_that_the_hypothesis_has_is_the_gold(replacements, hypothesis, expected, why):
    gold = edits([m2.edit_of(1, 2, replacements, "R:VERB")], LENGTH)
    mine = edits_of() if hypothesis is None else edits_of((*hypothesis, "R:VERB"))
    for measure in ("correction", "typed"):
        counts = score([mine], [[gold]], measure=measure).counts
        assert (counts.tp, counts.fp, counts.fn) == expected


@pytest.mark.parametrize(
    ("counts", "p", "r", "f", "why"),
    [
        (Counts(), 1, 1, 1, "nothing to do and nothing done"),
        (Counts(fn=3), 1, 0, 0, "an unchanged text"),
        (Counts(fp=2), 0, 1, 0, "edits where none were needed"),
        (Counts(tp=1, fp=1, fn=3), 0.5, 0.25, 0.4167, "the formula"),
    ],
    ids=lambda v: v if isinstance(v, str) else None,
)
def test_precision_recall_f(counts, p, r, f, why):
    assert (counts.precision, counts.recall, round(counts.f(), 4)) == (p, r, f)


def test_the_annotator_of_a_sentence_is_the_one_who_helps_the_corpus_most():
    mine = edits_of((0, 1, "x", "R:NOUN"))
    strict, kind = edits_of((0, 1, "y", "R:NOUN"), (3, 4, "z", "R:VERB")), edits_of((0, 1, "x", "R:NOUN"))
    scores = score([mine], [[strict, kind]])
    assert scores.chosen == (1,)
    assert scores.counts == Counts(tp=1)


def test_types_by_level():
    types = {"R:NOUN:NUM": Counts(1, 0, 0), "M:NOUN:NUM": Counts(0, 1, 0), "UNK": Counts(0, 0, 2)}
    assert by_level(types, 1) == {"M": Counts(0, 1, 0), "R": Counts(1, 0, 0), "UNK": Counts(0, 0, 2)}
    assert by_level(types, 2) == {"NOUN:NUM": Counts(1, 1, 0), "UNK": Counts(0, 0, 2)}
    assert list(by_level(types, 3)) == ["M:NOUN:NUM", "R:NOUN:NUM", "UNK"]
    assert total(types.values()) == Counts(1, 1, 2)
    with pytest.raises(UsageError, match="--cat"):
        by_level(types, 4)


def test_a_measure_that_does_not_exist():
    with pytest.raises(UsageError, match="correction, typed"):
        score([], [], measure="vibes")
