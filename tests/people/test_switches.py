"""The benchmark of persons: what it counts, and how functions are switched off."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import people  # noqa: E402
import switches  # noqa: E402

from gec_fair.augmentation.options import Options  # noqa: E402
from gec_fair.augmentation.rewriter import Rewriter  # noqa: E402
from gec_fair.corpus.records import Pair  # noqa: E402
from gec_fair.english.lexicons import lexicon  # noqa: E402

REWRITER = Rewriter(Options("fm"))
SENTENCES = [
    ("Anna lost her keys .", "B....", {"right": 1, "wrong": 0, "gold": 1, "reached": 1}, "a person"),
    ("Anna lost her keys .", ".....", {"right": 0, "wrong": 1, "gold": 0, "reached": 0}, "no person by the gold"),
    ("We met Zzyzx Smith .", "..BI.", {"right": 0, "wrong": 0, "gold": 0, "reached": 0}, "a name of no table"),
    ("The queen lost her keys .", "......", {"right": 0, "wrong": 0, "gold": 0, "reached": 0}, "a noun is no name"),
    ("I like Anna 's friend Maria .", "..B..B.", {"right": 2, "wrong": 0, "gold": 2, "reached": 2}, "two persons"),
]


@pytest.mark.parametrize(("text", "tags", "expected", "why"), SENTENCES, ids=[row[3] for row in SENTENCES])
def test_a_changed_name_inside_a_gold_person_is_right(text, tags, expected, why):
    sentence = people.Tagged(text.split(), [tag.strip(".") for tag in tags])
    [outcome] = REWRITER.step([Pair("", 1, text, "")])
    counts = people.judge_names(sentence, outcome, lexicon.load())
    assert {name: counts[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.conll", "Al\tB-person\nGore\tI-person\nran\tO\n\nIt\tO\n"),
        ("b.conll", "Al I-PER\nGore I-PER\nran O\n\nIt O\n"),
    ],
    ids=["BIO in columns", "IO apart by spaces"],
)
def test_entities_are_read_in_every_form(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert [sentence.tags for sentence in people.read_entities(path)] == [["B", "I", ""], [""]]


@pytest.mark.parametrize(
    ("current", "status"), [({"a"}, "same"), (set(), "withheld"), ({"b"}, "changed")], ids=["same", "none", "another"]
)
def test_a_rewriting_that_was_read_is_made_still_or_not(current, status):
    assert people.Verdict("wi", "fm", "text", {"a": "clean"}, frozenset(current)).status("a") == status


def test_a_text_is_in_one_half_and_the_halves_are_alike_in_size():
    assert 450 < sum(people.is_judge(str(number)) for number in range(1000)) < 550


def test_a_function_is_exchanged_wherever_it_is_held_and_comes_back():
    rule = "augmentation/planning/noun_swaps:is_glued_to_counterpart"
    from gec_fair.augmentation.planning import fm  # another module that holds it
    from gec_fair.augmentation.planning.noun_swaps import is_glued_to_counterpart

    words = "Sir /Madam".split()
    match = lexicon.load().nouns.swap_noun(words, 0)
    with switches.replaced(rule, switches.neutral(rule, "False")):
        assert not is_glued_to_counterpart(words, match)
        assert not fm.is_glued_to_counterpart(words, match)
    assert is_glued_to_counterpart(words, match)


NEUTRAL = [
    ("people/citations:is_citation", "False", False),
    ("people/citations:citations", "empty", set()),
    ("people/impersonal_names:find_rulers", "empty", ()),
    ("people/terms/readings:_find_described", "None", None),
]


@pytest.mark.parametrize(("rule", "usual", "answer"), NEUTRAL, ids=[row[0] for row in NEUTRAL])
def test_a_rule_that_is_off_says_nothing(rule, usual, answer):
    assert switches.neutral(rule, usual)(None)() == answer


def test_every_rule_of_the_registry_is_there():
    assert all(switches.find(row["rule"]) for row in switches.read_rules())
