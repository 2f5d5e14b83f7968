"""A column of texts: what is not a string is refused, or left out and counted."""

from __future__ import annotations

from decimal import Decimal

import numpy
import pandas
import pytest

import gec_fair as gf
from gec_fair.data.columns import is_missing, rows_with_texts
from gec_fair.errors import GecFairError, InputError, UsageError
from gec_fair.gec.systems.protocol import SystemFault
from gec_fair.safety.data.groups import read_shipped
from gec_fair.safety.data.texts import read

MISSING = {
    "None": None,
    "NaN of Python": float("nan"),
    "NaN of numpy, 32 bits": numpy.float32("nan"),
    "NaN of decimal": Decimal("nan"),
    "NA of pandas": pandas.NA,
    "NaT of pandas": pandas.NaT,
}
PRESENT = {"empty": "", "the word": "nan", "zero": 0, "infinity": float("inf"), "array": numpy.array([1.0, 2.0])}


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
def test_a_missing_text_is_refused_or_left_out(value):
    rows = [("scores: row 1", {"text": "A text ."}), ("scores: row 2", {"text": value})]
    with pytest.raises(UsageError, match=r"scores: row 2: text is (None|NaN), not a string; .* missing='drop'"):
        rows_with_texts(rows, ["text"])
    checked = rows_with_texts(rows, ["text"], missing="drop")
    assert (list(checked.rows), checked.dropped) == (rows[:1], 1)


@pytest.mark.parametrize("value", PRESENT.values(), ids=PRESENT)
def test_a_value_that_is_there_is_not_missing(value):
    assert not is_missing(value)


@pytest.mark.parametrize("value", [3, 0.5, True, b"A text .", ["A text ."], {"text": ""}])
def test_another_type_is_refused_even_where_missing_texts_are_left_out(value):
    with pytest.raises(UsageError, match=f"row 1: b is of type {type(value).__name__}, not a string"):
        rows_with_texts([("row 1", {"a": "x", "b": value})], ["a", "b"], missing="drop")


@pytest.mark.parametrize("value", ["", " ", "\t\n", "\u00a0", "\u200b", "\ufeff "], ids=repr)
def test_a_text_without_a_visible_sign_is_refused_or_left_out(value):
    rows = [("row 1", {"text": "A text .", "label": "a"}), ("row 2", {"text": value, "label": "a"})]
    with pytest.raises(UsageError, match=r"row 2: text is empty; .* missing='drop'"):
        rows_with_texts(rows, ["text"])
    assert rows_with_texts(rows, ["text"], missing="drop").dropped == 1
    assert not rows_with_texts(rows, [], optional=["text"], missing="drop").dropped


def test_a_row_without_the_column_passes_so_that_its_reader_can_say_which_there_are():
    assert rows_with_texts([("row 1", {"a": 1})], ["text"]).rows == (("row 1", {"a": 1}),)


def test_an_unknown_choice_is_refused():
    with pytest.raises(UsageError, match="choose refuse or drop"):
        rows_with_texts([], ["text"], missing="skip")


def say_half(texts):
    """A classifier."""
    return [0.5 for _ in texts]


TEXT_ENTRIES = {
    "razor.score": lambda rows, **options: gf.razor.score(rows, **options),
    "safety.audit, scored": lambda rows, **options: gf.safety.audit(rows, source=say_half, **options),
    "safety.audit, named": lambda rows, **options: gf.safety.audit(
        [{**row, "score": 0.5} for row in rows], harm="hate", **options
    ),
    "fairscore.measure": lambda rows, **options: gf.fairscore.measure(
        lambda texts: ["0"] * len(texts), rows, axes=("gender",), **options
    ),
    "audit": lambda rows, **options: gf.audit(
        [{"text": row["text"], "target": "She left ."} for row in rows], source="text", **options
    ),
}
"""The functions of the API that read a column of texts, each of rows with `text` and `label`."""
TEXTS = ("She was kind .", "He was nan .", "They left .", "She sang .")
NO_TEXTS = {**MISSING, "number": 7, "bytes": b"She left .", "list": ["She left ."]}


def table(value):
    rows = [{"text": text, "label": n % 2} for n, text in enumerate(TEXTS)]
    rows[2]["text"] = value
    return rows


@pytest.mark.parametrize("name", TEXT_ENTRIES)
def test_every_function_refuses_what_is_not_text_with_its_row(name):
    for value in NO_TEXTS.values():
        with pytest.raises(UsageError, match=r"row 3: text is .*, not a string; remove it or replace it"):
            TEXT_ENTRIES[name](table(value))
        with pytest.raises(UsageError, match=r"row 3: text is .*, not a string"):
            TEXT_ENTRIES[name](pandas.DataFrame(table(value)).astype(object).to_dict("records"))


@pytest.mark.parametrize("name", TEXT_ENTRIES)
def test_every_function_leaves_missing_texts_out_and_counts_them(name):
    result = TEXT_ENTRIES[name](pandas.DataFrame(table(None)).to_dict("records"), missing="drop")
    without = TEXT_ENTRIES[name]([row for row in table(None) if row["text"] is not None])
    left_out = {
        "razor.score": lambda: result.dropped,
        "safety.audit, scored": lambda: int("1 rows without a text were left out." in result.summary),
        "safety.audit, named": lambda: int("1 rows without a text were left out." in result.summary),
        "fairscore.measure": lambda: result.measured.counts["without_text"],
        "audit": lambda: result.malformed,
    }
    assert left_out[name]() == 1
    assert [row[0] for row in result.tables()[0].rows()] == [row[0] for row in without.tables()[0].rows()]


@pytest.mark.parametrize("value", [None, float("nan"), pandas.NA, ["a"], b"a"])
def test_a_label_that_is_none_is_refused(value):
    rows = [{"text": text, "label": value if n == 1 else n % 2} for n, text in enumerate(TEXTS)]
    for name in ("razor.score", "fairscore.measure"):
        with pytest.raises(UsageError, match=r"row 2: label is .*, not a label"):
            TEXT_ENTRIES[name](rows)


def test_no_rows_are_refused():
    for name in ("razor.score", "fairscore.measure", "safety.audit, named"):
        with pytest.raises(GecFairError):
            TEXT_ENTRIES[name]([])
        with pytest.raises(GecFairError):
            TEXT_ENTRIES[name]([table(None)[2]], missing="drop")


def test_lists_of_texts_are_refused_and_pairs_are_malformed():
    for value in NO_TEXTS.values():
        with pytest.raises(UsageError, match="number 2 is"):
            list(gf.perturb(["She left .", value]))
        pair = gf.augment([("She left .", value)], "fm")[0]
        assert (pair.outcome, pair.target is value) == ("malformed", True)


def test_the_words_nan_and_na_are_text(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("text,label\nnan,0\nNA,1\nNone,0\nnull,1\n")
    assert {document["text"] for document in gf.razor.score(path).documents} == {"nan", "NA", "None", "null"}
    heard = []
    gf.safety.audit(path, source=lambda texts: heard.extend(texts) or [0.5] * len(texts))
    assert heard == ["nan", "NA", "None", "null"]


LINES = {"null": "null", "empty": '""', "NaN": "NaN", "a number": "7", "a list": '["She left ."]'}


@pytest.mark.parametrize("value", LINES.values(), ids=LINES)
def test_rows_of_a_file_without_a_text_are_refused_or_left_out_with_their_line(tmp_path, value, capsys):
    path = tmp_path / "texts.jsonl"
    lines = [f'{{"id": "{n}", "text": "{text}", "label": {n % 2}}}' for n, text in enumerate(TEXTS)]
    lines[2] = f'{{"id": "2", "text": {value}, "label": 1}}'
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(UsageError, match=r"texts\.jsonl:3: text is (.*, not a string|empty)"):
        gf.safety.audit(path, source=say_half)
    with pytest.raises(InputError, match=r"texts\.jsonl:3: text is (.*, not a string|empty); leave the row out"):
        read(path, read_shipped())
    assert len(gf.razor.score(path).documents) == 3
    measured = gf.fairscore.measure(lambda texts: ["0"] * len(texts), path, axes=("gender",)).measured
    assert measured.counts["examples"] == 3
    assert capsys.readouterr().err.count("texts.jsonl:3: text is ") == 2


@pytest.mark.parametrize("name", TEXT_ENTRIES)
def test_every_function_refuses_an_empty_text_with_its_row_or_leaves_it_out(name):
    with pytest.raises(UsageError, match="row 3: text is empty; remove it or replace it"):
        TEXT_ENTRIES[name](table(" "))
    dropped = [TEXT_ENTRIES[name](table(value), missing="drop").tables()[0].rows() for value in (" ", None)]
    assert dropped[0] == dropped[1]


def test_a_pair_may_have_an_empty_target():
    assert gf.audit([("She left .", "")]).pairs == 1


@pytest.mark.parametrize("value", [None, float("nan"), pandas.NA, 3, b"a", ["b", None], []], ids=repr)
def test_a_reference_that_is_no_text_is_named_with_its_row(value):
    with pytest.raises(UsageError, match=r"references: row 2"):
        gf.score(["a", "b"], ["a", value], ["a", "b"])


@pytest.mark.parametrize("value", [None, float("nan"), pandas.NA, 3], ids=repr)
def test_an_answer_of_a_system_that_is_no_text_is_named_with_its_number_and_type(value):
    with pytest.raises(SystemFault, match=r"number 2 is (None|NaN|of type int), not a string"):
        gf.load_system(lambda texts: ["a", value])(["a", "b"])


@pytest.mark.parametrize("column", ["score", "label"])
def test_pandas_na_in_a_score_or_label_of_an_audit_is_a_missing_value(column):
    rows = [
        {"text": "He is kind", "score": 0.2, "label": 0},
        {"text": "She is", "score": 0.2, "label": 0, column: pandas.NA},
    ]
    with pytest.raises(InputError, match=f"row 2: {column} is ''"):
        gf.safety.audit(rows)


def test_numbers_of_numpy_are_numbers():
    assert len(gf.augment([("a", "b")] * 3, "st", limit=numpy.int64(2))) == 2


def test_a_missing_argument_is_told_in_pythons_words():
    with pytest.raises(TypeError, match=r"augment\(\): missing a required argument: 'method'"):
        gf.augment([])


def test_columns_of_other_lengths_are_refused():
    with pytest.raises(UsageError, match="pairs: its columns are not of one length"):
        gf.audit({"source": ["a"], "target": []})
