"""The paper's shares are printed for cLang-8 alone, the corpus that they were counted on."""

from __future__ import annotations

import pytest

from tests.cli.invoke import run


@pytest.mark.parametrize(("name", "is_there"), [("clang8_source_target_en.tsv", True), ("pairs.tsv", False)])
@pytest.mark.parametrize("method", ["fm", "st"])
def test_the_papers_row_is_printed_for_clang8_alone(tmp_path, name, is_there, method):
    (tmp_path / name).write_text("Anna lose her keys .\tAnna loses her keys .\n")
    done = run("augment", method, tmp_path / name, "-o", tmp_path / "out")
    assert done.code == 0, done.stderr
    assert ("Lund et al. 2023" in done.stdout) == is_there
