"""Cells and notes that all tables of an audit share."""

from __future__ import annotations

from collections.abc import Iterable

from gec_fair.report.table import Record, Table
from gec_fair.stats.estimate import FEW, LEVEL, Estimate

NO_DATA = "no data"
NOTE = f"[…]: {LEVEL:.0%} interval over counterfactual sets (bootstrap). Texts of fewer than {FEW} sets have none."


def interval_cell(name: str, estimate: Estimate) -> Record:
    """A value with the ends of its interval."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def interval_table(name: str, title: str, records: Iterable[Record], note: str, decimals: int) -> Table:
    """A table whose note begins with NOTE."""
    return Table(name, title, tuple(records), f"{NOTE} {note}", decimals, NO_DATA)
