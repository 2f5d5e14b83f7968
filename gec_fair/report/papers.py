"""What the papers print, shown next to our figures: `training/paper_tables.toml`, which marks their misprints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gec_fair.config.values import read_toml
from gec_fair.shipped import find_shipped


@cache
def read_printed(paper: str) -> Mapping[str, Any]:
    """The tables of a paper (`lund2023`, `qian2022`, …) by number; empty where the file is not here."""
    path = find_shipped("training/paper_tables.toml")
    return dict(read_toml(path, "reinstall gec-fair")[paper]) if path else {}


def read_rows(paper: str, table: str) -> Sequence[Mapping[str, Any]]:
    """The rows of a paper's table; empty if it is not here."""
    rows: Sequence[Mapping[str, Any]] = read_printed(paper).get(table, {}).get("row", ())
    return rows
