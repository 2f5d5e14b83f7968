"""A column of texts: what is not a string is refused, or left out and counted."""

from __future__ import annotations

from decimal import Decimal

import numpy
import pandas
import pytest

from gec_fair.data.columns import is_missing, rows_with_texts
from gec_fair.errors import UsageError

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
        rows_with_texts([("row 1", {"a": "", "b": value})], ["a", "b"], missing="drop")


def test_a_row_without_the_column_passes_so_that_its_reader_can_say_which_there_are():
    assert rows_with_texts([("row 1", {"a": 1})], ["text"]).rows == (("row 1", {"a": 1}),)


def test_an_unknown_choice_is_refused():
    with pytest.raises(UsageError, match="choose refuse or drop"):
        rows_with_texts([], ["text"], missing="skip")
