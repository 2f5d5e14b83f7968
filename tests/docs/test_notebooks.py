"""The notebooks run from top to bottom, and print what they have been committed with."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT
from tests.shared import PINNED

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def outputs(notebook):
    """What each cell prints to stdout, and what it displays.

    A kernel may send one ``print`` in several parts, so the parts are joined.
    """
    return [
        (
            "".join(output.text for output in cell.outputs if output.get("name") == "stdout"),
            [dict(output.data) for output in cell.outputs if "data" in output],
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@PINNED
@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_committed(path, tmp_path, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    committed = nbformat.read(path, as_version=4)
    expected = outputs(committed)
    assert any(expected)
    nbclient.NotebookClient(
        committed, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert outputs(committed) == expected


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["augmentation", "gap-report"]
