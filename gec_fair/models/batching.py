"""Batches of like length, so that little of what a model reads is padding. Imports no torch.

All of them are stable: rows of one length stay in their order, so the same rows make the same batches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Sizes = Sequence[int] | NDArray[np.int64]
Row = TypeVar("Row", bound=Sequence[int])
Answer = TypeVar("Answer")


def under_budget(
    order: Iterable[int], lengths: Sizes, tokens: int, *, most: int | None = None, rows: Sizes | None = None
) -> Iterator[list[int]]:
    """Cut item numbers, in the given order, into batches of at most `tokens` sub-words, padding included, and of at
    most `most` items. An item that is longer than `tokens` goes alone. An item is one row of `lengths[item]`
    sub-words, or `rows[item]` of them, which stay together. Cost O(items)."""
    batch: list[int] = []
    longest = height = 0
    for item in order:
        added = 1 if rows is None else int(rows[item])
        longest, height = max(longest, int(lengths[item]), 1), height + added
        if batch and (len(batch) == most or longest * height > tokens):
            yield batch
            batch, longest, height = [], max(int(lengths[item]), 1), added
        batch.append(item)
    if batch:
        yield batch


def longest_first(lengths: Sizes) -> list[int]:
    """Row numbers by falling length; rows of one length stay in their order."""
    order: list[int] = np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable").tolist()
    return order


def by_length(lengths: Sizes, tokens: int | None = None, *, most: int | None = None) -> Iterator[list[int]]:
    """Row numbers, longest first, in batches of at most `tokens` sub-words, padding included, and of at most `most`
    rows. A row that is longer than `tokens` goes alone."""
    return under_budget(longest_first(lengths), lengths, sys.maxsize if tokens is None else tokens, most=most)


def answers_by_length(lengths: Sizes, read: Callable[[list[int]], Iterable[Answer]], *, tokens: int) -> list[Answer]:
    """The answers of a model, in the order of the rows. `read` gets the row numbers of each of the `by_length` batches
    and returns an answer for each of them."""
    answers: dict[int, Answer] = {}
    for rows in by_length(lengths, tokens):
        answers.update(zip(rows, read(rows), strict=True))
    return [answers[row] for row in range(len(lengths))]


def of_equal_length(rows: Iterable[Row], tokens: int) -> Iterator[list[Row]]:
    """Rows of one length each time, the longest first, in batches of at most `tokens` sub-words. Nothing is padded, so
    that no score depends on the other rows of its batch."""
    by_size: dict[int, list[Row]] = {}
    for row in rows:
        by_size.setdefault(len(row), []).append(row)
    for length in sorted(by_size, reverse=True):
        height = max(1, tokens // max(length, 1))
        same = by_size[length]
        yield from (same[first : first + height] for first in range(0, len(same), height))
