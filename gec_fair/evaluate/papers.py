"""What the papers print, to stand beside our figures: `training/paper_tables.toml`, which marks their misprints."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def printed(paper: str) -> Mapping[str, Any]:
    """The tables of a paper (`lund2023`, `qian2022`, …) by number; empty where the file is not here."""
    for path in (_PACKAGE / "_data" / "paper_tables.toml", _PACKAGE.parent / "training" / "paper_tables.toml"):
        if path.is_file():
            return dict(tomllib.loads(path.read_text(encoding="utf-8"))[paper])
    return {}
