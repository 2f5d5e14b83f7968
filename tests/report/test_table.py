"""One table: how it reads, that CSV and JSON keep the values, and that no command draws another by hand."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gec_fair
from gec_fair.cli import cli
from gec_fair.cli.options.results import _draw
from gec_fair.report.page import write_tables
from gec_fair.report.table import Column, Table, right
from tests.cli.invoke import run

CELLS = [
    (1234567, "{:,}", "1,234,567", "thousands"),
    (94.1234, "{:.1f} %", "94.1 %", "a share"),
    (0.8562, "{:+.2f}", "+0.86", "a difference has its sign"),
    (3, "**{}**", "**3**", "a bold cell"),
    ("none", "{}", "none", "a text"),
    ("", "{}", "", "an empty text"),
    (None, "{:.2f}", "–", "unknown"),
    (2.5, "{:.2f} ± {sd:.2f}", "2.50 ± 0.25", "another value of the record"),
    (2.5, "{:.1f} [{low:.2f}, {high:+.2f}]", "2.5 [-0.80, +2.60]", "an interval"),
    (2.5, "{:.1f} ± {missing:.2f}", "–", "unknown where one of its values is"),
    (2.5, ("{:.1f} ± {missing:.2f}", "{:.1f}"), "2.5", "the first template whose values are known"),
    (True, lambda record: "yes" if record["x"] else "no", "yes", "a function of the record"),
    (None, lambda record: None, "–", "a function that does not know either"),
]


@pytest.mark.parametrize(("value", "text", "expected"), [case[:3] for case in CELLS], ids=[case[3] for case in CELLS])
def test_a_cell_has_a_value_and_a_form(value, text, expected):
    record = {"x": value, "sd": 0.25, "low": -0.8, "high": 2.6, "missing": None}
    assert Column("x", text, unknown="–").cell(record) == expected


def systems():
    return Table(
        "systems",
        "F0.5 by system, 95 % interval",
        (
            {"system": "ours_1", "f": 71.23456, "low": 69.87, "high": 72.51, "n": 1200},
            {"system": "copy", "f": None, "low": None, "high": None, "n": 0},
            {"system": "a paper's"},
        ),
        columns=(
            Column("system", header=""),
            right("f", "{:.2f} [{low:.2f}, {high:.2f}]", "F0.5", "–"),
            right("n", "{:,}"),
        ),
    )


def test_markdown_is_a_line_a_record_and_what_a_record_does_not_have_is_blank():
    assert systems().markdown().split("\n") == [
        "| | F0.5 | n |",
        "| --- | ---: | ---: |",
        "| ours_1 | 71.23 [69.87, 72.51] | 1,200 |",
        "| copy | – | 0 |",
        "| a paper's | | |",
    ]


def test_padded_markdown_stands_in_columns_of_a_terminal():
    table = Table("wide", "Wide", ({"name": "日本", "n": 5}, {"name": "a|b\u0301", "n": 12345}))
    assert table.markdown(padded=True).split("\n") == [
        "| name   |     n |",
        "|:-------|------:|",
        "| 日本   |     5 |",
        "| a\\|b\u0301   | 12345 |",
    ]


def test_csv_has_every_value_in_full_precision():
    assert systems().csv().split("\n") == [
        "system,f,low,high,n",
        "ours_1,71.23456,69.87,72.51,1200",
        "copy,,,,0",
        "a paper's,,,,",
        "",
    ]


def test_json_has_every_key_in_every_row():
    rows = json.loads(systems().json())
    assert rows[0] == {"system": "ours_1", "f": 71.23456, "low": 69.87, "high": 72.51, "n": 1200}
    assert rows[2] == {"system": "a paper's", "f": None, "low": None, "high": None, "n": None}


def test_latex_is_a_booktabs_table_with_its_signs_escaped():
    assert systems().latex().split("\n") == [
        r"\begin{table}[t]",
        r"\caption{F0.5 by system, 95 \% interval}",
        r"\label{tab:systems}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r" & F0.5 & n \\",
        r"\midrule",
        r"ours\_1 & 71.23 [69.87, 72.51] & 1,200 \\",
        r"copy & – & 0 \\",
        r"a paper's &  &  \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ]


BY_NAME = [
    ({"x": 1.234}, {}, "1.23", "two digits"),
    ({"x": 1200}, {}, "1200", "whole numbers as they are"),
    ({"x": 1.25, "x_pm": 0.5}, {}, "1.25 ± 0.50", "± is in the cell"),
    ({"x": 1.25, "x_low": 1.0, "x_high": 2.0}, {"digits": 1}, "1.2 [1.0, 2.0]", "so is the interval"),
    ({"gap": -1.5, "low": -2.0, "high": 0.25}, {}, "-1.50 [-2.00, +0.25]", "a difference has its sign"),
    ({"set gap": 1.5}, {}, "+1.50", "of any set"),
    ({"p": 0.0004}, {}, "< 0.001", "a small p"),
    ({"p": 0.0123}, {"digits": 1}, "0.012", "a p has three digits"),
    ({"share %": 12.345}, {}, "12.3", "a percentage has one"),
    ({"x": None}, {"unknown": "no data"}, "no data", "unknown"),
    ({"x": 0.12345}, {"digits": {"x": 4}}, "0.1235", "digits by column"),
    ({"x": 0.12345}, {"digits": {"y": 4}}, "0.1", "one digit in the others"),
]


@pytest.mark.parametrize(("record", "options", "expected"), [c[:3] for c in BY_NAME], ids=[c[3] for c in BY_NAME])
def test_without_columns_a_figure_is_written_by_its_name(record, options, expected):
    assert Table("t", "T", (record,), **options).rows() == [[expected]]


def test_columns_of_figures_are_aligned_to_the_right():
    assert Table("t", "T", ({"name": "a", "n": 1}, {"name": "b", "n": None})).alignments() == ["left", "right"]


TEXTS = st.text("aé日 ,;|\"'\\/\n", max_size=8)
VALUES = st.none() | st.integers() | st.floats() | TEXTS
RECORDS = st.lists(st.dictionaries(st.sampled_from(["a", "b", "b_pm", "c,d", "é"]), VALUES), max_size=4)


def known(value):
    return None if isinstance(value, float) and value - value != 0 else value


@given(RECORDS)
def test_json_gives_the_values_back(records):
    keys = list(dict.fromkeys(key for record in records for key in record))
    assert json.loads(Table("t", "T", records).json()) == [{k: known(r.get(k)) for k in keys} for r in records]


@given(RECORDS)
def test_csv_gives_the_values_back(records):
    rows = list(csv.DictReader(io.StringIO(Table("t", "T", records).csv(), newline="")))
    keys = {key for record in records for key in record}
    if keys:
        assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=False):
        for key in keys:
            value = known(record.get(key))
            assert value == (row[key] or None if value is None else type(value)(row[key]))


def test_every_table_of_a_report_is_four_files(tmp_path):
    written = write_tables([systems()], tmp_path / "tables")
    assert [path.name for path in written] == ["systems.md", "systems.csv", "systems.tex", "systems.json"]
    assert all(path.is_file() for path in written)


PACKAGE = Path(gec_fair.__file__).parent


def test_no_other_file_draws_a_table_by_hand():
    rule = re.compile(r"\|\s*:?-{3,}")
    drawn = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if rule.search(path.read_text())]
    assert drawn == ["report/table.py"]


WITHOUT_JSON = {
    "bart import": "writes a model",
    "bart predict": "prints texts",
    "correct": "prints texts",
    "editscorer import": "writes a model",
    "editscorer predict": "prints texts",
    "gector import": "writes a model",
    "rewrite fm": "prints texts",
    "rewrite neo": "prints texts",
    "rewrite st": "prints texts",
    "settings show": "prints a file",
}
"""The reason why a command prints no result."""
WITHOUT_TABLE = {
    "babylm corpora": "counts",
    "bart train": "counts",
    "data fetch": "folders",
    "editscorer train": "counts",
    "evalset build": "counts",
    "evalset export": "the paths of two files",
    "evalset fetch": "folders",
    "experiment run": "one line a cell",
    "explain": "the words of one pair",
    "gector train": "counts",
    "lexicon check": "counts",
    "lexicon lookup": "one line a word",
    "lmbias surprisal": "a row a word, with tabs",
    "mix": "counts",
    "noise": "counts",
    "perturber annotate": "counts",
    "perturber score": "one line a text",
    "perturber train": "counts",
    "pretrain mlm": "counts",
    "safety counterfactuals": "counts",
    "safety fill": "counts",
    "safety generate": "counts",
    "safety mentions": "counts",
    "safety predict": "counts",
    "safety scores": "counts",
    "safety split": "counts",
    "safety texts": "counts",
    "sentences": "counts",
}
"""What a command with `--json` prints instead of a table."""


def leaves(group=cli, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(leaves())


def has(name, option):
    return any(option in parameter.opts for parameter in COMMANDS[name].params)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_prints_a_result_has_the_options_for_it(name):
    assert has(name, "--json") != (name in WITHOUT_JSON)
    assert has(name, "--table") != (name in WITHOUT_JSON or name in WITHOUT_TABLE)


def test_the_lists_of_exceptions_name_commands():
    assert {*WITHOUT_JSON, *WITHOUT_TABLE} <= COMMANDS.keys()


FILES = ("augment", "fm", "pairs.tsv", "-o", "out")


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    (tmp_path / "pairs.tsv").write_text("He go .\tHe goes .\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("pairs")
def test_the_format_of_tables_is_chosen_and_text_goes_elsewhere():
    plain = run(*FILES)
    assert "| augmented | 1 | 100.0 % |" in plain.stdout
    markdown, csv, latex = (run(*FILES, "--table", form) for form in ("markdown", "csv", "latex"))
    assert markdown.stdout == plain.stdout
    header, first, *_ = csv.stdout.splitlines()
    assert (header, first) == ("outcome,reason,lines,share", "augmented,,1,100.0")
    assert "signature: fm|" in csv.stderr
    assert latex.stdout.startswith("\\begin{table}")
    assert "signature" not in latex.stdout


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize("options", [("--json", "--table", "csv"), ("--table", "csv", "--json")])
def test_json_has_no_tables(options):
    done = run(*FILES, *options)
    assert (done.code, "leave out --table or --json" in done.stderr, Path("out").exists()) == (2, True, False)


def test_tables_are_aligned_in_a_terminal(monkeypatch):
    table = Table("t", "T", [{"a": "long text", "b": 1}])
    context = click.Context(cli)
    with context:
        assert _draw(table, None).splitlines()[0] == "| a | b |"
        monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: True))
        assert _draw(table, None).splitlines()[0] == "| a         |   b |"
        assert _draw(table, "markdown").splitlines()[0] == "| a | b |"


def test_a_bar_in_a_cell_of_markdown_is_escaped():
    assert Table("t", "T", [{"a": "x|y"}]).markdown().splitlines()[-1] == "| x\\|y |"
