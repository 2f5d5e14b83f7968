"""Tests run on a stranger's machine: no folder of data, no warm cache."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
READS = re.compile(
    r"""(environ\.(get|pop)|getenv)\(\s*["']GEC_FAIR_DATA|environ\["GEC_FAIR_DATA"\](?! = )"""
    r"""|pytest\.mark\.data|^def data\(""",
    re.M,
)


def test_only_conftest_reads_the_folder_of_data_and_sets_the_mark():
    """Everything else uses the `data` fixture, and no other fixture is called so: `-m "not data"` runs without the
    folder, and leaves nothing out that needs none."""
    readers = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py") if READS.search(path.read_text())}
    assert readers == {"conftest.py", Path(__file__).name}


def test_without_the_fixture_there_is_no_folder_of_data():
    assert "GEC_FAIR_DATA" not in os.environ


def test_with_the_fixture_the_folder_is_absolute(data):
    assert os.environ["GEC_FAIR_DATA"] == str(data)
    assert data.is_absolute()


def test_the_users_cache_is_not_used():
    from gec_fair.runs.cache import cache_directory

    assert cache_directory().name.startswith("gec_fair-cache-")


SKIPS = [
    ("needs the public data sets", 1, "data are never a reason"),
    ("needs a GPU", 0, "a machine may have none"),
    ("could not import 'errant'", 1, "what tests need is installed"),
]


@pytest.mark.parametrize(("reason", "status", "why"), SKIPS, ids=[row[2] for row in SKIPS])
def test_ci_fails_on_a_skip_that_the_machine_does_not_explain(pytester, reason, status, why):
    pytester.makeconftest((FOLDER / "conftest.py").read_text())
    pytester.makepyfile(f"import pytest\ndef test_it():\n    pytest.skip({reason!r})")
    result = pytester.runpytest("--fail-on-skip")
    assert result.ret == status
    result.stdout.fnmatch_lines(["*skipped 1 tests; *"])
