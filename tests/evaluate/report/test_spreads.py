"""Tables with ± say which kind it is; tables without ± are as they were."""

from __future__ import annotations

import pytest

from gec_fair.evaluate.report.tables import Table, tables
from tests.evaluate.gap.test_bea_dev import ROW

NOTE = "± is 2 s.d. over seeds."


def test_a_note_stands_below_a_table_with_the_sign():
    table = Table("f", "F0.5", ({"system": "ours", "F0.5": 50.0, "F0.5_pm": 1.0},), NOTE)
    assert table.explain() == f"{table.markdown()}\n\n{NOTE}"


def test_a_table_without_the_sign_has_no_note_below():
    table = Table("f", "F0.5", ({"system": "ours", "F0.5": 50.0},), "Points.")
    assert table.explain() == table.markdown()


@pytest.mark.parametrize("seeds", [1, 2])
def test_the_table_of_the_whole_set_explains_its_seeds(seeds):
    row = {key: value for key, value in ROW.items() if seeds > 1 or key != "two_sd"}
    results = {"rows": [], "sets": {}, "differences": [], "full": {"ours": row}}
    [full] = [table for table in tables(results) if table.name == "full"]
    assert full.note.endswith(NOTE) == (seeds > 1)
