"""First names: one fixed counterpart that leads back, or another one drawn from the same initial and band."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from gec_fair.english.lexicons.lexicon import load
from gec_fair.english.lexicons.names import Names
from gec_fair.english.lexicons.paradigms import Gender

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def names() -> Names:
    return load().names


def test_mapping_twice_gives_every_name_back(names: Names) -> None:
    for entry in names.entries.values():
        back = names.counterpart(entry.name, proper=True)
        assert back is not None
        assert names.gender(back) is entry.gender.opposite
        assert names.counterpart(back, proper=True) == entry.name


def test_two_thousand_and_more_on_each_side_are_counted(names: Names) -> None:
    sides = [entry.gender for entry in names.entries.values()]
    assert sides.count(Gender.FEMININE) == sides.count(Gender.MASCULINE)
    counted = [entry.gender for entry in names.entries.values() if entry.share is not None]
    assert min(counted.count(gender) for gender in Gender) >= 2000


def test_most_names_keep_their_initial(names: Names) -> None:
    same_initial = sum(entry.name[0] == entry.counterpart[0] for entry in names.entries.values())
    assert same_initial / len(names.entries) > 0.75


def test_names_of_both_genders_are_left_out(names: Names) -> None:
    assert all((entry.other_share or 0) <= 5 for entry in names.entries.values())
    assert not [name for name in ("Casey", "Taylor", "Jessie", "Kim", "Robin") if names.gender(name)]


@pytest.mark.parametrize(
    ("word", "proper", "is_name"),
    [
        pytest.param("Michael", False, True, id="capitalised, no word: always"),
        pytest.param("MICHAEL", False, True, id="in capitals too"),
        pytest.param("michael", True, True, id="learners write names in lower case: only where tagged proper"),
        pytest.param("michael", False, False, id="lower case without a proper reading"),
        pytest.param("Will", True, True, id="Will came"),
        pytest.param("Will", False, False, id="Will you come?"),
        pytest.param("will", True, False, id="a word in lower case is never a name"),
        pytest.param("Paris", False, False, id="a place needs at least a proper noun"),
        pytest.param("ANAS", True, False, id="a rare name in four capitals is an acronym"),
        pytest.param("Table", True, False, id="no name at all"),
    ],
)
def test_how_much_evidence_a_name_takes(names: Names, word: str, proper: bool, is_name: bool) -> None:
    assert names.is_name(word, proper=proper) is is_name
    assert (names.counterpart(word, proper=proper) is not None) is is_name


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        pytest.param("Mary", "any", id="no word of English"),
        pytest.param("Grace", "proper", id="grace"),
        pytest.param("Mark", "proper", id="to mark"),
        pytest.param("Virginia", "shared", id="the state"),
        pytest.param("April", "shared", id="the month"),
        pytest.param("Xyzzy", None, id="no name"),
    ],
)
def test_names_that_are_words_or_places_say_so(names: Names, name: str, reading: str | None) -> None:
    assert names.reading(name) == reading


@pytest.mark.parametrize(("name", "case"), [("Mary", str.title), ("MARY", str.upper), ("mary", str.lower)])
def test_the_case_is_kept(names: Names, name: str, case) -> None:
    for new in (names.counterpart(name, proper=True), names.draw(name, Random(0), proper=True)):
        assert new == case(new)


def test_a_draw_has_the_other_gender_and_the_same_initial(names: Names) -> None:
    drawn = {names.draw("Mary", Random(seed)) for seed in range(40)}
    assert len(drawn) >= 3
    assert all(name[0] == "M" and names.gender(name) is Gender.MASCULINE for name in drawn)


def test_a_draw_is_fixed_by_its_generator_and_avoids_what_is_taken(names: Names) -> None:
    first = names.draw("Mary", Random(7))
    assert first == names.draw("Mary", Random(7))
    assert names.draw("Mary", Random(7), used={first.lower()}) not in (None, first)


def test_a_draw_where_the_initial_is_used_up_takes_another(names: Names) -> None:
    masculine = {key for key, entry in names.entries.items() if entry.gender is Gender.MASCULINE}
    initials = {key for key in masculine if key[0] == "m"}
    assert names.draw("Mary", Random(1), used=initials)[0] != "M"
    assert names.draw("Mary", Random(1), used=masculine) is None


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("names") is None, reason="needs the PyPI package `names`")
def test_the_committed_table_is_what_the_script_makes() -> None:
    script = ROOT / "training" / "names" / "build.py"
    run = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, "lexicons/names.tsv is stale; type: python training/names/build.py"
