"""The paper's figures of BEA-dev are shown next to ours only where ours are of BEA-dev."""

from __future__ import annotations

import pytest

from gec_fair.evaluate.gap import bea_dev
from gec_fair.evaluate.gap.bea_dev import FIRST_HALF, FULL_SET, part_of
from gec_fair.evaluate.report import tables

EMPTY = {"rows": [], "sets": {}, "differences": [], "notes": [], "inputs": {}}
ROW = {"seeds": 2, "p": 1.0, "r": 2.0, "f0.5": 3.0, "two_sd": {"p": 0.1, "r": 0.2, "f0.5": 0.3}}


def full(part, **more):
    return next(t for t in tables.tables({**EMPTY, "full": {"1": {"of": part, **ROW}}, **more}) if t.name == "full")


TITLES = [
    (FULL_SET, "Tables 3 and 8: The whole of BEA-dev", "GECToR 1, Lund et al. 2023"),
    (FIRST_HALF, "Tables 3 and 8: The first half of BEA-dev", "GECToR 1, Lund et al. 2023, all of BEA-dev"),
    ("", "The whole development set", None),
]


@pytest.mark.parametrize(("part", "title", "theirs"), TITLES, ids=["the whole", "a half", "another set"])
def test_the_papers_row_stands_beside_ours_where_both_are_of_bea_dev(part, title, theirs):
    table = full(part)
    assert table.title == title
    rows = [r["system"] for r in table.records if r["system"].startswith("GECToR 1")]
    assert rows == ([theirs] if theirs else [])
    ours = dict(zip(table.header(), table.rows()[0], strict=True))
    assert (ours["P"], ours["R"], ours["F0.5"]) == ("1.00 ± 0.10", "2.00 ± 0.20", "3.00 ± 0.30")


def test_a_systems_data_are_ticked_where_they_are_known_and_not_for_its_name():
    assert "Orig" not in full("").records[0]
    known = full("", trained_on={"1": ["orig", "st"]}).records[0]
    assert (known["Orig"], known["MF"], known["ST"]) == ("✓", "", "✓")


def test_the_first_half_is_known_and_a_changed_one_is_not(data, tmp_path):
    path = data / "bea/bea-dev.first2192.m2"
    assert part_of(path) == FIRST_HALF
    text = path.read_text(encoding="utf-8")
    (tmp_path / "crlf.m2").write_text(text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert part_of(tmp_path / "crlf.m2") == FIRST_HALF
    (tmp_path / "other.m2").write_text(text.replace("the", "teh", 1), encoding="utf-8")
    assert part_of(tmp_path / "other.m2") == ""
    (tmp_path / "longer.m2").write_text(text + "S one more\n\n", encoding="utf-8")
    assert part_of(tmp_path / "longer.m2") == ""
    (tmp_path / "whole.m2").write_text(text + "S one\n\n" * (4384 - bea_dev._HALF), encoding="utf-8")
    assert part_of(tmp_path / "whole.m2") == FULL_SET
