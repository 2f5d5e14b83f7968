"""An option's old name works for one release, with a warning; both names at once are refused."""

from __future__ import annotations

import click
import pytest

from tests.cli.test_help import LEAVES

OLD = {
    "razor evaluate": ("--terms", "--count"),
    "razor run": ("--mode", "--scoring"),
    "razor score": ("--mode", "--scoring"),
}


@pytest.mark.parametrize("name", OLD)
def test_the_help_shows_the_new_name_alone(name):
    old, new = OLD[name]
    text = LEAVES[name].get_help(click.Context(LEAVES[name]))
    assert f"{new} " in text or f"{new}\n" in text
    assert f"  {old} " not in text
