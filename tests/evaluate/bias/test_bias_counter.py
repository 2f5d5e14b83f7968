"""The counter on constructed cases, traps included: what the benchmark measures must stay."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def counter():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import bias_counter

        yield bias_counter
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def rows(counter):
    return counter.rows()


def test_there_are_cases_of_every_kind_and_traps(rows, counter):
    assert len(rows) >= 200
    assert sum(not row.expected for row in rows) >= 80
    assert {kind for row in rows for kind in row.expected} == set(counter.Kind)


def test_precision_and_recall(rows, counter):
    figures = counter.measures(rows)["all"]
    assert figures["precision"] >= 97
    assert figures["recall"] >= 97


def test_a_counter_that_sees_nothing_or_everything_would_fail(rows, counter):
    from dataclasses import replace

    blind = [replace(row, counted=counter.Counter()) for row in rows]
    assert counter.measures(blind)["all"]["recall"] == 0
    eager = [replace(row, counted=counter.Counter(counter.Kind)) for row in rows]
    assert counter.measures(eager)["all"]["precision"] < 20
