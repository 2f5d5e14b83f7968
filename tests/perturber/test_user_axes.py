"""A user's tables add terms, attributes and axes to the perturber's."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest

from gec_fair.edits import edit_words
from gec_fair.english.lexicons.tables import shipped_directory
from gec_fair.errors import InputError, UsageError
from gec_fair.people.terms.lexicon import load
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.rewriting.sampling import choices
from gec_fair.perturber.words.check import check, check_axes
from tests.cli.invoke import run

AXES = str(Path(__file__).parents[2] / "lexicons/axes")
HEADER = "# What: x\n# Source: x\n# Licence: x\n# Columns: x\n"
TERMS = HEADER + "term\tplural\taxis\tattribute\treading\tnote\n"
TARGETS = HEADER + "attribute\tadjective\tnoun\tplural\n"


@cache
def perturbing(**options):
    return Perturbing(PerturbOptions(lexicon=AXES, tokenised=True, **options))


REWRITINGS = [
    ("A Muslim neighbour waved .", "muslim", "jewish", "A Jewish neighbour waved .", "an adjective"),
    ("Many Hindus live here .", "hindus", "buddhist", "Many Buddhists live here .", "a plural noun"),
    ("An atheist spoke to her .", "atheist", "christian", "A Christian spoke to her .", "the article follows"),
    ("Two Frenchmen met us .", "frenchmen", "german", "Two German men met us .", "a noun that says a gender too"),
    ("We met Christian Bale .", "christian", "jewish", "We met Christian Bale .", "a first name"),
    ("She is deaf .", "deaf", "blind", "She is blind .", "said of somebody"),
    ("Straight men left .", "straight", "gay", "Gay men left .", "a capital stays"),
    ("He drew a straight line .", "straight", "gay", "He drew a straight line .", "a thing"),
    ("Her blind faith helped .", "blind", "deaf", "Her blind faith helped .", "a saying"),
    ("We drank French wine .", "french", "german", "We drank French wine .", "a thing of a nation"),
    ("A German cook left .", "german", "unstated-nationality", "A cook left .", "taken away"),
    ("Two Turks left .", "turks", "unstated-nationality", "Two people left .", "a noun taken away"),
    ("Two Irishmen left .", "irishmen", "unstated-nationality", "Two Irishmen left .", "its gender would go too"),
    ("Hindus and Sikhs left .", "hindus", "unstated-religion", "Hindus and Sikhs left .", "people and Sikhs"),
    ("A Sikh doctor left .", "sikh", "hindu", "A Hindu doctor left .", "an attribute that is only said"),
]


@pytest.mark.parametrize(("text", "word", "target", "expected", "why"), REWRITINGS, ids=[row[4] for row in REWRITINGS])
def test_a_users_axes_are_rewritten_as_race_is(text, word, target, expected, why):
    (read,) = perturbing().read([(text,)])
    pairs = choices(read, removes=True)
    plans = [perturbing().rules.plan(read, places[0]) for pair, places in pairs.items() if pair == (word, target)]
    assert {" ".join(edit_words(plan, read.tokens.words)) for plan in plans} <= {expected}
    assert bool(plans) or expected == text


def test_one_word_may_be_of_two_axes():
    (text,) = perturbing().read([("A German baker left .",)])
    assert {choice.word.axis for places in choices(text).values() for choice in places} == {"race", "nationality"}


def test_nothing_becomes_what_is_only_said():
    (text,) = perturbing().read([("A Muslim left .",)])
    assert "another-religion" not in {target for _, target in choices(text)}


def test_an_attribute_of_a_users_axis_is_inserted():
    with_tables = perturbing(axes=("disability",), targets=("deaf",), insert=True)
    (result,) = with_tables([("Do women cheat more ?",)], ["a:1"])
    assert result.fields == ("Do deaf women cheat more ?",)


def test_a_users_term_replaces_ours_of_the_same_axis(tmp_path):
    (tmp_path / "demographics.tsv").write_text(TERMS + "indian\tindians\trace\tsouth-asian\tperson\t\n")
    (tmp_path / "targets.tsv").write_text(TARGETS + "south-asian\tSouth Asian\tSouth Asian\tSouth Asians\n")
    tables = load(str(tmp_path))
    assert {term.attribute for term in tables.terms["indian"] if term.words == ("indian",)} == {"south-asian"}
    assert tables.axes.attributes["race"][-1] == "south-asian"
    assert tables.axes.attributes["age"] == load().axes.attributes["age"]


def test_a_run_and_its_page_know_the_axes_without_the_tables(tmp_path):
    corpus, tables = tmp_path / "corpus.txt", tmp_path / "tables"
    corpus.write_text("A Muslim neighbour waved .\nIt rained .\n")
    tables.mkdir()
    for path in Path(AXES).glob("*.tsv"):
        (tables / path.name).write_bytes(path.read_bytes())
    options = ("perturb", str(corpus), "-o", str(tmp_path / "out"), "--lexicon", str(tables), "--axes", "religion")
    result = run(*options)
    assert result.code == 0, result.stderr
    assert "religion" in result.stdout
    for path in tables.iterdir():
        path.unlink()
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert manifest["options"]["user_axes"]["muslim"] == "religion"
    page = run("show", str(tmp_path / "out"), "--plain")
    assert page.code == 0, page.stderr


FAULTS = [
    (TERMS + "goth\tgoths\tstyle\tgoth\tnoun\t\n", TARGETS, "demographics.tsv:6: reading is one of", "a reading"),
    (TERMS + "\tgoths\tstyle\tgoth\tperson\t\n", TARGETS, "demographics.tsv:6: a row needs a term", "no term"),
    (TERMS + "old\t-\tstyle\tsenior\tadjective\t\n", TARGETS, "demographics.tsv:6: 'senior' is an", "another axis"),
    (TERMS, TARGETS + "goth\tGoth\tGoth\tGoths\n", "targets.tsv:6: no term has the attribute 'goth'", "no term of it"),
    (
        TERMS + "goth\tgoths\tstyle\tgoth\tperson\t\n",
        TARGETS + "goth\tGoth\t\t\n",
        "targets.tsv:6: 'goth' lacks its adjective, noun or plural",
        "a form is missing",
    ),
]


@pytest.mark.parametrize(("terms", "targets", "message", "why"), FAULTS, ids=[row[3] for row in FAULTS])
def test_a_fault_is_reported_with_file_line_and_remedy(tmp_path, terms, targets, message, why):
    (tmp_path / "demographics.tsv").write_text(terms)
    (tmp_path / "targets.tsv").write_text(targets)
    assert any(fault.startswith(message) for fault in check(tmp_path).faults)
    assert run("lexicon", "check", str(tmp_path)).code == 2
    with pytest.raises(InputError, match=message):
        load(str(tmp_path))


def test_two_rows_of_one_term_are_reported(tmp_path):
    row = "goth\tgoths\tstyle\tgoth\tperson\t\n"
    (tmp_path / "demographics.tsv").write_text(TERMS + row + row)
    assert check(tmp_path).faults[0] == "demographics.tsv:6: 'goth' has 2 rows of one axis and reading; keep one"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"axes": ("faith",)}, "no axis is called 'faith'"),
        ({"lexicon": "absent-folder"}, "absent-folder: no such directory"),
        ({"perturber": "neural:model"}, "min_sure and the unstated targets are for rules"),
        ({"axes": ("religion",), "targets": ("deaf",)}, "nothing can become deaf"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        PerturbOptions(**{"lexicon": AXES, **options})


def test_the_shipped_tables_are_sound():
    assert check().faults == check_axes().faults == ()


def test_a_fault_of_the_further_axes_names_their_folder(tmp_path, monkeypatch):
    (tmp_path / "demographics.tsv").write_text(TERMS + "goth\tgoths\tstyle\tgoth\tnoun\t\n")
    (tmp_path / "targets.tsv").write_text(TARGETS)
    monkeypatch.setattr("gec_fair.perturber.words.check.axes_directory", lambda: tmp_path)
    assert check_axes().faults[0].startswith("axes/demographics.tsv:6: reading is one of")


def test_a_people_without_a_term_is_a_fault(tmp_path, monkeypatch):
    shutil.copytree(shipped_directory(), tmp_path / "lexicons")
    with (tmp_path / "lexicons" / "peoples.tsv").open("a") as table:
        table.write("white\tRuritanian\tRuritanian\tRuritanians\n")
    monkeypatch.setattr("gec_fair.perturber.words.check.shipped_directory", lambda: tmp_path / "lexicons")
    singular, plural = check().faults
    assert "'Ruritanian' is not a term of white" in singular
    assert "'Ruritanians' is not a term of white" in plural
