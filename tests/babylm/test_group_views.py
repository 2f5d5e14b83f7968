"""The views of a sentence with the words of each group: which words are taken, and how the others are written."""

from __future__ import annotations

import pytest

from gec_fair.babylm.debiasing.group_views import may_hold, views
from gec_fair.english.lexicons import group_words
from gec_fair.errors import InputError

RELIGION = [
    ("A rabbi met the Jews.", "A priest met the Christians.", "An imam met the Muslims.", "the article follows"),
    ("She is Jewish.", "She is Christian.", "She is Muslim.", "said of somebody"),
    ("He is a devout Jew.", "He is a devout Christian.", "He is a devout Muslim.", "a noun, by its article"),
    ("A Jewish family came.", "A Christian family came.", "A Muslim family came.", "before a noun"),
    ("Rabbis read a Torah.", "Priests read a Bible.", "Imams read a Quran.", "a capital of the sentence"),
    ("a rabbi saw jews", "a priest saw christians", "an imam saw muslims", "a text without capitals"),
    ("JUDAISM is old.", "CHRISTIANITY is old.", "ISLAM is old.", "all in capitals"),
    ("The Jewish-owned shop.", "The Christian-owned shop.", "The Muslim-owned shop.", "hyphens stay attached"),
    ("“Jews pray,” she said.", "“Christians pray,” she said.", "“Muslims pray,” she said.", "in quotation marks"),
    ("He is non-Jewish.", "He is non-Christian.", "He is non-Muslim.", "with a prefix"),
]
RACE = [
    ("A black nurse waited.", "A white nurse waited.", "An Asian nurse waited.", "the article follows"),
    ("Black students waited.", "White students waited.", "Asian students waited.", "a capital of the sentence"),
    ("some black women waited", "some white women waited", "some asian women waited", "a text without capitals"),
    ("An African American waited.", "A European American waited.", "An Asian American waited.", "a noun of two words"),
    (
        "African-American voters waited.",
        "European-American voters waited.",
        "Asian-American voters waited.",
        "hyphens stay attached",
    ),
    ("A tall African waited.", "A tall European waited.", "A tall Asian waited.", "a person of a continent"),
    ("THE BLACK WOMEN WAITED.", "THE WHITE WOMEN WAITED.", "THE ASIAN WOMEN WAITED.", "all in capitals"),
]
AXES = [*((row, "religion") for row in RELIGION), *((row, "race") for row in RACE)]


@pytest.mark.parametrize(("row", "axis"), AXES, ids=[f"{axis}: {row[3]}" for row, axis in AXES])
def test_each_view_is_written_from_each_other(row, axis):
    texts = row[:3]
    for text in texts:
        assert views([text], axis) == [texts]


def test_of_several_words_of_a_group_the_first_row_counts():
    poets = ("Two African poets met.", "Two European poets met.", "Two Asian poets met.")
    assert views(poets, "race") == [poets, poets, ("Two black poets met.", "Two white poets met.", poets[2])]
    assert views(["A pastor met a Catholic priest."], "religion") == [
        ("A rabbi met a Jewish rabbi.", "A pastor met a Catholic priest.", "An imam met a Muslim imam.")
    ]


LEFT_OUT = [
    ("The church was full of Muslims.", "religion", "two groups"),
    ("It rains.", "religion", "no group"),
    ("They met at the Church of Ulm.", "religion", "a building's name"),
    ("The actor Christian Bale waited.", "religion", "a first name"),
    ("The fans of the All Blacks waited.", "race", "a team"),
    ("She blacks my boots every day.", "race", "a verb"),
    ("A European shopping mall closed.", "race", "a thing of a continent"),
    ("The black car stopped at the White House.", "race", "colours and names of things"),
    ("An African river is long.", "race", "a river"),
    ("Blacks and Asians left.", "race", "two groups"),
]


@pytest.mark.parametrize(("text", "axis", "why"), LEFT_OUT, ids=[row[2] for row in LEFT_OUT])
def test_a_sentence_without_exactly_one_group_is_left_out(text, axis, why):
    assert views([text], axis) == []


def test_a_sentence_that_may_hold_no_word_is_not_parsed():
    assert may_hold("he is a rabbi".split(), "religion")
    assert not may_hold("he is a baker".split(), "religion")


HEADER = "# What: x\n# Source: x\n# Licence: x\n# Columns: x\nreading\tjewish\tchristian\tmuslim\tnote\n"
FAULTS = [
    ("verb\tpray\tpray\tpray\t\n", "religion.tsv:6: reading is one of any, adjective, noun, of-people", "a reading"),
    ("any\trabbi\t-\timam\t\n", "religion.tsv:6: a group has no form; fill in all of jewish, christian", "no form"),
    (
        "any\trabbi\tpriest\timam\t\nany\timam\tpastor\tmullah\t\n",
        "religion.tsv:7: 'imam' is of muslim and of",
        "of two",
    ),
    ("any\trabbi\tpriest\timam\t\n" * 2, "religion.tsv:7: the row stands also in line 6; remove one", "twice"),
    ("any\trabbi\tpriest\timam\t\tx\n", "religion.tsv:6: expected 5", "too many cells"),
]


@pytest.mark.parametrize(("rows", "message", "why"), FAULTS, ids=[row[2] for row in FAULTS])
def test_a_fault_of_a_table_is_reported_with_file_line_and_remedy(rows, message, why, tmp_path, monkeypatch):
    (tmp_path / "religion.tsv").write_text(HEADER + rows)
    monkeypatch.setattr(group_words, "table_path", lambda axis: tmp_path / f"{axis}.tsv")
    assert [fault for fault in group_words.faults("religion") if fault.startswith(message)]
    if why not in ("of two", "twice"):
        group_words.load.cache_clear()
        with pytest.raises(InputError, match=r"religion\.tsv:6"):
            group_words.load("religion")
        group_words.load.cache_clear()


@pytest.mark.parametrize("axis", group_words.GROUPS)
def test_the_shipped_tables_are_sound(axis):
    assert not list(group_words.faults(axis))
