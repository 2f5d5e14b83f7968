"""Tables of the pages that list what the code has: none is missing, and none is of the past."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gec_fair.augmentation.explain import WHY_LEFT
from gec_fair.augmentation.parallel import REASONS
from gec_fair.lmbias.suites.catalogue import SUITES
from tests.cli.invoke import run

DOCS = Path(__file__).parents[2] / "docs"
TABLES = [
    ("concepts/outcomes.md", "Why a pair is left", WHY_LEFT),
    ("concepts/outcomes.md", "Why a pair is discarded", REASONS),
    ("how-to/augment.md", "Outcomes", REASONS),
    ("how-to/lmbias.md", "Suites", SUITES.factories),
]


def first_cells(page: str, heading: str) -> list[str]:
    """The names in backquotes in the first cells of the last table under a heading."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)[1]
    *_, table = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    return [name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


@pytest.mark.parametrize(
    ("page", "heading", "names"), TABLES, ids=[f"{page}: {heading}" for page, heading, _ in TABLES]
)
def test_a_table_has_every_name_once_and_no_other(page, heading, names):
    assert sorted(first_cells(page, heading)) == sorted(names)


def test_the_help_of_lmbias_run_names_every_suite():
    named = re.findall(r"\w+", run("lmbias", "run", "--help").stdout)
    assert [suite for suite in SUITES.factories if suite not in named] == []
