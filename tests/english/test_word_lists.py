"""Closed word lists: what a row means, what is refused, and that code and tables name the same lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import gec_fair
from gec_fair.english.lexicons import agreement, check, emotions
from gec_fair.english.lexicons.tables import Row, shipped_directory, term_tokens
from gec_fair.english.lexicons.word_lists import (
    noise_groups_path,
    ordered_words,
    read_word_lists,
    table_paths,
    word_list,
    word_list_faults,
)
from gec_fair.errors import InputError

HEADER = "# What: x\n# Source: x\n# Licence: x\n# Columns: x\nlist\twords\tnote\n"
USED = re.compile(r"""\b(?:word_list|ordered_words)\(\s*['"](\w+)['"]""")


def write(folder: Path, rows: str, name: str = "lists.tsv") -> Path:
    path = folder / name
    path.write_text(HEADER + rows, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param("hues\tred blue\n", {"hues": ("red", "blue")}, id="words are separated by spaces, in order"),
        pytest.param(
            "hues\tred\nhues\tpink\tin the pink\n", {"hues": ("red", "pink")}, id="an odd word has a row with its note"
        ),
        pytest.param("ages\tyears_old aged\n", {"ages": ("years old", "aged")}, id="_ joins an expression"),
        pytest.param("third\t-\nbe\tis\n", {"third": (), "be": ("is",)}, id="- is an empty list"),
        pytest.param("span\tto - or\n", {"span": ("to", "-", "or")}, id="a hyphen among words is a word"),
        pytest.param("hues\tRed red\n", {"hues": ("Red", "red")}, id="case is kept"),
    ],
)
def test_a_row_is_a_list(tmp_path: Path, rows: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert read_word_lists(write(tmp_path, rows)) == expected


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        pytest.param("hues\tred\nhues\tblue red\n", r"^lists\.tsv:7: 'red' is in 'hues' already, by line 6;", id="row"),
        pytest.param("hues\tred red\n", r"^lists\.tsv:6: 'red' is twice in this row of 'hues'; remove one", id="twice"),
        pytest.param("\tred\n", r"^lists\.tsv:6: the list has no name; fill the first cell", id="no name"),
        pytest.param("hues\tred\tx\ty\n", r"^lists\.tsv:6: expected 3 .* columns, found 4; remove", id="four cells"),
    ],
)
def test_a_wrong_row_is_refused_with_file_line_and_remedy(tmp_path: Path, rows: str, message: str) -> None:
    path = write(tmp_path, rows)
    with pytest.raises(InputError, match=message):
        read_word_lists(path)
    assert re.match(message, word_list_faults([path])[0])


def test_a_wrong_column_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lists.tsv"
    path.write_text("list\tterms\nhues\tred\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"^lists\.tsv:1: expected the column names list words .* found list terms"):
        read_word_lists(path)


def test_a_list_is_in_one_table_only(tmp_path: Path) -> None:
    paths = [write(tmp_path, "hues\tred\n"), write(tmp_path, "hues\tblue\n", "others.tsv")]
    assert word_list_faults(paths) == [
        "others.tsv:6: the list 'hues' is in lists.tsv:6 already; rename one, or move its rows there"
    ]


def test_check_names_every_fault_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "hues\tred red\n\tblue\nhues\tpink\nhues\tpink\n")
    assert [fault.split(":")[1] for fault in word_list_faults([path])] == ["6", "7", "9"]


def test_an_unknown_list_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match=r"no word list is called 'coordinater'; did you mean coordinators\?; add"):
        word_list("coordinater")


def test_a_list_is_a_set_or_a_sequence() -> None:
    assert word_list("tens") == frozenset(ordered_words("tens"))
    assert ordered_words("tens")[:2] == ("twenty", "thirty")


def test_the_shipped_tables_are_sound() -> None:
    assert list(check.shared_table_faults()) == []
    assert {path.name for path in (shipped_directory() / "closed").glob("*.tsv")} == {
        path.name for path in check.shared_tables() if path.parent.name == "closed"
    }


def test_code_and_tables_name_the_same_lists() -> None:
    package = Path(gec_fair.__file__).parent
    modules = [path for path in package.rglob("*.py") if path.name != "word_lists.py"]
    used = {name for path in modules for name in USED.findall(path.read_text(encoding="utf-8"))}
    assert used == {name for path in table_paths() for name in read_word_lists(path)}


def test_a_group_of_noise_is_a_list() -> None:
    groups = read_word_lists(noise_groups_path())
    assert groups["article"] == ("a", "an", "the")
    assert groups["third"] == ()


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        pytest.param("old age pensioner", [["old", "age", "pensioner"]], id="tokens are separated by spaces"),
        pytest.param(
            "mother-in-law", [["mother-in-law"], ["mother", "-", "in", "-", "law"]], id="hyphens attached, or detached"
        ),
    ],
)
def test_a_term_is_matched_in_each_tokenisation(term: str, expected: list[list[str]]) -> None:
    assert [list(tokens) for tokens in term_tokens(term)] == expected


@pytest.mark.parametrize(
    ("parse", "cells", "message"),
    [
        pytest.param(agreement.parse_agreement, ("is", "", "open"), "a form is empty; fill", id="half a pair"),
        pytest.param(agreement.parse_agreement, ("is", "are", "be"), "class is auxiliary or open, not", id="class"),
        pytest.param(emotions.parse_emotions, ("sad", "sadnes"), "'sadnes' is none of joy, sadness", id="emotion"),
        pytest.param(emotions.parse_emotions, ("", "joy"), "the row has no word; fill", id="no word"),
    ],
)
def test_a_wrong_row_of_a_typed_table_is_refused(
    parse: Callable[[Row], object], cells: tuple[str, ...], message: str
) -> None:
    with pytest.raises(InputError, match=f"^t.tsv:7: {message}"):
        parse(Row(Path("t.tsv"), 7, cells))


def test_the_page_counts_the_lists_of_every_table() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/lexicons.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+\.tsv)` \| (\d+) \|", page.partition("## Closed word lists")[2], re.MULTILINE)
    assert dict(rows) == {path.name: str(len(read_word_lists(path))) for path in table_paths()}
