"""CSV as input: quoted cells, what is not CSV, one row for each record, in runs and in scores."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gec_fair as gf
from gec_fair.corpus import read
from gec_fair.corpus.formats.csv_rows import csv_rows
from gec_fair.corpus.outcome import Malformed
from gec_fair.data.user_tables import valid_rows
from gec_fair.errors import InputError
from tests.cli.invoke import run

CELLS = st.text(st.characters(exclude_characters="\x00\r", exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), max_size=5))
def test_what_pythons_writer_writes_is_read(rows):

    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(rows)
    lines = [line + b"\n" for line in buffer.getvalue().encode().split(b"\n")[:-1]]
    assert list(csv_rows(lines)) == rows


ROWS = """id,source,target
1,"He said , "" hi "" .","He said , "" hi "" ."
2,It rain .,It rains .
3,only one
4,"never closed,b
5,"two
lines","two
lines"
6,She go .,She goes .
"""


def test_each_record_is_a_pair_or_a_fault(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(ROWS)
    values = [record.value for record in read(path)]
    assert [getattr(value, "reason", "pair") for value in values] == [
        "pair",
        "pair",
        "columns",
        "bad_csv",
        "tab_or_break",
        "pair",
    ]
    assert (values[0].source, values[0].fields) == ('He said , " hi " .', {"id": "1"})


def test_a_run_over_csv_keeps_the_other_columns_and_resumes_from_nothing_lost(tmp_path):
    (tmp_path / "pairs.csv").write_text("id,before,after\n7,She go .,She goes .\n")
    words = ("augment", "fm", tmp_path / "pairs.csv", "--fields", "before,after", "-o", tmp_path / "out")
    assert run(*words).code == 0
    assert (tmp_path / "out/pairs.tsv").read_text() == "He go .\tHe goes .\n"
    row = json.loads((tmp_path / "out/augmented.jsonl").read_text())
    assert row == {"before": "He go .", "after": "He goes .", "id": "7"}


def test_columns_may_be_numbers_where_there_is_no_header(tmp_path):
    (tmp_path / "pairs.csv").write_text("x,She go .,She goes .\n")
    (record,) = read(tmp_path / "pairs.csv", fields=("2", "3"))
    assert record.value.target == "She goes ."


def test_an_unknown_column_is_refused_with_those_that_there_are(tmp_path):
    (tmp_path / "pairs.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"pairs\.csv:1: no column named 'source'; name two of a, b with --fields"):
        list(read(tmp_path / "pairs.csv"))


def test_bytes_that_are_not_utf8_are_one_fault(tmp_path):
    (tmp_path / "pairs.csv").write_bytes(b"source,target\nShe go .,\xff\nHe go .,He goes .\n")
    first, second = (record.value for record in read(tmp_path / "pairs.csv"))
    assert (isinstance(first, Malformed), first.reason, second.source) == (True, "invalid_utf8", "He go .")


def test_outputs_and_references_are_columns_of_one_table(tmp_path):
    table = tmp_path / "all.csv"
    table.write_text("learner,gold,mine\nShe go .,She goes .,She goes .\nIt rain .,It rains .,It rain .\n")
    words = ("score", "--hyp", table, "--ref", table, "--column", "mine", "--fields", "learner,gold", "--json")
    (report,) = json.loads(run(*words).stdout)
    expected = gf.score(["She goes .", "It rain ."], ["She goes .", "It rains ."], ["She go .", "It rain ."])
    assert (
        (report["tp"], report["fn"], report["f0.5"]) == (expected.tp, expected.fn, expected.f) == (1, 1, report["f0.5"])
    )
    assert gf.score(table, table, column="mine", fields=("learner", "gold")).f == expected.f
    done = run(*words[:-5], "--column", "yours", "--fields", "learner,gold")
    assert (done.code, "no column named 'yours'; there are learner, gold, mine" in done.stderr) == (2, True)


TABLES = [
    (
        "t.tsv",
        '"He go .\tHe goes .\nShe say "hi\tShe says "hi"\n',
        [('"He go .', "He goes ."), ('She say "hi', 'She says "hi"')],
    ),
    ("t.tsv", '"I ""go"" ."\tI go .\n"two\nlines"\tb\n', [('I "go" .', "I go ."), ("two\nlines", "b")]),
    ("t.csv", 'He say "hi",b\n"a, ""b""",c\n', [('He say "hi"', "b"), ('a, "b"', "c")]),
]


@pytest.mark.parametrize(("name", "content", "cells"), TABLES, ids=["open", "quoted", "commas"])
def test_a_quotation_mark_that_closes_nothing_is_a_letter(name, content, cells, tmp_path):
    """No line is swallowed."""
    path = tmp_path / name
    path.write_text(f"source{',' if name == 't.csv' else chr(9)}target\n{content}")
    assert [tuple(row.values()) for _, row in valid_rows(path)] == cells


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", 'a,b\n"He go .,He goes .\nShe say hi .,She says "hi" .\n'),
        ("t.csv", 'a,b\n"He go .,He goes .\nI go .,I go .\n'),
        ("t.tsv", 'a\tb\tc\n"He go .\tHe goes .\n'),
    ],
    ids=["closed too late", "never closed", "too few columns"],
)
def test_a_quotation_mark_that_would_swallow_a_line_is_named(name, content, tmp_path):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=r"t\..sv:\d: is not a row of a table .*; close its quotes"):
        list(valid_rows(path))
