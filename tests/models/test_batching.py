"""Batches of like length: what is in them, in which order, and that answers come back in the rows' order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gec_fair.models.batching import answers_by_length, by_length, longest_first, of_equal_length, under_budget

LENGTHS = st.lists(st.integers(0, 12), max_size=40)
TOKENS = st.integers(1, 40)


@given(LENGTHS, TOKENS)
def test_every_row_is_in_one_batch_longest_first_and_rows_of_one_length_in_order(lengths, tokens):
    batches = list(by_length(lengths, tokens))
    assert [row for batch in batches for row in batch] == sorted(range(len(lengths)), key=lambda n: (-lengths[n], n))


@given(LENGTHS, TOKENS)
def test_a_batch_is_as_large_as_its_longest_row_allows(lengths, tokens):
    """As many rows as fit when all are padded to the first, which is the longest; the last batch holds the rest."""
    batches = list(by_length(lengths, tokens))
    sizes = [max(1, tokens // max(1, lengths[batch[0]])) for batch in batches]
    assert [len(batch) for batch in batches[:-1]] == sizes[:-1]
    assert not batches or len(batches[-1]) <= sizes[-1]


@given(LENGTHS, st.integers(1, 5))
def test_batches_of_so_many_rows(lengths, most):
    batches = list(by_length(lengths, most=most))
    assert [len(batch) for batch in batches[:-1]] == [most] * (len(batches) - 1)
    assert [row for batch in batches for row in batch] == longest_first(lengths)


@given(LENGTHS, TOKENS)
def test_answers_come_in_the_order_of_the_rows(lengths, tokens):
    assert answers_by_length(lengths, lambda rows: [(row, lengths[row]) for row in rows], tokens=tokens) == list(
        enumerate(lengths)
    )


@given(st.lists(st.text("ab", max_size=5).map(tuple), max_size=30), TOKENS)
def test_rows_of_one_length_are_not_padded(rows, tokens):
    batches = list(of_equal_length(rows, tokens))
    assert all(len(set(map(len, batch))) == 1 for batch in batches)
    assert all(len(batch) == 1 or sum(map(len, batch)) <= tokens or not batch[0] for batch in batches)
    assert [row for batch in batches for row in batch] == sorted(rows, key=len, reverse=True)


def test_rows_that_stay_together_count_as_one_item():
    assert list(under_budget([0, 1, 2], [2, 2, 5], 8, rows=[2, 2, 3])) == [[0, 1], [2]]


def test_an_empty_row_takes_a_place():
    assert [len(batch) for batch in by_length([0] * 10, 4)] == [4, 4, 2]
