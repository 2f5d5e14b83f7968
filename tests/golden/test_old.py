"""What version 0.1.0 wrote: a finished run is not done again, or refused in one sentence."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.invoke import run
from tests.golden.make_old import CACHE, COMMANDS
from tests.golden.running import within

OLD = Path(__file__).with_name("old")
MODELS = (".safetensors", ".skops", ".onnx")
WRITTEN = re.compile(
    r"-run/.*(\.safetensors|\.skops|\.onnx|pairs\.tsv|train\.tsv|rewritten\.\w+|ledger\.jsonl|passes/.*)$"
)
"""Models and texts of a run: no second call writes others."""
LIMIT = 3_000_000


@pytest.fixture
def place(tmp_path):
    """A copy that a test may write into."""
    return shutil.copytree(OLD, tmp_path / "old")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_finished_run_is_not_done_again_or_refused_in_one_sentence(name, place):
    before = contents(place)
    with within(place, place / CACHE):
        done = run(*COMMANDS[name].split())
    assert contents(place) == before
    if done.code:
        lines = [line for line in done.stderr.splitlines() if line.startswith("gec-fair: ")]
        assert (done.code, len(lines)) == (2, 1), done.stderr


def contents(place: Path) -> dict[str, object]:
    """Of texts the bytes; of models the time too, for the same training would write the same bytes."""
    files = {path.relative_to(place).as_posix(): path for path in place.rglob("*") if path.is_file()}
    return {
        name: (path.read_bytes(), path.stat().st_mtime_ns if path.suffix in MODELS else 0)
        for name, path in files.items()
        if WRITTEN.search(name)
    }


CACHED = [
    ("errant.sqlite", "gap", "parses and edits"),
    ("outputs.sqlite", "counterfactual", "what a system answered"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "name", "what_for"), CACHED, ids=[row[2] for row in CACHED])
def test_what_an_old_cache_holds_is_not_worked_out_again(file, name, what_for, place):
    before = rows(place / CACHE / file)
    assert before
    with within(place, place / CACHE):
        assert run(*COMMANDS[name].split()).code == 0
    assert rows(place / CACHE / file) == before


def rows(path: Path) -> dict[str, list[object]]:
    """Of each table, in order."""
    connection = sqlite3.connect(path)
    try:
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        return {name: sorted(map(repr, connection.execute(f'select * from "{name}"'))) for name in tables}
    finally:
        connection.close()


def test_the_folder_stays_small():
    assert sum(path.stat().st_size for path in OLD.rglob("*") if path.is_file()) < LIMIT
