"""The table of docs/reference/api.md names every public function."""

from __future__ import annotations

import re
from pathlib import Path

import gec_fair as gf

PAGE = (Path(__file__).parents[2] / "docs/reference/api.md").read_text(encoding="utf-8")


def test_the_table_names_every_public_function():
    named = set(re.findall(r"^\| `gf\.([\w.]+)\(", PAGE, re.MULTILINE))
    functions = {name for name in gf.__all__ if callable(getattr(gf, name)) and name[0].islower()}
    rooms = ("babylm", "fairscore", "lmbias", "razor", "safety")
    siblings = {f"{room}.{name}" for room in rooms for name in getattr(gf, room).__all__}
    assert named == functions | siblings | {"Augmenter"}
