"""Every kind of interval has its name, its sentence and its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from gec_fair.stats.estimate import Estimate, Kind, brackets, columns, describe_ends, explain

KINDS = [
    (Kind.BOOTSTRAP, "95 % bootstrap interval", ""),
    (Kind.CLOPPER_PEARSON, "95 % Clopper-Pearson interval", ""),
    (Kind.FISHER_Z, "95 % interval by Fisher's z", ""),
    (Kind.STUDENT, "95 % Student interval over seeds", "± is half of Student's 95 % interval over seeds."),
    (Kind.TWO_SD, "± 2 standard deviations over seeds", "± is 2 s.d. over seeds."),
    (Kind.ONE_SD, "± 1 standard deviation over seeds", "± is 1 s.d. over seeds."),
    (Kind.NORMAL, "± 1.96 standard errors", "± is 1.96 standard errors."),
    (Kind.STANDARD_ERROR, "± 1 standard error", "± is 1 standard error."),
]


@pytest.mark.parametrize(("kind", "name", "note"), KINDS, ids=[kind.name for kind, *_ in KINDS])
def test_a_kind_names_itself(kind, name, note):
    assert (kind.value, kind.note) == (name, note)


def test_the_table_has_every_kind():
    assert [kind for kind, *_ in KINDS] == list(Kind)


def test_the_documentation_lists_every_kind():
    page = (Path(__file__).parents[2] / "docs/concepts/gaps-and-intervals.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")]
    assert {kind.value for kind in Kind} <= set(rows)


TEXTS = [
    (brackets(-10.371, 3.7), "[-10.37, 3.70]", "ends"),
    (brackets(-10.371, 3.7, signed=True), "[-10.37, +3.70]", "signed ends"),
    (Estimate(50.0, 47.5, 52.5, 3, Kind.TWO_SD).brackets(1), "[47.5, 52.5]", "the ends of an estimate"),
    (Estimate(50.0, None, None, 1, Kind.TWO_SD).brackets(), "", "no interval"),
]


@pytest.mark.parametrize(("text", "expected", "why"), TEXTS, ids=[why for *_, why in TEXTS])
def test_an_estimate_is_printed(text, expected, why):
    assert text == expected


@pytest.mark.parametrize(
    ("ends", "p", "expected"),
    [
        ((-1.0, 2.0), 0.5, "[-1.00, +2.00]"),
        ((None, None), None, "too few sentences to say"),
        ((None, None), 1.0, "the same in all resamples"),
    ],
)
def test_the_interval_of_a_difference_is_described(ends, p, expected):
    assert describe_ends(ends, p) == expected


def test_json_names_the_kind_and_has_p_only_where_it_was_tested():
    untested = Estimate(1.234, 0.5, 2.0, 9, Kind.BOOTSTRAP)
    assert untested.as_json() == {"value": 1.234, "low": 0.5, "high": 2.0, "n": 9, "kind": Kind.BOOTSTRAP.value}
    assert Estimate(1.0, 0.5, 2.0, 9, Kind.BOOTSTRAP, 0.01).as_json()["p"] == 0.01
    assert Estimate(None, None, None, 0, Kind.STUDENT).as_json()["value"] is None


def test_a_note_explains_the_sign_where_a_record_has_it():
    one, several = columns("F", 50.0, None), columns("F", 50.004, 1.006)
    assert (one, several) == ({"F": 50.0}, {"F": 50.004, "F_pm": 1.006})
    assert explain("Percent.", [one], Kind.TWO_SD) == "Percent."
    assert explain("Percent.", [one, several], Kind.TWO_SD) == "Percent. ± is 2 s.d. over seeds."
    assert explain("", [several], Kind.STUDENT) == Kind.STUDENT.note
